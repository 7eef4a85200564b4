"""A half-finished draft for benchmarks, with 20 topics of 9 subtopics and most pages in two subtopics."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

ROOTS, CHILDREN = 20, 9
WORDS = ("jaguar", "engine", "club", "racing", "zoo", "habitat", "dealer", "price", "history", "model", "cat", "wild")

Operation = dict[str, Any]


@dataclass(frozen=True)
class WorkingDraft:
    """The id of a draft, and the cookies of a signed-in person who can change it."""

    draft: int
    cookies: dict[str, str]

    @property
    def header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())


def working_draft(count: int, placed: int, *, spare: Iterable[int] = ()) -> WorkingDraft:
    """Create a shared draft. Django must be set up, with a database.

    Args:
        count: number of pages.
        placed: number of pages that are in two subtopics; these are the first pages.
        spare: numbers of additional empty topics, each with one subtopic.
    """
    from django.conf import settings
    from django.test import Client

    from accounts.models import User
    from annotations.drafts import services as drafts
    from annotations.drafts.services.performing import perform
    from annotations.drafts.services.planning import DraftRequest
    from annotations.imports.services import import_documents
    from annotations.limits import BATCH_OPERATIONS
    from qc4.model.gold_document import GoldDocument, Page

    random = Random(2007)  # noqa: S311  # pages for a benchmark, not secrets
    text = [" ".join(random.choices(WORDS, k=25)) for _ in range(count)]
    pages = tuple(
        Page(f"page-{n}", n + 1, f"https://site-{n}.example/a/b/{n}.html", text[n][:60], text[n][:150], text[n] * 5)
        for n in range(count)
    )
    user, _ = User.objects.get_or_create(username="ana", defaults={"password": f"!{secrets.token_urlsafe(16)}"})
    name = f"Bench of {count}"
    collection = import_documents(name=name, documents=[GoldDocument("jaguar", "jaguar", pages)], user=user)
    draft = drafts.from_nothing(query=collection.queries.get(), user=user, kind="shared")
    operations, leaves = _hierarchy(spare)
    perform(draft, user, DraftRequest(uuid.uuid4(), 0, operations))
    placing = [{"kind": "assign", "pages": [f"page-{n}"], "topics": random.sample(leaves, 2)} for n in range(placed)]
    for start in range(0, placed, BATCH_OPERATIONS):
        perform(draft, user, DraftRequest(uuid.uuid4(), draft.revision, placing[start : start + BATCH_OPERATIONS]))
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    client.get(f"/drafts/{draft.pk}/")
    names = (settings.SESSION_COOKIE_NAME, "csrftoken")
    return WorkingDraft(draft.pk, {name: client.cookies[name].value for name in names})


def _hierarchy(spare: Iterable[int]) -> tuple[list[Operation], list[str]]:
    """Return the operations that add the topics, and the ids of the subtopics for pages."""
    operations, leaves = [], []
    for root in range(ROOTS):
        operations.append(_added(f"topic-{root}", f"Topic number {root}", None))
        for child in range(CHILDREN):
            leaves.append(f"topic-{root}-{child}")
            operations.append(_added(leaves[-1], f"Subtopic number {child}", f"topic-{root}"))
    operations.append(_added("bulk", "Bulk", None))
    for number in spare:
        operations.append(_added(f"spare-{number}", f"Spare {number}", None))
        operations.append(_added(f"spare-{number}-below", f"Spare below {number}", f"spare-{number}"))
    return operations, leaves


def _added(topic: str, name: str, parent: str | None) -> Operation:
    return {"kind": "add_topic", "topic": topic, "name": name, "parent": parent}

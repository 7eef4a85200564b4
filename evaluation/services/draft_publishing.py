"""Publish a draft as its query's gold standard in the collection's next version."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from annotations.drafts.services.errors import closed
from annotations.models import Draft, DraftPublication, GoldVersion
from evaluation.models import Run
from evaluation.selectors.publication import Publication, publication
from evaluation.services.gold import publish_and_reevaluate
from qc4.problems import InputError, Problem


@dataclass(frozen=True, slots=True)
class Published:
    """What was found out first, the version that holds the draft now, whether it is new, and the queued runs."""

    found: Publication
    version: GoldVersion
    is_new: bool
    runs: list[Run]


def publish_draft(*, draft: Draft, revision: int, user: User, note: str = "") -> Published:
    """Freeze a draft as it is at a revision. Other queries keep their gold standard and their scores.

    Args:
        revision: what the publisher looked at.

    Raises:
        InputError: the draft has moved on; every rule R1-R6 it breaks. Nothing is published.
        DraftError: it is archived.
    """
    with transaction.atomic():
        # The row is held, so that nothing is added between the look and the publication.
        held = Draft.objects.select_for_update().get(pk=draft.pk)
        if held.archived_at is not None:
            raise closed(held.status, archived=True)
        found = publication(held)
        if found.revision != revision:
            raise InputError([_moved_on(revision, found.revision)])
        before = held.query.collection.gold_versions.order_by("-number").values_list("pk", flat=True).first()
        version, started = publish_and_reevaluate(
            collection=held.query.collection, documents=[found.document], user=user, note=note
        )
        gold = version.entries.get(query=held.query_id).gold
        DraftPublication.objects.get_or_create(
            draft=held, version=version, defaults={"revision": revision, "gold": gold, "published_by": user}
        )
    return Published(found, version, version.pk != before, started)


def _moved_on(seen: int, now: int) -> Problem:
    return Problem(
        "draft-moved-on",
        "revision",
        f"revision {seen}, but the draft is at {now} by now",
        "the revision the draft has",
        "Look at what was added since, and publish again.",
    )

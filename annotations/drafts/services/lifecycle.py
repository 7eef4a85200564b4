"""Start, submit, reopen, archive, restore and rename drafts."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import User
from annotations.collections import storage
from annotations.collections.selectors import page_list
from annotations.drafts.selectors.states import MOVING, current, packed
from annotations.drafts.services.errors import closed
from annotations.drafts.state_machine import DraftState, from_document, to_document
from annotations.drafts.state_machine.summaries import summary_of
from annotations.gold.selectors import read
from annotations.gold.services import on_own_pages
from annotations.limits import NAME_CHARS
from annotations.models import Draft, DraftSnapshot, Gold, GoldVersionEntry, Query
from qc4.model.gold_document import GoldDocument
from qc4.problems import InputError, Problem


def submit(draft: Draft) -> None:
    """Finish a draft: it does not change any more, and is no longer blind. Nothing happens if it is submitted.

    Raises:
        DraftError: it is archived.
    """
    _update(draft, status=Draft.Status.SUBMITTED, submitted_at=Now(), where={"status": Draft.Status.OPEN})


def reopen(draft: Draft, by: User | None = None) -> None:
    """Go on with a submitted draft; raises as `submit`. Who did it is told where the draft was compared."""
    values = {"status": Draft.Status.OPEN, "submitted_at": None, "reopened_by": by, "reopened_at": Now()}
    _update(draft, **values, where={"status": Draft.Status.SUBMITTED})


def archive(draft: Draft) -> None:
    """Put a draft away. Nothing is lost: `restore` brings it back."""
    Draft.objects.filter(pk=draft.pk, archived_at=None).update(archived_at=Now())
    draft.refresh_from_db(fields=MOVING)


def restore(draft: Draft, *, closed: bool = False) -> None:
    """Bring an archived draft back.

    Args:
        closed: submitted, if it is open.
    """
    with transaction.atomic():
        Draft.objects.filter(pk=draft.pk).update(archived_at=None)
        draft.refresh_from_db(fields=MOVING)
        if closed:
            submit(draft)


def rename(draft: Draft, name: str) -> None:
    """Call a draft something else; raises InputError for what is no name."""
    if problems := name_problems(name):
        raise InputError(problems)
    Draft.objects.filter(pk=draft.pk).update(name=name.strip())
    draft.refresh_from_db(fields=MOVING)


def _update(draft: Draft, *, where: dict[str, object], **values: object) -> None:
    Draft.objects.filter(pk=draft.pk, archived_at=None, **where).update(**values)
    draft.refresh_from_db(fields=MOVING)
    if draft.archived_at is not None:
        raise closed(draft.status, archived=True)


# --- Start ------------------------------------------------------------------------------------------------------------


def start(
    *,
    query: Query,
    user: User | None,
    kind: str,
    state: DraftState,
    started_from: dict[str, Any],
    name: str = "",
    based_on: Gold | None = None,
) -> Draft:
    """A new draft in a given state, which becomes its revision 0. An own draft is its starter's.

    Args:
        started_from: for people: ``from`` (a kind of source) and ``words``, with whatever names the source.
        name: by default the starter's name, or "shared"; numbered where the query has such a draft.

    Raises:
        InputError: the name is too long or no line, the kind unknown, a quota reached. What is done in a draft counts,
            and is never refused for a quota: nobody loses work to it.
    """
    _check(name, kind)
    first = packed(state)
    storage.admit(query.collection.created_by, query.collection, len(first))
    with transaction.atomic():
        draft = Draft.objects.create(
            query=query,
            name=name.strip() or _free_name(query, kind, user),
            kind=kind,
            curator=user if kind == Draft.Kind.OWN else None,
            started_from=started_from,
            based_on=based_on,
            summary=summary_of(state),
            created_by=user,
            stored_bytes=len(first),
            stored_rows=1,
        )
        DraftSnapshot.objects.create(draft=draft, revision=0, state=first)
    draft.refresh_from_db(fields=["created_at", "changed_at"])
    return draft


def empty_state(query: Query) -> DraftState:
    """A query's pages and nothing else."""
    return from_document(page_list(query))


def from_nothing(**given: Any) -> Draft:
    """A draft without topics; arguments as `start`."""
    return start(state=empty_state(given["query"]), started_from={"from": "nothing", "words": "nothing"}, **given)


def begin(*, query: Query, user: User) -> tuple[Draft, bool]:
    """Somebody's own draft of a query: the one they work on, or else one from nothing; and whether it is new. Twice at
    once begins one."""
    with transaction.atomic():
        Query.objects.select_for_update().get(pk=query.pk)
        own = query.drafts.filter(curator=user, kind=Draft.Kind.OWN, status=Draft.Status.OPEN, archived_at=None)
        if (found := own.order_by("-pk").first()) is not None:
            return found, False
        return from_nothing(query=query, user=user, kind=Draft.Kind.OWN), True


def from_gold(*, entry: GoldVersionEntry, **given: Any) -> Draft:
    """A draft of what a gold version holds for the query; arguments as `start`."""
    number = entry.version.number
    return start(
        state=from_document(read(entry.gold)),
        started_from={"from": "gold", "version": number, "words": f"gold version {number}"},
        based_on=entry.gold,
        **given,
    )


def from_file(*, document: GoldDocument, **given: Any) -> Draft:
    """A draft of an uploaded hierarchy of the query; arguments as `start`.

    Raises:
        InputError: other pages than the query's, topics that form no hierarchy.
    """
    own = on_own_pages(given["query"], document)
    return start(state=from_document(own), started_from={"from": "document", "words": "an uploaded file"}, **given)


def from_draft(*, source: Draft, **given: Any) -> Draft:
    """A draft of what another of the query holds: topics, pages and outliers, without its suggestions and notes."""
    known = current(source)
    words = f"{_source_words(source)} at r{known.revision}"
    facts = {"from": "draft", "draft": source.pk, "revision": known.revision, "words": words}
    document = to_document(known.state, page_list(given["query"]))
    return start(state=from_document(document), started_from=facts, **given)


def _source_words(source: Draft) -> str:
    """What a copy says it comes from. It may be read by people to whom the source is closed, so only shared drafts are
    called by the name that somebody chose."""
    if source.kind == Draft.Kind.SHARED:
        return f"the draft {source.name!r}"
    return f"the draft of {source.curator.get_username()!r}" if source.curator else "an adjudication"


def _check(name: str, kind: str) -> None:
    problems = []
    if kind not in Draft.Kind.values:
        problems.append(Problem("unknown-kind", "kind", repr(kind), f"one of {', '.join(Draft.Kind.values)}"))
    problems += name_problems(name) if name.strip() else []
    if problems:
        raise InputError(problems)


def name_problems(name: str) -> list[Problem]:
    """Why a draft cannot be called that."""
    name = name.strip()
    if not name:
        return [Problem("no-name", "name", "no name", "a name for the draft")]
    if len(name) > NAME_CHARS:
        return [Problem("long-name", "name", f"{len(name):,} characters", f"at most {NAME_CHARS}")]
    if not name.isprintable():
        return [Problem("bad-name", "name", "line breaks or control characters", "one line of text")]
    return []


def _free_name(query: Query, kind: str, user: User | None) -> str:
    wanted = "shared" if kind == Draft.Kind.SHARED or user is None else user.get_username()
    # Not compared with the names of others' own drafts: a number would tell that one of them is called so.
    seen = query.drafts.filter(Q(kind=Draft.Kind.SHARED) | Q(curator=user))
    taken = set(seen.values_list("name", flat=True))
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    return name

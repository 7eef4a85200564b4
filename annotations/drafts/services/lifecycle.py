"""Start, submit, reopen, archive, restore and rename drafts."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import User
from annotations.collections import storage
from annotations.collections.selectors import page_list_document
from annotations.drafts.selectors.states import CHANGING_FIELDS, current, packed_state
from annotations.drafts.services.errors import draft_closed_error
from annotations.drafts.state_machine import DraftState, from_document, to_document
from annotations.drafts.state_machine.summaries import summary_of
from annotations.gold.selectors import load_gold_document
from annotations.gold.services import with_own_pages
from annotations.limits import NAME_CHARS
from annotations.models import Draft, DraftSnapshot, Gold, GoldVersionEntry, Query
from qc4.model.gold_document import GoldDocument
from qc4.problems import InputError, Problem


def submit(draft: Draft) -> None:
    """Submit a draft: it can no longer be changed, and is no longer blind. A submitted draft stays as it is.

    Raises:
        DraftError: if it is archived.
    """
    _update(draft, status=Draft.Status.SUBMITTED, submitted_at=Now(), where={"status": Draft.Status.OPEN})


def reopen(draft: Draft, by: User | None = None) -> None:
    """Reopen a submitted draft; raises like `submit`. Comparisons of the draft name the person who reopened it."""
    values = {"status": Draft.Status.OPEN, "submitted_at": None, "reopened_by": by, "reopened_at": Now()}
    _update(draft, **values, where={"status": Draft.Status.SUBMITTED})


def archive(draft: Draft) -> None:
    """Archive a draft. Nothing is lost: `restore` brings it back."""
    Draft.objects.filter(pk=draft.pk, archived_at=None).update(archived_at=Now())
    draft.refresh_from_db(fields=CHANGING_FIELDS)


def restore(draft: Draft, *, closed: bool = False) -> None:
    """Restore an archived draft.

    Args:
        closed: True to submit it if it is open.
    """
    with transaction.atomic():
        Draft.objects.filter(pk=draft.pk).update(archived_at=None)
        draft.refresh_from_db(fields=CHANGING_FIELDS)
        if closed:
            submit(draft)


def rename(draft: Draft, name: str) -> None:
    """Rename a draft; raises InputError for an invalid name."""
    if problems := name_problems(name):
        raise InputError(problems)
    Draft.objects.filter(pk=draft.pk).update(name=name.strip())
    draft.refresh_from_db(fields=CHANGING_FIELDS)


def _update(draft: Draft, *, where: dict[str, object], **values: object) -> None:
    Draft.objects.filter(pk=draft.pk, archived_at=None, **where).update(**values)
    draft.refresh_from_db(fields=CHANGING_FIELDS)
    if draft.archived_at is not None:
        raise draft_closed_error(draft.status, archived=True)


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
    """Create a draft whose revision 0 is the given state. An own draft belongs to the user who starts it.

    Args:
        started_from: the source: ``from`` (its kind), ``words`` (for people) and the fields that identify it.
        name: by default the user's name, or "shared", with a number if the query already has such a draft.

    Raises:
        InputError: if the name is too long or not a single line, the kind is unknown, or a quota is reached. Later
            changes to the draft count towards the quota but are never rejected for it, so that nobody loses work.
    """
    _check(name, kind)
    first = packed_state(state)
    storage.check_quota(query.collection.created_by, query.collection, len(first))
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
    """Return a state with the query's pages and nothing else."""
    return from_document(page_list_document(query))


def from_nothing(**given: Any) -> Draft:
    """Start a draft without topics; arguments as for `start`."""
    return start(state=empty_state(given["query"]), started_from={"from": "nothing", "words": "nothing"}, **given)


def begin(*, query: Query, user: User) -> tuple[Draft, bool]:
    """Return the user's open own draft of a query, or start one from nothing; and True if it is new.

    Concurrent calls start only one draft.
    """
    with transaction.atomic():
        Query.objects.select_for_update().get(pk=query.pk)
        own = query.drafts.filter(curator=user, kind=Draft.Kind.OWN, status=Draft.Status.OPEN, archived_at=None)
        if (found := own.order_by("-pk").first()) is not None:
            return found, False
        return from_nothing(query=query, user=user, kind=Draft.Kind.OWN), True


def from_gold(*, entry: GoldVersionEntry, **given: Any) -> Draft:
    """Start a draft from a gold version's contents for the query; arguments as for `start`."""
    number = entry.version.number
    return start(
        state=from_document(load_gold_document(entry.gold)),
        started_from={"from": "gold", "version": number, "words": f"gold version {number}"},
        based_on=entry.gold,
        **given,
    )


def from_file(*, document: GoldDocument, **given: Any) -> Draft:
    """Start a draft from an uploaded hierarchy of the query; arguments as for `start`.

    Raises:
        InputError: if its pages are not the query's pages, or its topics do not form a hierarchy.
    """
    own = with_own_pages(given["query"], document)
    return start(state=from_document(own), started_from={"from": "document", "words": "an uploaded file"}, **given)


def from_draft(*, source: Draft, **given: Any) -> Draft:
    """Start a draft from the topics, pages and outliers of another draft, without its suggestions and notes."""
    known = current(source)
    words = f"{_source_words(source)} at r{known.revision}"
    facts = {"from": "draft", "draft": source.pk, "revision": known.revision, "words": words}
    document = to_document(known.state, page_list_document(given["query"]))
    return start(state=from_document(document), started_from=facts, **given)


def _source_words(source: Draft) -> str:
    """Return how a copy describes its source. People who may not open the source may read this, so only shared drafts
    are described by the name that somebody chose."""
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
    """Return the reasons why a draft cannot have this name."""
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
    # Names of others' own drafts are not compared: a number would reveal that one of them has this name.
    seen = query.drafts.filter(Q(kind=Draft.Kind.SHARED) | Q(curator=user))
    taken = set(seen.values_list("name", flat=True))
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    return name

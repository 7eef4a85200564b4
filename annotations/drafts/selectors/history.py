"""The log of a draft: its latest entries, the entries about a page, and placements that others have removed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery

from accounts.models import User
from annotations.drafts.selectors.states import SNAPSHOT_EVERY
from annotations.limits import HISTORY_ROWS
from annotations.models import Draft, DraftEntry, DraftTouch
from qc4.records import Record


class HistoryRow(NamedTuple):
    """An entry of the log, without its changes. ``skipped`` lists the requested parts that were not done, with
    reasons."""

    revision: int
    by: str
    at: datetime
    label: str
    undoes: int | None
    redoes: int | None
    restores: int | None
    skipped: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class DraftHistory(Record):
    """The log, latest entry first."""

    results: list[HistoryRow]


def history(draft: Draft, *, before: int | None = None, limit: int = HISTORY_ROWS) -> DraftHistory:
    """Return the log of a draft, or the entries before a revision; latest first."""
    entries = draft.entries.order_by("-revision")
    if before is not None:
        entries = entries.filter(revision__lt=before)
    rows = entries.values_list(
        "revision", "user__username", "created_at", "label", "undoes", "redoes", "restores", "skipped"
    )
    return DraftHistory([HistoryRow(*row) for row in rows[:limit]])


# --- Entries about a page ---------------------------------------------------------------------------------------------
# An index finds these entries without reading the log. Large entries are indexed when they are written. Small ones are
# indexed together with the next snapshot, so that placing a page costs no further query. The entries since the latest
# snapshot are therefore read directly.

_LARGE = 100
"""Number of touches from which an entry is indexed at once. Indexing many such entries together would block the
database for long."""
_AT_ONCE = 500
"""Number of pages in one database query."""

_BOOKS = frozenset({"rest+", "rest-", "meant-"})

Touch = tuple[str, str]
"""(page, topic): the topic that the page was put into, or empty."""


def affected_pages(changes: Iterable[Mapping[str, Any]]) -> set[Touch]:
    """Return the pages that an entry affected: once per topic that the page was put into, otherwise once."""
    changes = list(changes)
    put = {(page, change["topic"]) for change in changes if _puts(change) for page in change["pages"]}
    named = {page for page, _ in put}
    return put | {(page, "") for change in changes for page in _pages(change) if page not in named}


def _puts(change: Mapping[str, Any]) -> bool:
    """True if a change puts pages into a topic, or assigns them to a topic that was merged away."""
    return change["c"] == "in+" or (change["c"] == "meant+" and not change["held"])


def _pages(change: Mapping[str, Any]) -> Collection[str]:
    """Return the pages that a change affects. Storing a page elsewhere does not affect it if it stays in all its
    topics."""
    if change["c"] in _BOOKS:
        return ()
    return [change["page"]] if change["c"] == "note" else change.get("pages", ())


def new_index_rows(draft: Draft, entry: DraftEntry) -> list[DraftTouch]:
    """Return the index rows to store with an entry that is already stored: its own, or those of all entries since the
    last snapshot."""
    own = affected_pages(entry.changes)
    if entry.revision % SNAPSHOT_EVERY:
        return _rows(draft, entry.revision, own) if len(own) >= _LARGE else []
    late = unindexed(draft, entry.revision - 1).values_list("revision", "changes")
    found = [(revision, affected_pages(changes)) for revision, changes in late]
    rows = [row for revision, touches in found if len(touches) < _LARGE for row in _rows(draft, revision, touches)]
    return [*rows, *_rows(draft, entry.revision, own)]


def _rows(draft: Draft, revision: int, touches: Iterable[Touch]) -> list[DraftTouch]:
    return [DraftTouch(draft=draft, page=page, revision=revision, topic=topic) for page, topic in touches]


def unindexed(draft: Draft, revision: int) -> QuerySet[DraftEntry]:
    """Return the entries since the snapshot before a revision, up to that revision, in order. Some may be indexed."""
    return draft.entries.filter(revision__gt=_indexed(revision), revision__lte=revision).order_by("revision")


def _indexed(revision: int) -> int:
    """Return the last revision up to which all entries are indexed."""
    return revision - revision % SNAPSHOT_EVERY


def revisions_about(draft: Draft, page: str, limit: int) -> list[int]:
    """Return the revisions that affected a page, latest first."""
    late = unindexed(draft, draft.revision).values_list("revision", "changes")
    found = [revision for revision, changes in late if any(page == each for each, _ in affected_pages(changes))]
    rows = draft.touches.filter(page=page, revision__lte=_indexed(draft.revision)).order_by("-revision")
    return [*reversed(found), *rows.values_list("revision", flat=True).distinct()[:limit]][:limit]


def last_editors(draft: Draft, revision: int, topics: Collection[str], pages: Sequence[str]) -> dict[Touch, int]:
    """Map (page, topic) to the user who last put the page there, up to a revision. Undoing a removal does not count."""
    late = unindexed(draft, revision).filter(operations__isnull=False).values_list("user", "changes")
    found = dict(_indexed_placements(draft, revision, topics, pages))
    for user, changes in late:
        found |= {(page, topic): user for page, topic in affected_pages(changes) if topic in topics}
    return found


def _indexed_placements(
    draft: Draft, revision: int, topics: Collection[str], pages: Sequence[str]
) -> Iterator[tuple[Touch, int]]:
    author = DraftEntry.objects.filter(draft=draft, revision=OuterRef("revision"), operations__isnull=False)
    for first in range(0, len(pages), _AT_ONCE):
        some = draft.touches.filter(page__in=pages[first : first + _AT_ONCE], topic__in=topics)
        rows = some.filter(revision__lte=_indexed(revision)).order_by("revision")
        for page, topic, user in rows.values_list("page", "topic", Subquery(author.values("user"))):
            if user is not None:
                yield (page, topic), user


class Loss(NamedTuple):
    """Pages that a person had put into a topic (its id, and its name then) that someone else's entry deleted."""

    revision: int
    by: str
    at: datetime
    label: str
    topic: str
    name: str
    pages: list[str]


@dataclass(frozen=True, slots=True)
class Losses(Record):
    """Topics that others deleted although you had put pages into them, until you settle them; latest first."""

    results: list[Loss]


def lost_placements(draft: Draft, user: User) -> Losses:
    """Return the person's placements that others have deleted."""
    deleted = DraftEntry.objects.filter(draft=draft, revision=OuterRef("revision"))
    columns = [Subquery(deleted.values(name)) for name in ("user__username", "created_at", "label")]
    rows = draft.losses.filter(user=user, settled_at=None).order_by("-revision", "pk")
    return Losses([Loss(*row) for row in rows.values_list("revision", *columns, "topic", "name", "pages")])

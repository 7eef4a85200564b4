"""The current states of drafts and the authors of their entries, cached in the memory of each process."""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from operator import or_
from threading import Lock, RLock
from typing import Annotated, Any, TypeAlias
from uuid import UUID

from django.db.models import Q

from accounts.models import User
from annotations.drafts.selectors.replay import Log, Step, Undoing, log_of, logs_of, rows
from annotations.drafts.state_machine import DraftState, apply, from_json, to_json
from annotations.models import Draft, DraftEntry
from common.capacity import slow_work
from qc4.records import to_plain

EntryJSON: TypeAlias = Annotated[Mapping[str, Any], DraftEntry]
"""An entry as sent to clients."""
CACHED_DRAFTS = 64
"""Number of drafts cached per process. A draft of 1,000 pages and 200 topics takes about a megabyte."""
CACHED_ENTRIES = 100
"""Number of latest entries cached per draft, so that polling needs no query for them."""
CACHED_WEIGHT = 100_000
"""Maximum total size of these entries, in page ids and characters of text. Hundreds of large steps would fill the
memory."""
READ_AT_ONCE = 100
"""Number of entries per query when the log is searched from its end."""
SNAPSHOT_EVERY = 50
_LIFECYCLE_FIELDS = ("status", "submitted_at", "reopened_at", "reopened_by_id", "archived_at", "name")
CHANGING_FIELDS = ("revision", "head", "summary", "changed_at", *_LIFECYCLE_FIELDS)
"""Fields of a draft's row that change while people work."""


@dataclass(frozen=True, slots=True)
class CachedDraft:
    """A draft at one revision.

    Attributes:
        created_at: creation time of the draft. It distinguishes the draft from a later one with the same id.
        entries: its latest entries as sent to clients, without gaps; bounded in number and size.
    """

    created_at: datetime
    revision: int
    head: UUID
    state: DraftState
    undoing: Undoing
    authors: Authors
    entries: tuple[EntryJSON, ...] = ()

    def after(self, entries: Sequence[DraftEntry]) -> CachedDraft:
        """Return the draft after these next entries are replayed."""
        if not entries:
            return self
        state = self.state
        for entry in entries:
            state = apply(state, entry.changes, entry.revision)
        return self.moved(entries, state)

    def moved(self, entries: Sequence[DraftEntry], state: DraftState) -> CachedDraft:
        """Return the draft after these next entries, whose resulting state is known already."""
        steps = [step_of(entry) for entry in entries]
        return replace(
            self,
            revision=entries[-1].revision,
            head=entries[-1].op_id,
            state=state,
            undoing=self.undoing.after(steps),
            authors=self.authors.after(steps),
            entries=_latest((*self.entries, *map(entry_json, entries))),
        )

    def since(self, revision: int) -> list[EntryJSON] | None:
        """Return the entries after a revision; None if they are not all cached."""
        if self.revision - revision > len(self.entries):
            return None
        return list(self.entries[len(self.entries) - (self.revision - revision) :]) if revision < self.revision else []


class _Memory:
    """The drafts cached by this process, least recently used first, and a lock per draft for threads that change it."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._known: OrderedDict[int, CachedDraft] = OrderedDict()
        self._locks: dict[int, tuple[RLock, int]] = {}

    def get(self, pk: int) -> CachedDraft | None:
        with self._guard:
            known = self._known.get(pk)
            if known is not None:
                self._known.move_to_end(pk)
            return known

    def put(self, pk: int, known: CachedDraft) -> None:
        """Cache a draft, unless a later revision is cached already."""
        with self._guard:
            held = self._known.get(pk)
            if held is None or held.created_at != known.created_at or held.revision <= known.revision:
                self._known[pk] = known
                self._known.move_to_end(pk)
            while len(self._known) > CACHED_DRAFTS:
                self._known.popitem(last=False)

    def drop(self, pk: int) -> None:
        with self._guard:
            self._known.pop(pk, None)

    @contextmanager
    def alone(self, pk: int) -> Iterator[None]:
        """Let only one thread of this process change a draft at a time.

        Raises:
            CrowdedError: if another thread holds the draft, and too many threads of this process are waiting already.
        """
        with self._guard:
            lock, users = self._locks.get(pk, (RLock(), 0))
            self._locks[pk] = lock, users + 1
        try:
            if not lock.acquire(blocking=False):
                with slow_work("waiting for a draft", one_each=False):
                    lock.acquire()
            try:
                yield
            finally:
                lock.release()
        finally:
            with self._guard:
                lock, users = self._locks.pop(pk)
                if users > 1:
                    self._locks[pk] = lock, users - 1


_MEMORY = _Memory()
alone = _MEMORY.alone
cache = _MEMORY.put
drop = _MEMORY.drop


def cached_or_current(draft: Draft) -> CachedDraft:
    """Return the cached draft without checking whether its row is newer; otherwise the same as `current`.

    For callers that detect an outdated state when they write.
    """
    known = _MEMORY.get(draft.pk)
    if known is not None and known.created_at == draft.created_at and known.revision >= draft.revision:
        return known
    return current(draft)


def current(draft: Draft) -> CachedDraft:
    """Return the draft at the revision of its row. A cached draft takes no query, or one for the missing entries.

    If the row is older than the cached draft, the row is refreshed in place.
    """
    known = _MEMORY.get(draft.pk)
    if known is not None and known.created_at == draft.created_at:
        if known.revision > draft.revision:
            draft.refresh_from_db(fields=CHANGING_FIELDS)
        if _is_at(known, draft):
            return known
        caught_up = _caught_up(known, draft)
        if caught_up is not None:
            _MEMORY.put(draft.pk, caught_up)
            return caught_up
    _MEMORY.drop(draft.pk)
    known = replayed(draft)
    _MEMORY.put(draft.pk, known)
    return known


def current_of(drafts: Sequence[Draft]) -> list[CachedDraft]:
    """Return `current` for several drafts, in their order.

    The number of queries for drafts that are not cached does not grow with their number. Drafts cached at an earlier
    revision are read again, unless there is only one.
    """
    found = {draft.pk: current(draft) for draft in drafts if _is_kept(draft)}
    unread = {draft.pk: draft for draft in drafts if draft.pk not in found}
    if len(unread) > 1:
        for pk, log in logs_of(unread.values()).items():
            found[pk] = _replayed(unread[pk], log)
            _MEMORY.drop(pk)
            _MEMORY.put(pk, found[pk])
    return [
        found[draft.pk] if draft.pk in found and _is_at(found[draft.pk], draft) else current(draft) for draft in drafts
    ]


def _is_kept(draft: Draft) -> bool:
    """True if this process has cached the draft at the revision of its row, or a later one."""
    known = _MEMORY.get(draft.pk)
    if known is None or known.created_at != draft.created_at:
        return False
    return known.revision > draft.revision or _is_at(known, draft)


def _is_at(known: CachedDraft, draft: Draft) -> bool:
    return (known.revision, known.head) == (draft.revision, draft.head)


def replayed(draft: Draft, *, start: int | None = None) -> CachedDraft:
    """Return the draft replayed from its latest snapshot (or that of revision ``start``) and the entries after it.

    A later snapshot without marks is skipped, because marks can only be derived by replaying the log from the start.
    """
    return _replayed(draft, log_of(draft, start=start))


def _replayed(draft: Draft, log: Log) -> CachedDraft:
    state = from_json(log.stored, log.pages)
    for entry in log.entries:
        state = apply(state, entry.changes, entry.revision)
    return CachedDraft(
        created_at=draft.created_at,
        revision=draft.revision,
        head=draft.head,
        state=state,
        undoing=Undoing().after(log.steps),
        authors=Authors().after(log.steps),
        entries=_latest(tuple(map(entry_json, log.entries))),
    )


def _latest(entries: tuple[EntryJSON, ...]) -> tuple[EntryJSON, ...]:
    """Return the entries to cache: always the last one, because the response to its author contains it."""
    weight, kept = 0, 0
    for entry in reversed(entries[-CACHED_ENTRIES:]):
        weight += sum(len(change.get("pages", ())) + len(str(change.get("new", ""))) for change in entry["changes"])
        if kept and weight > CACHED_WEIGHT:
            break
        kept += 1
    return entries[-kept:] if kept else ()


def entries_since(draft: Draft, known: CachedDraft, revision: int) -> list[EntryJSON]:
    """Return the entries after a revision as sent to clients; no query if they are cached."""
    kept = known.since(revision)
    if kept is not None:
        return kept
    later = rows(draft).filter(revision__gt=revision, revision__lte=known.revision)
    return [entry_json(row) for row in later]


def latest_first(draft: Draft, known: CachedDraft, revision: int, most: int) -> Iterator[EntryJSON]:
    """Yield at most ``most`` entries after a revision, latest first: cached ones, then a hundred per query."""
    lowest = max(revision, known.revision - most)
    yield from (entry for entry in reversed(known.entries) if entry["revision"] > lowest)
    before = known.revision - len(known.entries) + 1
    while before > lowest + 1:
        found = rows(draft).filter(revision__gt=max(lowest, before - 1 - READ_AT_ONCE), revision__lt=before)
        yield from map(entry_json, found.reverse())
        before = max(lowest + 1, before - READ_AT_ONCE)


def entries_in(draft: Draft, spans: Sequence[Sequence[int]]) -> list[EntryJSON]:
    """Return the entries in the given spans of revisions (first and last), oldest first."""
    if not spans:
        return []
    return [entry_json(row) for row in rows(draft).filter(reduce(or_, (Q(revision__range=span) for span in spans)))]


def entry_json(entry: DraftEntry) -> EntryJSON:
    """Return an entry as sent to clients."""
    found: EntryJSON = to_plain(entry)
    return found


def step_of(entry: DraftEntry) -> Step:
    return Step(entry.revision, entry.user_id, entry.label, entry.undoes, entry.redoes, bool(entry.changes))


def packed_state(state: DraftState) -> bytes:
    """Return a state in the packed form that snapshots store."""
    return zlib.compress(json.dumps(to_json(state), ensure_ascii=False, separators=(",", ":")).encode(), 1)


def _caught_up(known: CachedDraft, draft: Draft) -> CachedDraft | None:
    """Return the cached draft with the entries since; None if it is not an earlier revision of the same log."""
    if known.revision >= draft.revision:
        return None
    first = known.revision if known.revision else 1
    entries = list(rows(draft).filter(revision__gte=first, revision__lte=draft.revision))
    if known.revision and (not entries or entries.pop(0).op_id != known.head):
        return None
    return known.after(entries) if len(entries) == draft.revision - known.revision else None


# --- Authors ----------------------------------------------------------------------------------------------------------
# Authors need little space, so they are cached and sent to browsers.


@dataclass(frozen=True, slots=True)
class Authors:
    """The revisions at which the author changes, and the author from each on. Immutable, so threads can share it."""

    firsts: tuple[int, ...] = ()
    people: tuple[int, ...] = ()

    def after(self, steps: Iterable[Step]) -> Authors:
        """Return the authors after further entries of the log, in log order."""
        firsts, people = list(self.firsts), list(self.people)
        for step in steps:
            if not people or people[-1] != step.user:
                firsts.append(step.revision)
                people.append(step.user)
        return self if len(people) == len(self.people) else Authors(tuple(firsts), tuple(people))

    def of(self, revision: int) -> int | None:
        """Return the id of the user who made an entry; None for the initial contents of the draft."""
        at = bisect_right(self.firsts, revision) - 1
        return self.people[at] if at >= 0 else None


def last_placers(state: DraftState, authors: Authors) -> dict[str, int]:
    """Map page to the user who last placed or confirmed it. Unplaced pages and initial placements are omitted."""
    placed = state.placed() | state.outliers
    found = {page: authors.of(revision) for page, revision in state.touched.items() if page in placed}
    return {page: user for page, user in found.items() if user is not None}


def authors_json(state: DraftState, authors: Authors, viewer: User) -> list[tuple[int, str]]:
    """Return the revisions at which the author changes, and the author's name, for the last placement or confirmation
    of each page.

    Args:
        viewer: the person who views the draft; their own name needs no query.
    """
    found: list[tuple[int, int]] = []
    for revision in sorted(set(state.touched.values())):
        user = authors.of(revision)
        if user is not None and (not found or found[-1][1] != user):
            found.append((revision, user))
    names = {viewer.pk: viewer.get_username()}
    if others := {user for _, user in found} - names.keys():
        names |= dict(User.objects.filter(pk__in=others).values_list("pk", "username"))
    return [(revision, names[user]) for revision, user in found]

"""The log from which a draft is replayed, and each person's undo and redo stacks."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import BooleanField, ExpressionWrapper, F, Q, QuerySet

from annotations.models import Draft, DraftEntry, DraftSnapshot, Page
from qc4.records import Record

# Reads the stored changes of undo and redo entries only, not those of all entries.
HAS_EFFECT = ExpressionWrapper(
    ~(Q(operations__isnull=True, restores__isnull=True) & Q(changes=[])), output_field=BooleanField()
)
"""True if an entry changed anything."""
_STEP = ("revision", "user_id", "label", "undoes", "redoes", HAS_EFFECT)


@dataclass(frozen=True, slots=True)
class Log:
    """A draft as stored in the database, up to the revision of its row.

    Attributes:
        stored: the state of a snapshot, in the form that `annotations.drafts.state_machine.from_json` reads.
        pages: the ids of the query's pages, in order.
        entries: the entries after the snapshot.
        steps: all entries, with the fields that undo and redo need.
    """

    stored: Mapping[str, Any]
    pages: Sequence[str]
    entries: Sequence[DraftEntry]
    steps: Sequence[Step]


@dataclass(frozen=True, slots=True)
class _Start:
    """A snapshot, unpacked."""

    snapshot: DraftSnapshot
    stored: Mapping[str, Any]

    @property
    def is_passed_over(self) -> bool:
        """True for a later snapshot without marks, which can only be derived by replaying the log from the start."""
        return self.snapshot.revision > 0 and "marks" not in self.stored


def log_of(draft: Draft, *, start: int | None = None) -> Log:
    """Return the latest snapshot of a draft (or that of revision ``start``) and the entries after it."""
    snapshots = draft.snapshots.filter(revision__lte=draft.revision)
    snapshot = snapshots.order_by("-revision").first() if start is None else snapshots.get(revision=start)
    if snapshot is None:
        raise _without_snapshot(draft)
    begun = _Start(snapshot, stored_state(snapshot))
    if start is None and begun.is_passed_over:
        return log_of(draft, start=0)
    pages = Page.objects.filter(query=draft.query_id).order_by("position").values_list("key", flat=True)
    log = draft.entries.filter(revision__lte=draft.revision).order_by("revision")
    return Log(
        stored=begun.stored,
        pages=tuple(pages),
        entries=list(rows(draft).filter(revision__gt=snapshot.revision, revision__lte=draft.revision)),
        steps=[Step(*row) for row in log.values_list(*_STEP)],
    )


def logs_of(drafts: Iterable[Draft]) -> dict[int, Log]:
    """Map draft id to its `log_of`; five queries for all drafts, and one more for snapshots without marks."""
    of = {draft.pk: draft for draft in drafts}
    starts = _starts(of)
    pages = _pages({draft.query_id for draft in of.values()})
    entries, steps = _entries(of, starts), _steps(of)
    return {pk: Log(starts[pk].stored, pages[draft.query_id], entries[pk], steps[pk]) for pk, draft in of.items()}


def _starts(of: Mapping[int, Draft]) -> dict[int, _Start]:
    """Map draft id to the snapshot it is replayed from, which is chosen before the states are read."""
    snapshots = DraftSnapshot.objects.filter(draft__in=list(of))
    revisions = snapshots.order_by("revision").values_list("draft_id", "revision", "pk")
    latest = {draft: pk for draft, revision, pk in revisions if revision <= of[draft].revision}
    read = _unpacked(DraftSnapshot.objects.filter(pk__in=list(latest.values())))
    found = {pk: start for pk, start in read.items() if not start.is_passed_over}
    found |= _unpacked(snapshots.filter(draft__in=list(read.keys() - found.keys()), revision=0))
    for pk, draft in of.items():
        if pk not in found:
            raise _without_snapshot(draft)
    return found


def _unpacked(snapshots: QuerySet[DraftSnapshot]) -> dict[int, _Start]:
    return {snapshot.draft_id: _Start(snapshot, stored_state(snapshot)) for snapshot in snapshots}


def _pages(queries: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """Map query id to the ids of its pages, in order."""
    found: dict[int, list[str]] = {query: [] for query in queries}
    of_all = Page.objects.filter(query__in=list(found)).order_by("query_id", "position")
    for query, key in of_all.values_list("query_id", "key"):
        found[query].append(key)
    return {query: tuple(keys) for query, keys in found.items()}


def _entries(of: Mapping[int, Draft], starts: Mapping[int, _Start]) -> dict[int, list[DraftEntry]]:
    """Map draft id to its entries after the snapshot. Entries written after the row was fetched are omitted."""
    found: dict[int, list[DraftEntry]] = {pk: [] for pk in of}
    chosen = [start.snapshot.pk for start in starts.values()]
    # Both conditions must be in one call, so that they apply to the same snapshot.
    later = DraftEntry.objects.filter(draft__snapshots__in=chosen, revision__gt=F("draft__snapshots__revision"))
    for entry in later.select_related("user").order_by("draft_id", "revision"):
        if entry.revision <= of[entry.draft_id].revision:
            found[entry.draft_id].append(entry)
    return found


def _steps(of: Mapping[int, Draft]) -> dict[int, list[Step]]:
    """Map draft id to all entries up to its row's revision, with the fields that undo and redo need."""
    found: dict[int, list[Step]] = {pk: [] for pk in of}
    log = DraftEntry.objects.filter(draft__in=list(of)).order_by("draft_id", "revision")
    for draft, *row in log.values_list("draft_id", *_STEP):
        step = Step(*row)
        if step.revision <= of[draft].revision:
            found[draft].append(step)
    return found


def rows(draft: Draft) -> Any:
    """Return the entries of a draft with their authors, in order."""
    return draft.entries.select_related("user").order_by("revision")


def stored_state(snapshot: DraftSnapshot) -> dict[str, Any]:
    """Return the unpacked state, in the form that `annotations.drafts.state_machine.from_json` reads."""
    found: dict[str, Any] = json.loads(zlib.decompress(bytes(snapshot.state)))
    return found


def _without_snapshot(draft: Draft) -> DraftSnapshot.DoesNotExist:
    return DraftSnapshot.DoesNotExist(f"draft {draft.pk} has no snapshot to replay it from")


# --- Undo and redo stacks ---------------------------------------------------------------------------------------------
# The stacks are immutable linked lists, so threads can share them.


@dataclass(frozen=True, slots=True)
class Step(Record):
    """One entry of a log, with the fields that undo and redo need. ``undoes`` and ``redoes`` are as in `DraftEntry`.

    Attributes:
        effect: True if it changed anything. An undo or redo without effect is skipped for good.
    """

    KEYS = "revision label"

    revision: int
    user: int
    label: str
    undoes: int | None = None
    redoes: int | None = None
    effect: bool = True


@dataclass(frozen=True, slots=True)
class Link:
    """A step on a stack, linked to the steps below it."""

    step: Step
    rest: Link | None = None


@dataclass(frozen=True, slots=True)
class Stacks:
    """One person's steps that can be undone and redone, latest on top.

    ``undone`` holds the undo steps. Redoing means undoing such a step.
    """

    done: Link | None = None
    undone: Link | None = None

    def after(self, step: Step) -> Stacks:
        """Return the stacks after the person's next step."""
        if step.undoes is not None:
            return Stacks(self.done and self.done.rest, Link(step, self.undone) if step.effect else self.undone)
        undone = self.undone and self.undone.rest if step.redoes is not None else None
        return Stacks(Link(step, self.done) if step.effect else self.done, undone)


@dataclass(frozen=True, slots=True)
class Undoing:
    """The undo and redo stacks of everybody who worked on a draft."""

    of: Mapping[int, Stacks] = field(default_factory=dict)

    def after(self, steps: Iterable[Step]) -> Undoing:
        """Return the stacks after further entries of the log, in log order."""
        stacks = dict(self.of)
        for step in steps:
            stacks[step.user] = stacks.get(step.user, Stacks()).after(step)
        return replace(self, of=stacks)

    def undo(self, user: int) -> Step | None:
        """Return the step that this person would undo next."""
        done = self.of.get(user, Stacks()).done
        return done.step if done else None

    def redo(self, user: int) -> Step | None:
        """Return the undo step that this person would redo next."""
        undone = self.of.get(user, Stacks()).undone
        return undone.step if undone else None

"""Change drafts: check a batch against what its sender did not know, write one entry, keep the new state in memory.

An entry is planned outside any transaction on the state in memory, and written only if the draft's head is still the
one it was planned on. Where somebody else was faster, it is planned and written again under the draft's lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from annotations.drafting import DraftState
from annotations.drafting.summaries import summary_of
from annotations.models import Draft, DraftEntry, DraftSnapshot
from annotations.selectors.drafts import states
from annotations.selectors.drafts.stacks import Step
from annotations.selectors.drafts.states import EntryJSON, Known
from annotations.services.drafts.accounts import keep_account
from annotations.services.drafts.errors import DraftError, OvertakenError, closed
from annotations.services.drafts.planning import Asked, Plan, plan
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class Outcome(Record):
    """What a sender gets: the entries after its base up to its own, and the draft as it is after that.

    Attributes:
        revision: of one's own entry.
        known: may be later than the entry where the batch was sent again.
    """

    TITLE = "Performed"
    KEYS = "revision entries undo redo"

    revision: int
    entries: Sequence[EntryJSON]
    known: Known
    user: User

    @property
    def undo(self) -> Step | None:
        """What you would undo next."""
        return self.known.undoing.undo(self.user.pk)

    @property
    def redo(self) -> Step | None:
        """What you would redo next."""
        return self.known.undoing.redo(self.user.pk)


def perform(draft: Draft, user: User, asked: Asked) -> Outcome:
    """Carry out what was asked for, as one entry of the log. What was sent before is not done again.

    Who calls this within a transaction enters `states.alone` before it: memory first, then the database, so that no
    two threads wait for each other.

    Args:
        draft: as fetched for this request; its revision, head and summary are brought up to date.

    Raises:
        ClashError: entries the sender has not seen get in the way.
        DraftError: it cannot be done to this draft; it is not open; the id was used for something else.
    """
    with states.alone(draft.pk):
        try:
            return _attempt(draft, user, asked, locked=False)
        except OvertakenError:
            return _attempt(draft, user, asked, locked=True)
        except DraftError:
            raise
        except BaseException:
            # Whatever happened between the database and the memory: the database is right.
            states.drop(draft.pk)
            raise


def _attempt(draft: Draft, user: User, asked: Asked, *, locked: bool) -> Outcome:
    with transaction.atomic() if locked else nullcontext():
        if locked:
            lock(draft)
        known = states.current(draft) if locked else states.latest(draft)
        if _is_among(asked, known) and (done := _done_before(draft, user, asked)):
            return done
        try:
            planned = _planned(draft, user, asked, known)
            entry = _write(draft, user, asked, known, planned)
        except (DraftError, IntegrityError) as error:
            # Also what was sent before may be refused the second time: it has no effect any more.
            if done := _done_before(draft, user, asked):
                return done
            if not locked and isinstance(error, DraftError):
                _check(draft, known)
            raise
    later = known.moved([entry], planned.state)
    states.keep(draft.pk, later)
    return Outcome(entry.revision, [*planned.missed, later.entries[-1]], later, user)


def _is_among(asked: Asked, known: Known) -> bool:
    """Whether a batch may have been done already: it is among the entries its sender missed, or not all are kept."""
    missed = known.since(asked.base)
    return missed is None or any(entry["id"] == str(asked.op_id) for entry in missed)


def _check(draft: Draft, known: Known) -> None:
    """Refuse nobody for what is in this memory, but not in the database (OvertakenError)."""
    draft.refresh_from_db(fields=states.MOVING)
    if states.current(draft) is not known:
        raise OvertakenError


def lock(draft: Draft) -> None:
    """Fetch the draft's row and hold it, so that nobody can be faster."""
    row = Draft.objects.select_for_update().get(pk=draft.pk)
    for name in states.MOVING:
        setattr(draft, name, getattr(row, name))


def check_open(draft: Draft) -> None:
    """Nothing is done in a draft that is not open (DraftError)."""
    if draft.status != Draft.Status.OPEN or draft.is_archived:
        raise closed(draft.status, archived=draft.is_archived)


def _planned(draft: Draft, user: User, asked: Asked, known: Known) -> Plan:
    check_open(draft)
    missed = states.entries_since(draft, known, asked.base)
    return plan(draft, known, user, asked, missed)


def _write(draft: Draft, user: User, asked: Asked, known: Known, planned: Plan) -> DraftEntry:
    """The entry, stored together with the draft's new head; OvertakenError if the head is not what was planned on."""
    entry = DraftEntry(
        draft=draft,
        revision=known.revision + 1,
        op_id=asked.op_id,
        user=user,
        label=planned.label,
        operations=asked.operations,
        changes=planned.changes,
        undoes=asked.undo,
        redoes=asked.redo,
        restores=asked.restore,
        skipped=[reason._asdict() for reason in planned.skipped],
        created_at=timezone.now(),
    )
    summary = summary_of(planned.state)
    mine = Draft.objects.filter(
        pk=draft.pk, revision=known.revision, head=known.head, status=Draft.Status.OPEN, archived_at=None
    )
    with transaction.atomic():
        moved = {"revision": entry.revision, "head": entry.op_id, "changed_at": entry.created_at, "summary": summary}
        kept = {"stored_bytes": F("stored_bytes") + entry.weight, "stored_rows": F("stored_rows") + 1}
        if not mine.update(**moved, **kept):
            raise OvertakenError
        entry.save(force_insert=True)
        keep_account(draft, entry, known.state)
        if entry.revision % states.SNAPSHOT_EVERY == 0:
            _snapshot(draft, entry.revision, planned.state)
    for name, value in moved.items():
        setattr(draft, name, value)
    return entry


def _snapshot(draft: Draft, revision: int, state: DraftState) -> None:
    DraftSnapshot.objects.create(draft=draft, revision=revision, state=states.packed(state))


def _done_before(draft: Draft, user: User, asked: Asked) -> Outcome | None:
    """The answer to a batch that was done already; None if it is new.

    Raises:
        DraftError: the id stands for something else.
    """
    entry = draft.entries.filter(op_id=asked.op_id).first()
    if entry is None:
        return None
    sent = (user.pk, asked.operations, asked.undo, asked.redo, asked.restore)
    if (entry.user_id, entry.operations, entry.undoes, entry.redoes, entry.restores) != sent:
        raise DraftError(
            "operation-id-used",
            f"The id {asked.op_id} was sent before with something else; that became r{entry.revision}.",
            "Give each batch an id of its own.",
        )
    draft.refresh_from_db(fields=states.MOVING)
    now = states.current(draft)
    entries = states.entries_since(draft, now, min(asked.base, entry.revision - 1))
    return Outcome(entry.revision, [each for each in entries if each["revision"] <= entry.revision], now, user)

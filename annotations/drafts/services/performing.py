"""Apply a batch to a draft: check it, write one entry, and record whose placements it removed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from annotations.drafts.selectors import states
from annotations.drafts.selectors.history import last_editors, new_index_rows
from annotations.drafts.selectors.replay import Step
from annotations.drafts.selectors.states import CachedDraft, EntryJSON
from annotations.drafts.services.errors import DraftError, OvertakenError, draft_closed_error
from annotations.drafts.services.planning import DraftRequest, Plan, plan
from annotations.drafts.state_machine import DraftState
from annotations.drafts.state_machine.summaries import summary_of
from annotations.models import Draft, DraftEntry, DraftLoss, DraftSnapshot, DraftTouch
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class Outcome(Record):
    """The response to a batch: the entries after the sender's base up to the batch's own, and the draft after it.

    Attributes:
        revision: the revision of the batch's own entry.
        known: the draft at that revision, or a later one if the batch was sent again.
    """

    TITLE = "Performed"
    KEYS = "revision entries undo redo"

    revision: int
    entries: Sequence[EntryJSON]
    known: CachedDraft
    user: User

    @property
    def undo(self) -> Step | None:
        """The step that you would undo next."""
        return self.known.undoing.undo(self.user.pk)

    @property
    def redo(self) -> Step | None:
        """The step that you would redo next."""
        return self.known.undoing.redo(self.user.pk)


def perform(draft: Draft, user: User, asked: DraftRequest) -> Outcome:
    """Apply the requested batch as one entry of the log. A batch that was sent before is not applied again.

    Callers within a transaction enter `states.alone` before it. Taking the lock in memory first, then the one in the
    database, prevents deadlocks.

    Args:
        draft: the draft as fetched for this request; its revision, head and summary are updated in place.

    Raises:
        ClashError: if entries that the sender has not seen conflict with the batch.
        DraftError: if the batch cannot be applied, the draft is not open, or the id was used for another batch.
    """
    with states.alone(draft.pk):
        try:
            return _attempt(draft, user, asked, locked=False)
        except OvertakenError:
            return _attempt(draft, user, asked, locked=True)
        except DraftError:
            raise
        except BaseException:
            # If the database and the memory differ now, the database is right.
            states.drop(draft.pk)
            raise


def _attempt(draft: Draft, user: User, asked: DraftRequest, *, locked: bool) -> Outcome:
    with transaction.atomic() if locked else nullcontext():
        if locked:
            lock(draft)
        known = states.current(draft) if locked else states.cached_or_current(draft)
        if _is_among(asked, known) and (done := _done_before(draft, user, asked)):
            return done
        try:
            planned = _planned(draft, user, asked, known)
            entry = _write(draft, user, asked, known, planned)
        except (DraftError, IntegrityError) as error:
            # A batch that was applied before may be rejected the second time, because it would have no effect any more.
            if done := _done_before(draft, user, asked):
                return done
            if not locked and isinstance(error, DraftError):
                _check(draft, known)
            raise
    later = known.moved([entry], planned.state)
    states.cache(draft.pk, later)
    return Outcome(entry.revision, [*planned.missed, later.entries[-1]], later, user)


def _is_among(asked: DraftRequest, known: CachedDraft) -> bool:
    """True if a batch may have been applied before: it is among the entries its sender missed, or not all are
    cached."""
    missed = known.since(asked.base)
    return missed is None or any(entry["id"] == str(asked.op_id) for entry in missed)


def _check(draft: Draft, known: CachedDraft) -> None:
    """Raise OvertakenError if the cached draft is outdated, so that no request is rejected because of it."""
    draft.refresh_from_db(fields=states.CHANGING_FIELDS)
    if states.current(draft) is not known:
        raise OvertakenError


def lock(draft: Draft) -> None:
    """Fetch the draft's row and lock it, so that nobody else can write the next revision."""
    row = Draft.objects.select_for_update().get(pk=draft.pk)
    for name in states.CHANGING_FIELDS:
        setattr(draft, name, getattr(row, name))


def check_open(draft: Draft) -> None:
    """Raise DraftError unless the draft is open."""
    if draft.status != Draft.Status.OPEN or draft.is_archived:
        raise draft_closed_error(draft.status, archived=draft.is_archived)


def _planned(draft: Draft, user: User, asked: DraftRequest, known: CachedDraft) -> Plan:
    check_open(draft)
    missed = states.entries_since(draft, known, asked.base)
    return plan(draft, known, user, asked, missed)


def _write(draft: Draft, user: User, asked: DraftRequest, known: CachedDraft, planned: Plan) -> DraftEntry:
    """Store the entry and the draft's new head together; OvertakenError if the head is not the one that was planned
    on."""
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
        record_effects(draft, entry, known.state)
        if entry.revision % states.SNAPSHOT_EVERY == 0:
            _snapshot(draft, entry.revision, planned.state)
    for name, value in moved.items():
        setattr(draft, name, value)
    return entry


def _snapshot(draft: Draft, revision: int, state: DraftState) -> None:
    DraftSnapshot.objects.create(draft=draft, revision=revision, state=states.packed_state(state))


def _done_before(draft: Draft, user: User, asked: DraftRequest) -> Outcome | None:
    """Return the outcome of a batch that was applied before; None if it is new.

    Raises:
        DraftError: if the id was used for another batch.
    """
    entry = draft.entries.filter(op_id=asked.op_id).first()
    if entry is None:
        return None
    sent = (user.pk, asked.operations, asked.undo, asked.redo, asked.restore)
    if (entry.user_id, entry.operations, entry.undoes, entry.redoes, entry.restores) != sent:
        raise DraftError(
            "operation-id-used",
            f"The id {asked.op_id} was already used for another batch, which became r{entry.revision}.",
            "Use a new id for each batch.",
        )
    draft.refresh_from_db(fields=states.CHANGING_FIELDS)
    now = states.current(draft)
    entries = states.entries_since(draft, now, min(asked.base, entry.revision - 1))
    return Outcome(entry.revision, [each for each in entries if each["revision"] <= entry.revision], now, user)


# --- Records about an entry -------------------------------------------------------------------------------------------


def record_effects(draft: Draft, entry: DraftEntry, before: DraftState) -> None:
    """Store removed placements and touched pages, in the entry's transaction; ``before`` is the state before the
    entry."""
    deleted = {change["topic"]["id"] for change in entry.changes if change["c"] == "topic-"}
    if lost := _lost(entry, deleted):
        DraftLoss.objects.bulk_create(_losses(draft, entry, lost, before))
    if entry.restores is not None:
        settle_losses(draft, [entry.restores])
    DraftTouch.objects.bulk_create(new_index_rows(draft, entry))


def settle_losses(draft: Draft, revisions: Collection[int] | None = None, user: User | None = None) -> None:
    """Mark placements removed by these revisions (None: all) as settled, for everybody or only for this person."""
    rows = draft.losses.filter(settled_at=None)
    if user is not None:
        rows = rows.filter(user=user)
    if revisions is not None:
        rows = rows.filter(revision__in=revisions)
    rows.update(settled_at=timezone.now())


def _lost(entry: DraftEntry, deleted: set[str]) -> dict[str, list[str]]:
    """Map each deleted topic to the pages it removed. A merge (or its redo) keeps the pages of a topic together."""
    merged = {
        topic for operation in entry.operations or () if operation["kind"] == "merge" for topic in operation["topics"]
    }
    turned = entry.changes if entry.operations is None else []
    kept = {page for change in turned if change["c"] == "in+" for page in change["pages"]}
    found: dict[str, list[str]] = defaultdict(list)
    for change in entry.changes:  # an entry may take pages out of one topic several times
        if change["c"] == "in-" and change["topic"] in deleted - merged:
            found[change["topic"]] += [page for page in change["pages"] if page not in kept]
    return found


def _losses(draft: Draft, entry: DraftEntry, lost: dict[str, list[str]], before: DraftState) -> list[DraftLoss]:
    pages_lost = list({page for pages in lost.values() for page in pages})
    placed = last_editors(draft, entry.revision - 1, lost.keys(), pages_lost)
    found: dict[tuple[int, str], list[str]] = defaultdict(list)
    for topic, pages in lost.items():
        for page in pages:
            user = placed.get((page, topic))
            if user is not None and user != entry.user_id:
                found[user, topic].append(page)
    return [
        DraftLoss(
            draft=draft,
            user_id=user,
            revision=entry.revision,
            topic=topic,
            name=before.topics[topic].name,
            pages=pages,
        )
        for (user, topic), pages in found.items()
    ]

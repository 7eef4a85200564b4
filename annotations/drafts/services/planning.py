"""Plan the next entry of a draft's log from operations, or from the inverse of an earlier entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self
from uuid import UUID

from accounts.models import User
from annotations.drafts.selectors import states
from annotations.drafts.selectors.replay import Step
from annotations.drafts.selectors.states import CachedDraft, EntryJSON, latest_first
from annotations.drafts.services.errors import ConflictError, DraftError, OvertakenError
from annotations.drafts.state_machine import (
    DraftState,
    OperationError,
    SkippedPart,
    UnseenEntries,
    apply,
    former_name,
    invert,
    is_caused_by,
    label_of,
    may_conflict,
    rebase_changes,
)
from annotations.limits import SEARCHED_ENTRIES, SKIPPED_REASONS, STORED_LABEL_CHARS
from annotations.models import Draft, DraftEntry
from qc4.wording import clipped, counted

# --- Reasons why a part was skipped -----------------------------------------------------------------------------------


class Reason(NamedTuple):
    """What was skipped and why; ``by`` and ``revision`` name the entry that decided otherwise, if it is known."""

    message: str
    by: str | None = None
    revision: int | None = None

    @classmethod
    def of(cls, message: str, entry: Mapping[str, Any]) -> Self:
        return cls(message, entry["by"], entry["revision"])


def reasons_for_skipped(draft: Draft, known: CachedDraft, left: Sequence[SkippedPart], since: int) -> list[Reason]:
    """Return why parts of undoing a revision were skipped, each with the latest entry that changed it, if found
    soon."""
    told = list(left[:SKIPPED_REASONS])
    found: dict[SkippedPart, EntryJSON] = {}
    if told:
        for entry in latest_first(draft, known, since, SEARCHED_ENTRIES):
            found |= {each: entry for each in told if each not in found and is_caused_by(each, entry)}
            if len(found) == len(told):
                break
    return list(dict.fromkeys(_reason(each, found.get(each)) for each in told))


def _reason(left: SkippedPart, entry: EntryJSON | None) -> Reason:
    if entry is None:
        return Reason(left.sentence())
    sentence = left.sentence(former_name(left.topic, entry)).removesuffix(".")
    return Reason.of(f"{sentence} ({entry['by']}: {entry['label']}).", entry)


UNDO, REDO, RESTORE = "Undo: ", "Redo: ", "Restore: "


# --- The plan ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DraftRequest:
    """A person's request to a draft: operations, or one revision to undo, redo or restore; exactly one of the four.

    Attributes:
        op_id: id chosen by the sender; a batch with an id that was applied before has no effect.
        base: the revision that the sender has.
        restore: the revision, by anybody, that deleted topics or merged them away.
        unseen: spans of revisions (first and last) that the sender had not seen when they did this.
    """

    op_id: UUID
    base: int
    operations: list[dict[str, Any]] | None = None
    undo: int | None = None
    redo: int | None = None
    restore: int | None = None
    unseen: Sequence[Sequence[int]] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The next entry, the state after it, the entries its sender had not seen, and the skipped parts with reasons."""

    label: str
    changes: list[dict[str, Any]]
    state: DraftState
    missed: Sequence[EntryJSON]
    skipped: list[Reason]


PlannedChanges = tuple[str, list[dict[str, Any]], list[Reason]]
"""Label, changes, and the skipped parts with reasons."""


def plan(draft: Draft, known: CachedDraft, user: User, asked: DraftRequest, missed: Sequence[EntryJSON]) -> Plan:
    """Return the entry that applies the request.

    Args:
        missed: the entries after the sender's base.

    Raises:
        ClashError: if an entry that the sender had not seen conflicts.
        DraftError: if the operations cannot be applied, there is no such step to undo, or the base is unknown.
    """
    if asked.base > known.revision:
        raise DraftError(
            "unknown-base",
            f"This draft is at r{known.revision}; it has no r{asked.base}.",
            "Load the draft again.",
        )
    if asked.operations is not None:
        label, changes, skipped = _compiled(draft, known, user, asked, missed)
    elif asked.restore is not None:
        label, changes, skipped = _restored(draft, known, user, asked, missed)
    else:
        label, changes, skipped = _inverse(draft, known, user, asked, missed)
    state = apply(known.state, changes, known.revision + 1)
    return Plan(clipped(label, STORED_LABEL_CHARS), changes, state, missed, skipped)


def _compiled(
    draft: Draft, known: CachedDraft, user: User, asked: DraftRequest, missed: Sequence[EntryJSON]
) -> PlannedChanges:
    """Return the changes that the operations make, unless entries that the sender had not seen conflict."""
    operations = asked.operations or []
    news = _news(draft, known, user, asked, missed if may_conflict(known.state, operations) else None)
    if found := news.conflicting_entries(operations):
        blamed = [_blamed(each, news.also_placed(operations, each)) for each in found]
        sentence = " ".join(map(_clash_sentence, blamed))
        fix = "Check what changed, then try again."
        raise ConflictError("clash", sentence, fix, known.revision, missed, blamed)
    try:
        skipped = news.kept_placements(operations)
        operations, changes = news.compiled(operations)
    except OperationError as error:
        raise DraftError(error.code, error.message, error.fix, operation=error.index) from error
    return label_of(known.state, operations), changes, [Reason.of(*each) for each in skipped]


def _news(
    draft: Draft, known: CachedDraft, user: User, asked: DraftRequest, missed: Sequence[EntryJSON] | None
) -> UnseenEntries:
    """Return the entries that the sender had not seen; ``missed`` is None if none of them matters."""
    unseen = [] if missed is None else [*states.entries_in(draft, asked.unseen), *missed]
    return UnseenEntries(known.state, unseen, user.get_username())


def _blamed(entry: Mapping[str, Any], also: int) -> dict[str, Any]:
    """Return a conflicting entry as the response describes it.

    Its field ``gone`` lists the topics it deleted or merged away. ``also`` is the number of further pages that its
    author has put there in other entries that the sender had not seen.
    """
    gone = [change["topic"]["id"] for change in entry["changes"] if change["c"] == "topic-"]
    return {**{key: entry[key] for key in ("revision", "by", "label")}, "gone": gone, "also": also}


def _clash_sentence(clash: Mapping[str, Any]) -> str:
    also = f", and {counted(clash['also'], 'page')} more before" if clash["also"] else ""
    return f"Meanwhile {clash['by']}: {clash['label']}{also} (r{clash['revision']})."


def _inverse(
    draft: Draft, known: CachedDraft, user: User, asked: DraftRequest, missed: Sequence[EntryJSON]
) -> PlannedChanges:
    """Return the changes that still undo or redo the person's latest step. They may be empty: the step is then
    skipped."""
    verb = "undo" if asked.undo is not None else "redo"
    wanted = asked.undo if asked.undo is not None else asked.redo
    step = known.undoing.undo(user.pk) if verb == "undo" else known.undoing.redo(user.pk)
    if step is None or step.revision != wanted:
        found = f"that is r{step.revision}, {step.label!r}" if step else "there is none"
        raise DraftError(
            f"not-the-latest-{verb}",
            f"r{wanted} is not what you would {verb} next: {found}.",
            f"Send the revision that the draft names in its field {verb!r}.",
        )
    entry = draft.entries.only("changes", "revision").filter(revision=step.revision).first()
    if entry is None:  # the cached entry was rolled back
        raise OvertakenError
    placed = _news(draft, known, user, asked, missed).placed
    fit = rebase_changes(known.state, invert(entry.changes), placed)
    left = reasons_for_skipped(draft, known, fit.left, step.revision)
    return _inverse_label(step, verb, bool(fit.changes)), fit.changes, left


def _inverse_label(step: Step, verb: str, effect: bool) -> str:
    """Return ``Undo: Merge A into B``. Undoing a redone step uses the label of the original step."""
    bare = step.label.removeprefix(UNDO).removeprefix(REDO)
    if not effect:
        return f"Could not {verb}: {bare}"
    return f"{UNDO if verb == 'undo' else REDO}{bare}"


def _restored(
    draft: Draft, known: CachedDraft, user: User, asked: DraftRequest, missed: Sequence[EntryJSON]
) -> PlannedChanges:
    """Return the changes that restore topics that an entry deleted or merged away, with their pages, as far as
    possible."""
    revision = asked.restore or 0
    entry = DraftEntry.objects.filter(draft=draft, revision=revision).first()
    if entry is None or not any(change["c"] == "topic-" for change in entry.changes):
        raise DraftError(
            "nothing-to-restore",
            f"r{revision} of this draft did not delete a topic.",
            "Send the revision of an entry that deleted topics or merged them away.",
        )
    fit = rebase_changes(known.state, invert(entry.changes), _news(draft, known, user, asked, missed).placed)
    left = reasons_for_skipped(draft, known, fit.left, entry.revision)
    if not fit.changes:
        raise DraftError("no-effect", " ".join(each.message for each in left))
    return f"{RESTORE}{entry.label.removeprefix(UNDO).removeprefix(REDO)}", fit.changes, left

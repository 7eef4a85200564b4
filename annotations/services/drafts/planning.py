"""What one entry will be: compiled from operations, or the inverse of an earlier entry. Nothing is written here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from accounts.models import User
from annotations.drafting import (
    DraftState,
    MisfitError,
    News,
    OperationError,
    apply,
    at_stake,
    changed_by,
    compile_batch,
    fitted,
    invert,
    label_of,
)
from annotations.limits import KEPT_LABEL_CHARS
from annotations.models import Draft
from annotations.selectors.drafts import states
from annotations.selectors.drafts.stacks import Step
from annotations.selectors.drafts.states import Known
from annotations.services.drafts.errors import ClashError, DraftError

UNDO, REDO = "Undo: ", "Redo: "


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks of a draft: operations, or to undo or redo one revision; exactly one of the three.

    Attributes:
        op_id: made by the sender; sending it again does nothing again.
        base: the revision the sender has.
        unseen: entries up to there that were not known when this was done, as spans of revisions: first and last.
    """

    op_id: UUID
    base: int
    operations: list[dict[str, Any]] | None = None
    undo: int | None = None
    redo: int | None = None
    unseen: Sequence[Sequence[int]] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The next entry, the state after it, and the entries its sender had not seen."""

    label: str
    changes: list[dict[str, Any]]
    state: DraftState
    missed: Sequence[Mapping[str, Any]]


def plan(draft: Draft, known: Known, user: User, asked: Asked, missed: Sequence[Mapping[str, Any]]) -> Plan:
    """The entry that carries out what was asked for.

    Args:
        missed: the entries after the sender's base.

    Raises:
        ClashError: a missed entry gets in the way; later entries keep an undo from fitting.
        DraftError: the operations cannot be carried out; there is nothing like that to undo; the base is unknown.
    """
    if asked.base > known.revision:
        raise DraftError(
            "unknown-base",
            f"This draft is at r{known.revision}; it has no r{asked.base}.",
            "Load the draft again.",
        )
    if asked.operations is not None:
        label, changes, state = _compiled(draft, known, asked, missed)
    else:
        label, changes, state = _inverse(draft, known, user, asked, missed)
    return Plan(label[:KEPT_LABEL_CHARS], changes, state, missed)


def _compiled(
    draft: Draft, known: Known, asked: Asked, missed: Sequence[Mapping[str, Any]]
) -> tuple[str, list[dict[str, Any]], DraftState]:
    """Label, changes and the state after operations, unless what their sender had not seen gets in the way."""
    operations = asked.operations or []
    unseen = [*states.entries_in(draft, asked.unseen), *missed] if at_stake(known.state, operations) else []
    news = News(known.state, unseen)
    if found := news.in_the_way(operations):
        sentence = " ".join(f"Meanwhile {each['by']}: {each['label']} (r{each['revision']})." for each in found)
        raise ClashError("clash", sentence, "Look at what was changed, and do it again.", known.revision, missed)
    try:
        operations = news.followed(operations)
        changes = compile_batch(known.state, operations)
    except OperationError as error:
        raise DraftError(error.code, error.message, error.fix, operation=error.index) from error
    return label_of(known.state, operations), changes, apply(known.state, changes, known.revision + 1)


def _inverse(
    draft: Draft, known: Known, user: User, asked: Asked, missed: Sequence[Mapping[str, Any]]
) -> tuple[str, list[dict[str, Any]], DraftState]:
    """Label, changes and the state after undoing or redoing the person's latest step."""
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
    entry = draft.entries.only("changes", "revision").get(revision=step.revision)
    try:
        changes = fitted(known.state, invert(entry.changes))
    except OperationError as error:
        raise _blocked(draft, known, step, error, missed) from error
    label = _inverse_label(step, verb)
    return label, changes, apply(known.state, changes, known.revision + 1)


def _blocked(
    draft: Draft, known: Known, step: Step, error: OperationError, missed: Sequence[Mapping[str, Any]]
) -> ClashError:
    """409 that names who changed what since."""
    since = states.entries_since(draft, known, step.revision)
    by = changed_by(error, since) if isinstance(error, MisfitError) else None
    who = f" {by['by']} did that in r{by['revision']}: {by['label']}." if by else ""
    return ClashError(error.code, f"{error.message}{who}", error.fix, known.revision, missed)


def _inverse_label(step: Step, verb: str) -> str:
    """``Undo: Merge A into B``; undoing what was redone speaks of the first thing again."""
    bare = step.label.removeprefix(UNDO).removeprefix(REDO)
    return f"{UNDO if verb == 'undo' else REDO}{bare}"

"""Operations of people on a draft, compiled into changes.

`static/js/drafts/operations.js` does the same in the browser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotations.drafts.state_machine.changes import Change
from annotations.drafts.state_machine.editing import Edit, OperationError, no_effect

# Importing a family registers its operations.
from annotations.drafts.state_machine.operations import placements, topics  # noqa: F401
from annotations.drafts.state_machine.operations.registry import KINDS, Fields, Operation
from annotations.drafts.state_machine.state import DraftState
from annotations.limits import BATCH_OPERATIONS, BATCH_PAGES, DRAFT_PLACEMENTS
from qc4.model.structure import MAX_LEVELS
from qc4.wording import quoted

__all__ = ["KINDS", "Operation", "compile", "compile_batch"]


def compile(state: DraftState, operation: Mapping[str, Any]) -> list[Change]:
    """Return the changes that apply one operation to a state.

    Raises:
        OperationError: if it cannot be applied; ``no-effect`` if it would change nothing.
    """
    return compile_batch(state, [operation])


def compile_batch(state: DraftState, operations: Sequence[Mapping[str, Any]]) -> list[Change]:
    """Return the changes of operations that are applied one after the other, as one entry of the log.

    Operations without effect are skipped.

    Raises:
        OperationError: for the first operation that cannot be applied (``index`` says which); ``no-effect`` if all of
            them together would change nothing.
    """
    if not isinstance(operations, list | tuple) or not operations:
        raise OperationError("no-operations", "There are no operations.", "Send a list of at least one operation.")
    if len(operations) > BATCH_OPERATIONS:
        raise OperationError(
            "too-many", f"{len(operations):,} operations at once.", f"Send at most {BATCH_OPERATIONS:,}."
        )
    edit = Edit(state, BATCH_PAGES)
    for index, operation in enumerate(operations):
        try:
            _carry_out(edit, operation)
        except OperationError as error:
            error.index = index
            raise
    if not edit.changes:
        raise no_effect()
    _refuse_too_full(state, edit)
    return edit.changes


def _refuse_too_full(before: DraftState, edit: Edit) -> None:
    """Raise OperationError for too many placements. A draft that exceeds the limit after an undo can still be
    reduced."""
    if not any(change["c"] in {"in+", "hint+"} for change in edit.changes):
        return
    placed = _n_placed(edit.state)
    if placed > DRAFT_PLACEMENTS and placed > _n_placed(before):
        message = f"The topics would hold {placed:,} pages, each counted once per topic."
        raise OperationError("too-many-pages", message, f"At most {DRAFT_PLACEMENTS:,} are possible.")


def _n_placed(state: DraftState) -> int:
    return sum(len(pages) for table in (state.members, state.hints) for pages in table.values())


def _carry_out(edit: Edit, operation: Any) -> None:
    kind = operation.get("kind") if isinstance(operation, Mapping) else None
    if not isinstance(kind, str) or kind not in KINDS:
        known = ", ".join(sorted(KINDS))
        raise OperationError("unknown-operation", f"There is no operation {quoted(str(kind))}.", f"Known are {known}.")
    names, editor = KINDS[kind]
    before = len(edit.changes)
    editor(edit, Fields(operation, edit.state, ("kind", *names), kind))
    refuse_too_deep(edit.state, edit.changes[before:])


def refuse_too_deep(state: DraftState, changes: Sequence[Change]) -> None:
    """Raise OperationError if these changes lead to more levels than a document may have."""
    moved = {topic for change in changes if (topic := _moved(change)) and topic in state.topics}
    deepest = max(map(state.deepest_start, moved), default=1)
    if deepest > MAX_LEVELS:
        message = f"The hierarchy would have {deepest:,} levels."
        raise OperationError("too-deep", message, f"At most {MAX_LEVELS} are possible: use fewer or smaller steps.")


def _moved(change: Change) -> str | None:
    """Return the topic whose level, and whose descendants' levels, a change may affect."""
    if change["c"] == "topic+":
        return str(change["topic"]["id"])
    moves = change["c"] == "place" or (change["c"] == "set" and change["field"] == "step")
    return str(change["topic"]) if moves else None

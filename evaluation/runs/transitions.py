"""The only place where a run changes its state: one conditional UPDATE and one event, together or not at all."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.limits import USERNAME_CHARS
from evaluation.models import Run, RunEvent

State = Run.State

EXITS: dict[str, frozenset[str]] = {
    State.QUEUED: frozenset({State.RUNNING, State.CANCELLED}),
    State.RUNNING: frozenset({State.QUEUED, State.DONE, State.FAILED, State.CANCELLED}),
    State.DONE: frozenset(),
    State.FAILED: frozenset(),
    State.CANCELLED: frozenset(),
}
"""State -> the states it may change to. An ended run never changes again; a re-run is a new row."""


def transition(
    run_id: int, from_state: str, to_state: str, *, actor: str, why: str, only_if: Q | None = None, **values: Any
) -> bool:
    """Move a run from one state to another, if it still is in the first and ``only_if`` holds.

    Returns:
        Whether this call did it. Of several that try at once exactly one does.
    """
    if to_state not in EXITS[from_state]:
        raise ValueError(f"a run does not go from {from_state} to {to_state}")
    values = {**_entering(to_state), **values}
    with transaction.atomic():
        rows = Run.objects.filter(only_if or Q(), pk=run_id, state=from_state)
        if not rows.update(state=to_state, **values):
            return False
        record(run_id, actor=actor, why=why, from_state=from_state, to_state=to_state)
    return True


def record(run_id: int, *, actor: str, why: str, from_state: str = "", to_state: str = "") -> None:
    """Append an event to the run's log; without states it is a remark."""
    attempt = Run.objects.values_list("attempts", flat=True).get(pk=run_id)
    RunEvent.objects.create(
        run_id=run_id, actor=actor[:USERNAME_CHARS], from_state=from_state, to_state=to_state, why=why, attempt=attempt
    )


def _entering(state: str) -> dict[str, Any]:
    """The columns that belong to being in a state (held by constraints of the table)."""
    if state == State.QUEUED:
        return {"lease_until": None, "heartbeat_at": None, "worker": "", "woken_at": None, "step": ""}
    if state in Run.ENDED:
        return {"lease_until": None, "finished_at": Now()}
    return {}

"""No combination of state, flags, lease, attempts and calls leaves a run stuck."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from django.db.models.functions import Now
from pytest_django import Settings

from evaluation.jobs.sweeper import sweep
from evaluation.models import Run
from evaluation.runs.lease import claim
from evaluation.runs.transitions import EXITS, State, transition
from evaluation.runs.workers import Pool, say_alive
from work.clock import from_now

ERROR = {"code": "x", "sentence": "x", "where": "", "fix": "", "problems": []}

WAITING = product(
    [State.QUEUED], [False, True], [None], [0, 1, 4], [None, -100_000], [None, -100_000], [True, False]
)  # fmt: skip
WORKING = product([State.RUNNING], [False, True], [-1, 60], [1, 4], [None, -100_000], [-1, -100_000], [True, False])
COMBINATIONS = [*WAITING, *WORKING]


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Wake-up calls sent; nothing goes to a broker."""
    sent: list[int] = []
    monkeypatch.setattr("evaluation.runs.wakeups.send", lambda task, arguments, queue: sent.append(arguments[0]) or 1)
    return sent


def make(state: str, cancel: bool, lease: int | None, attempts: int, woken: int | None, started: int | None) -> Run:
    def ago(seconds: int | None) -> Any:
        return None if seconds is None else from_now(seconds)

    run = Run.objects.create(kind=Run.Kind.IMPORT)
    ended = {"finished_at": Now(), "error": ERROR if state == State.FAILED else None} if state in Run.ENDED else {}
    Run.objects.filter(pk=run.pk).update(
        state=state, cancel_requested=cancel, lease_until=ago(lease), attempts=attempts, token=attempts,
        woken_at=ago(woken), started_at=ago(started), **ended,
    )  # fmt: skip
    return run


@pytest.mark.parametrize(("state", "cancel", "lease", "attempts", "woken", "started", "served"), COMBINATIONS)
def test_it_ends_although_every_worker_dies(
    state: str, cancel: bool, lease: int | None, attempts: int, woken: int | None, started: int | None, served: bool,
    calls: list[int], settings: Settings, db: None,
) -> None:  # fmt: skip
    """Sweeps alone, and workers that claim what they are called for and fall silent, end every run."""
    if served:
        say_alive("somebody", Pool(("interactive",), 1))
    run = make(state, cancel, lease, attempts, woken, started)
    for _ in range(2 * settings.JOB_MAX_ATTEMPTS + 2):
        sweep()
        if run.pk in calls:
            calls.clear()
            claim(run.pk, "mayfly")
        Run.objects.filter(pk=run.pk, state=State.RUNNING).update(lease_until=from_now(-1))
    run.refresh_from_db()
    assert run.has_ended
    assert run.state == (State.CANCELLED if cancel else State.FAILED)


@pytest.mark.parametrize("state", sorted(Run.ENDED))
@pytest.mark.parametrize("cancel", [False, True])
def test_an_ended_run_is_left_alone(state: str, cancel: bool, db: None, calls: list[int]) -> None:
    run = make(state, cancel, None, 1, None, -100_000)
    before = Run.objects.values().get(pk=run.pk)
    assert not any(sweep().values())
    assert claim(run.pk, "late") is None
    assert Run.objects.values().get(pk=run.pk) == before
    assert calls == []


@pytest.mark.parametrize(
    ("start", "end"), [(start, end) for start, end in product(State.values, State.values) if end not in EXITS[start]]
)
def test_only_the_documented_changes_of_state_are_possible(start: str, end: str, db: None) -> None:
    run = Run.objects.create(kind=Run.Kind.IMPORT)
    with pytest.raises(ValueError, match="does not go from"):
        transition(run.pk, start, end, actor="test", why="")


def test_a_run_within_its_lease_is_left_to_its_worker(db: None, settings: Settings) -> None:
    run = Run.objects.create(kind=Run.Kind.IMPORT)
    lease = claim(run.pk, "busy")
    assert lease is not None
    assert not any(sweep().values())
    lease.extend()


def test_a_run_over_its_time_limit_fails_and_its_worker_is_fenced_off(db: None, settings: Settings) -> None:
    run = make(State.RUNNING, False, 60, 1, None, -100_000)
    sweep()
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (State.FAILED, "time-limit")
    assert "6 hours" in run.error["sentence"]


def test_a_call_is_repeated_only_after_a_while_and_for_few_runs_at_once(db: None, calls: list[int]) -> None:
    say_alive("somebody", Pool(("interactive",), 1))
    made = [make(State.QUEUED, False, None, 0, None, None).pk for _ in range(25)]
    sweep()
    assert calls == made[:20]
    sweep()
    assert calls == made
    sweep()
    assert calls == made

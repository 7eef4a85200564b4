"""No combination of state, flags, lease, attempts and calls leaves a run stuck."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from django.db.models.functions import Now
from pytest_django import Settings

from evaluation.models import Run
from evaluation.runs.source import SOURCE
from work.background import sweep
from work.clock import from_now
from work.leases import TRANSITIONS, State, claim, transition

ERROR = {"code": "x", "sentence": "x", "where": "", "fix": "", "problems": []}

WAITING = product([State.QUEUED], [None], [0, 1, 4], [None, -100_000])
WORKING = product([State.RUNNING], [-1, 60, 100_000], [1, 4], [-1, -100_000])
COMBINATIONS = [*WAITING, *WORKING]


def make(state: str, lease: int | None, attempts: int, started: int | None) -> Run:
    def ago(seconds: int | None) -> Any:
        return None if seconds is None else from_now(seconds)

    run = Run.objects.create(kind=Run.Kind.IMPORT)
    ended = {"finished_at": Now(), "error": ERROR if state == State.FAILED else None} if state in Run.ENDED else {}
    Run.objects.filter(pk=run.pk).update(
        state=state, lease_until=ago(lease), attempts=attempts, token=attempts, started_at=ago(started), **ended
    )
    return run


@pytest.mark.parametrize(("state", "lease", "attempts", "started"), COMBINATIONS)
def test_run_ends_even_if_every_worker_dies(
    state: str, lease: int | None, attempts: int, started: int | None, settings: Settings, db: None
) -> None:
    """Recovery tasks alone, with workers that claim waiting runs and go silent, end every run."""
    run = make(state, lease, attempts, started)
    for _ in range(settings.JOB_MAX_ATTEMPTS + 2):
        sweep()
        SOURCE.claim("mayfly", run.queue)
        Run.objects.filter(pk=run.pk, state=State.RUNNING).update(lease_until=from_now(-1))
    run.refresh_from_db()
    assert run.has_ended
    assert run.state == State.FAILED


@pytest.mark.parametrize("state", sorted(Run.ENDED))
def test_ended_run_does_not_change(state: str, db: None) -> None:
    run = make(state, None, 1, -100_000)
    before = Run.objects.values().get(pk=run.pk)
    assert not any(sweep().values())
    assert claim(Run, run.pk, "late") is None
    assert Run.objects.values().get(pk=run.pk) == before


@pytest.mark.parametrize(
    ("start", "end"),
    [(start, end) for start, end in product(State.values, State.values) if end not in TRANSITIONS[start]],
)
def test_only_the_documented_changes_of_state_are_possible(start: str, end: str, db: None) -> None:
    run = Run.objects.create(kind=Run.Kind.IMPORT)
    with pytest.raises(ValueError, match="cannot change from"):
        transition(Run, run.pk, start, end, actor="test", why="")


def test_run_within_its_lease_stays_with_its_worker(db: None, settings: Settings) -> None:
    run = Run.objects.create(kind=Run.Kind.IMPORT)
    lease = claim(Run, run.pk, "busy")
    assert lease is not None
    assert not any(sweep().values())
    lease.extend()


def test_run_over_its_time_limit_fails_and_fences_off_its_worker(db: None, settings: Settings) -> None:
    run = make(State.RUNNING, 60, 1, -100_000)
    sweep()
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (State.FAILED, "time-limit")
    assert "6 hours" in run.error["sentence"]

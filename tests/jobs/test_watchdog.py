"""A pool that is stuck is noticed; one that is busy, idle or cut off from its broker is left alone."""

from __future__ import annotations

import pytest
from django.db.models.functions import Now

from evaluation.jobs.lease import claim
from evaluation.jobs.watchdog import PATIENCE_SECONDS, Watchdog
from evaluation.models import Run

pytestmark = pytest.mark.django_db


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def waits_long(watchdog: Watchdog, clock: Clock) -> bool:
    """What it says after its whole patience, asked every 15 seconds."""
    found = False
    end = clock.now + PATIENCE_SECONDS + 15
    while clock.now < end:
        clock.now += 15
        found = watchdog.is_stuck()
    return found


def queue_a_run(*, called: bool, queue: str = "interactive") -> Run:
    run = Run.objects.create(kind=Run.Kind.IMPORT, queue=queue)
    if called:
        Run.objects.filter(pk=run.pk).update(woken_at=Now())
    return run


def test_a_worker_that_ignores_its_calls_is_stuck() -> None:
    clock = Clock()
    watchdog = Watchdog("me", ["interactive"], clock)
    queue_a_run(called=True)
    assert not watchdog.is_stuck()
    assert waits_long(watchdog, clock)


def test_a_worker_without_work_is_not() -> None:
    clock = Clock()
    watchdog = Watchdog("me", ["interactive"], clock)
    queue_a_run(called=False)
    queue_a_run(called=True, queue="bulk")
    assert not waits_long(watchdog, clock)


def test_a_worker_with_a_long_run_is_not() -> None:
    clock = Clock()
    watchdog = Watchdog("me", ["interactive"], clock)
    claim(queue_a_run(called=True).pk, "me")
    queue_a_run(called=True)
    assert not waits_long(watchdog, clock)

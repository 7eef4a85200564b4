"""A pool that is stuck is noticed; one that is busy, idle or cut off from its broker is left alone."""

from __future__ import annotations

import pytest
from django.db.models.functions import Now

from evaluation.jobs.watchdog import PATIENCE_SECONDS, PoolWatchdog, Watchdog
from evaluation.models import Run
from evaluation.runs.lease import claim

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


class Request:
    def __init__(self, number: int) -> None:
        self.id = str(number)


def takes_long(watchdog: PoolWatchdog, clock: Clock) -> bool:
    """What it says when nothing changed for a minute."""
    found = False
    for _ in range(4):
        found = watchdog.is_stuck()
        clock.now += 20
    return found


def test_a_pool_that_leaves_a_message_beside_an_idle_process_is_stuck() -> None:
    clock, first, second = Clock(), Request(1), Request(2)
    assert takes_long(PoolWatchdog(1, given=[first], taken=[], clock=clock), clock)
    assert takes_long(PoolWatchdog(2, given=[first, second], taken=[first], clock=clock), clock)


def test_a_pool_that_is_busy_or_idle_is_not() -> None:
    clock, first, second = Clock(), Request(1), Request(2)
    assert not takes_long(PoolWatchdog(1, given=[first, second], taken=[first], clock=clock), clock)
    assert not takes_long(PoolWatchdog(1, given=[], taken=[], clock=clock), clock)


def test_messages_that_are_taken_one_after_the_other_show_a_pool_that_works() -> None:
    clock = Clock()
    given: list[Request] = []
    watchdog = PoolWatchdog(1, given=given, taken=[], clock=clock)
    for number in range(9):
        given[:] = [Request(number)]
        assert not watchdog.is_stuck()
        clock.now += 20

"""Gives every run an exit. Several sweepers may run at once: each change is one conditional UPDATE."""

from __future__ import annotations

import logging
from collections import Counter

from django.conf import settings
from django.db.models import Q

from evaluation.jobs import failures
from evaluation.models import Run
from evaluation.runs.errors import RunError
from evaluation.runs.transitions import State, transition
from evaluation.runs.turns import QUEUE_ORDER
from evaluation.runs.wakeups import wake
from evaluation.runs.workers import served_queues
from work.clock import from_now

log = logging.getLogger(__name__)

ACTOR = "sweeper"
WAKE_AGAIN_SWEEPS = 2
"""A queued run is called again when its last call is so many sweeps old."""
WAKE_UNHEARD_SWEEPS = 40
"""The same where no live worker is known for its queue."""
WAKE_AT_ONCE = 20
"""Calls per sweep, interactive runs first and then the oldest, so that a full queue is not called over and over."""


def sweep() -> Counter[str]:
    """Look at every unfinished run once and move on those that nobody else would.

    Returns:
        What was done: ``cancelled``, ``timed_out``, ``given_up``, ``requeued``, ``woken`` and how often.
    """
    done: Counter[str] = Counter()
    _set_right()
    done["cancelled"] = _cancel_requested()
    done["timed_out"] = _over_time()
    given_up, requeued = _expired()
    done["given_up"], done["requeued"] = given_up, requeued
    done["woken"] = _wake_waiting()
    if any(done.values()):
        log.info("sweep: %s", ", ".join(f"{number} {what}" for what, number in done.items() if number))
    return done


def _set_right() -> None:
    """After the database's clock was set back: what a dead worker or a lost call left lies in the future, for as long
    as that was. A worker that lives extends its lease in time."""
    ahead = from_now(2 * settings.JOB_LEASE_SECONDS)
    Run.objects.filter(state=State.RUNNING, lease_until__gt=ahead).update(
        lease_until=from_now(settings.JOB_LEASE_SECONDS)
    )
    Run.objects.filter(state=State.QUEUED, woken_at__gt=from_now(settings.JOB_SWEEP_SECONDS)).update(woken_at=None)


def _cancel_requested() -> int:
    asked = Q(cancel_requested=True)
    return sum(
        transition(pk, state, State.CANCELLED, actor=ACTOR, why="Cancelled as requested.", only_if=asked)
        for pk, state in Run.objects.filter(asked, state__in=(State.QUEUED, State.RUNNING)).values_list("pk", "state")
    )


def _over_time() -> int:
    limit = settings.JOB_TIME_LIMIT_SECONDS
    late = Q(started_at__lt=from_now(-limit))
    error = RunError(
        "time-limit",
        f"The run took longer than {limit / 3600:g} hours, which is the limit.",
        fix="Choose fewer measures or split the submission; the scores computed so far are kept and not done again.",
    )
    return sum(
        _fail(pk, late, error) for pk in Run.objects.filter(late, state=State.RUNNING).values_list("pk", flat=True)
    )


def _expired() -> tuple[int, int]:
    """Runs whose worker fell silent: (given up, queued again)."""
    silent = Q(lease_until__lt=from_now(0))
    given_up = requeued = 0
    for run in Run.objects.filter(silent, state=State.RUNNING):
        same_attempt = silent & Q(token=run.token)
        if run.attempts >= settings.JOB_MAX_ATTEMPTS:
            error = _worker_died(run)
            given_up += _fail(run.pk, same_attempt, error)
        elif transition(
            run.pk, State.RUNNING, State.QUEUED,
            actor=ACTOR, why="The worker fell silent; the run goes on where it stopped.",
            only_if=same_attempt,
        ):  # fmt: skip
            requeued += 1
    return given_up, requeued


def _fail(run_id: int, only_if: Q, error: RunError) -> bool:
    """Say why, also to who started it."""
    failed = transition(
        run_id, State.RUNNING, State.FAILED, actor=ACTOR, why=error.sentence, only_if=only_if, error=error.to_dict()
    )
    if failed:
        failures.tell(run_id)
    return failed


def _worker_died(run: Run) -> RunError:
    times = "once" if run.attempts == 1 else f"{run.attempts} times"
    return RunError(
        "worker-died",
        f"The worker died {times} while working on this run.",
        run.step,
        "The data may need more memory than the worker has. Tell the administrator, or try a smaller part of it.",
    )


def _wake_waiting() -> int:
    """Call for runs nobody picked up: the call was lost, the broker was away or wiped, or all were busy."""
    stale = Q(woken_at__lt=from_now(-WAKE_AGAIN_SWEEPS * settings.JOB_SWEEP_SECONDS), queue__in=served_queues())
    # Where no worker is known to listen, calls would only pile up: a worker that starts sweeps first of all.
    unheard = Q(woken_at__lt=from_now(-WAKE_UNHEARD_SWEEPS * settings.JOB_SWEEP_SECONDS))
    waiting = Run.objects.filter(Q(woken_at__isnull=True) | stale | unheard, state=State.QUEUED)
    first = waiting.order_by(QUEUE_ORDER, "pk").values_list("pk", "queue")[:WAKE_AT_ONCE]
    return sum(wake(pk, queue) for pk, queue in first)

"""What a page shows of a run: where it stands, how fast it goes, whether somebody is there to do it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from evaluation.models import Run
from evaluation.runs.turns import before
from work.clock import database_time
from work.lease import State
from work.workers import live_workers


def status(run: Run, *, operates: bool = False) -> dict[str, Any]:
    """The run's state as plain values, ready for a template or JSON.

    Args:
        operates: whether the reader runs the site, and so is told the names of machines.

    Returns:
        ``state``; ``position`` (1 is the next to be started, 0 not waiting); ``done``, ``total``, ``step``; ``rate``
        (units per second of this attempt, None while unknown) and ``seconds_left``; ``attempt``, ``max_attempts``,
        ``worker``; ``heartbeat_age`` and ``seconds_waiting``, ``seconds_running`` in seconds by the database's clock;
        ``workers_alive``, ``is_served`` (whether a live worker listens to its queue); ``has_ended``; ``error``;
        ``events`` (oldest first: at, actor, from, to, why, attempt).
    """
    now = database_time()
    workers = list(live_workers())
    rate = _rate(run, now)
    return {
        "state": run.state,
        "has_ended": run.has_ended,
        "position": position(run),
        "done": run.done,
        "total": run.total,
        "step": run.step,
        "rate": rate,
        "seconds_left": (run.total - run.done) / rate if rate and run.state == State.RUNNING else None,
        "attempt": run.attempts,
        "max_attempts": settings.JOB_MAX_ATTEMPTS,
        "worker": shown_actor(run.worker, operates=operates),
        "heartbeat_age": _seconds(_heard_from(run), now),
        "seconds_waiting": _seconds(run.created_at, now) if run.state == State.QUEUED else None,
        "seconds_running": _seconds(run.started_at, run.finished_at or now) if run.state != State.QUEUED else None,
        "workers_alive": len(workers),
        "is_served": any(run.queue in worker.queues.split(",") for worker in workers),
        "error": run.error,
        "events": [
            {
                "at": event.at,
                "actor": shown_actor(event.actor, operates=operates),
                "from": event.from_state,
                "to": event.to_state,
                "why": event.why,
                "attempt": event.attempt,
            }
            for event in run.events.order_by("pk")
        ],
    }


def shown_actor(actor: str, *, operates: bool) -> str:
    """Return who did something to a run, for the run's log. Workers are called by their host and process, which only
    people who run the site are told; no name of an account holds a colon."""
    return actor if operates or ":" not in actor else "a worker"


def position(run: Run) -> int:
    """1 for the next to be started; 0 when it is not waiting."""
    return before(run) + 1 if run.state == State.QUEUED else 0


def _rate(run: Run, now: datetime) -> float | None:
    """Units per second since this attempt began; unknown for a resumed run, whose count is older than its clock."""
    if run.attempts != 1 or not run.done or run.started_at is None:
        return None
    seconds = _seconds(run.started_at, run.finished_at or now)
    return run.done / seconds if seconds else None


def _heard_from(run: Run) -> datetime | None:
    """When its worker extended its lease."""
    return run.lease_until - timedelta(seconds=settings.JOB_LEASE_SECONDS) if run.lease_until else None


def _seconds(since: datetime | None, until: datetime) -> float | None:
    return max((until - since).total_seconds(), 0.0) if since is not None else None

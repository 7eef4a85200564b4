"""The sweeper, which requeues or fails work whose worker is dead or too slow.

Several sweepers may run at once, because each change is one conditional UPDATE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal, TypeVar

from django.conf import settings
from django.db.models import Q

from work.clock import from_now
from work.lease import State, transition
from work.models import Leased

Row = TypeVar("Row", bound=Leased)
Reason = Literal["time-limit", "worker-died"]

SWEEPER = "sweeper"


def sweep_leases(model: type[Row], fail: Callable[[Row, Reason, Q], bool]) -> Counter[str]:
    """Requeue or fail the running rows of a table that are over the time limit or whose worker has died.

    Args:
        fail: a function that fails a running row for this reason if the condition still holds. It returns True if it
            did.

    Returns:
        The number of rows under ``timed_out``, ``given_up`` and ``requeued``.
    """
    running = model._default_manager.filter(state=State.RUNNING)
    # If the database's clock was set back, the leases of dead workers would last too long. Shorten them. A worker that
    # is alive extends its lease in time.
    ahead = from_now(2 * settings.JOB_LEASE_SECONDS)
    running.filter(lease_until__gt=ahead).update(lease_until=from_now(settings.JOB_LEASE_SECONDS))
    done: Counter[str] = Counter()
    late = Q(started_at__lt=from_now(-settings.JOB_TIME_LIMIT_SECONDS))
    for row in running.filter(late):
        done["timed_out"] += fail(row, "time-limit", late)
    silent = Q(lease_until__lt=from_now(0))
    for row in running.filter(silent):
        same_attempt = silent & Q(token=row.token)
        if row.attempts >= settings.JOB_MAX_ATTEMPTS:
            done["given_up"] += fail(row, "worker-died", same_attempt)
        else:
            done["requeued"] += transition(
                model, row.pk, State.RUNNING, State.QUEUED, actor=SWEEPER, only_if=same_attempt,
                why="The worker stopped responding; another one will continue from there.",
            )  # fmt: skip
    return +done

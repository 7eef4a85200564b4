"""Wake-up calls: messages that tell a worker to look at a run. They may get lost, the row does not."""

from __future__ import annotations

import logging

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from accounts.capacity import CrowdedError, slow_work
from evaluation.models import Run
from evaluation.runs.transitions import State

log = logging.getLogger(__name__)

WAKE = "evaluation.wake"
PREFETCH = "evaluation.prefetch"


def wake_on_commit(run: Run) -> None:
    """Call a worker once the surrounding transaction is committed."""
    transaction.on_commit(lambda: wake(run.pk, run.queue))


def wake(run_id: int, queue: str) -> bool:
    """Call a worker now; False if the broker cannot be reached. Then the sweeper calls again."""
    if not send(WAKE, [run_id], queue):
        return False
    Run.objects.filter(pk=run_id, state=State.QUEUED).update(woken_at=Now())
    return True


def send(task: str, arguments: list[int], queue: str) -> bool:
    """Send one message. Never raises for a broker that is down: no request fails for it.

    A broker that does not answer holds a few threads of a web process for seconds, never most of them.
    """
    try:
        with slow_work("calling a worker", one_each=False):
            current_app.send_task(task, arguments, queue=settings.JOB_QUEUE_PREFIX + queue, ignore_result=True)
    except CrowdedError as error:
        log.info("no wake-up call for %s%s: %s", task, arguments, error)
        return False
    except Exception as error:  # whatever a broker library raises: the row is safe and the sweeper calls again
        log.warning("no wake-up call for %s%s: the broker cannot be reached (%s)", task, arguments, error)
        return False
    return True

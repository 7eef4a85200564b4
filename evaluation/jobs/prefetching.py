"""Sharing a big evaluation among workers: helpers fill the score cells ahead of the worker that holds the run.

Helpers touch no run state at all. They work from the last query towards the first and keep scores by content, so
the holder, working from the front, finds them there. A helper that dies, is late or repeats work does no harm.
"""

from __future__ import annotations

import logging

from django.conf import settings
from django.db.models import Sum

from evaluation.jobs.evaluation_plan import Plan, Task, answers, plan
from evaluation.models import Clustering, Run
from evaluation.runs import wakeups
from evaluation.runs.errors import RunError
from evaluation.runs.transitions import State
from evaluation.runs.turns import BULK, INTERACTIVE, waiting
from evaluation.runs.workers import alive
from evaluation.services import cells

log = logging.getLogger(__name__)

HELPERS = 4


def call_helpers(run: Run, todo: Plan) -> int:
    """Ask other workers to help with a big run; returns how many calls were sent.

    Only in the first attempt: if a query kills workers, it shall not kill the helpers of every attempt.
    """
    tasks = todo.left
    if run.attempts != 1 or len(tasks) < 2 or not alive().exists() or _size(run) < settings.JOB_FAN_OUT_MEMBERSHIPS:
        return 0
    helpers = min(HELPERS, len(tasks) - 1)
    return sum(wakeups.send(wakeups.PREFETCH, [run.pk, part, helpers], BULK) for part in range(helpers))


def prefetch(run_id: int, part: int, parts: int) -> int:
    """Compute every ``parts``-th query of a run from the back, starting with the ``part``-th (0-based).

    Returns:
        How many queries were computed. It stops when the run is not running any more, its holder has come as far as
        here, or somebody waits for a run of theirs to begin.
    """
    run = Run.objects.select_related("submission", "gold_version").filter(pk=run_id).first()
    computed = 0
    if run is None:
        return computed
    for task in plan(run).tasks[::-1][part::parts]:
        if waiting(INTERACTIVE).exists() or not _is_needed(run, task):
            break
        try:
            found = answers(task, run)
        except RunError as error:
            log.info("run %s, %s: left to its holder to report (%s)", run_id, error.where, error)
            break
        for question, scores in found:
            if scores:
                cells.store(question, scores)
        computed += any(scores for _, scores in found)
    return computed


def _is_needed(run: Run, task: Task) -> bool:
    running = Run.objects.filter(pk=run.pk, state=State.RUNNING, cancel_requested=False).exists()
    return running and not run.queries.filter(query_id=task.query_id).exists()


def _size(run: Run) -> int:
    """How many memberships the submission holds: the measure of how long it takes."""
    clusterings = Clustering.objects.filter(submission=run.submission_id)
    return clusterings.aggregate(memberships=Sum("n_memberships"))["memberships"] or 0

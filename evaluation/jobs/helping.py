"""Idle workers help with big evaluations: they fill the score cells ahead of the worker that holds the run.

Helpers touch no run state at all, and keep scores by content, so that the holder finds them there. They take the
queries in a random order, one at a time, and look for work of their own after each. A helper that dies, is late or
computes what the holder or another helper computes does no harm.
"""

from __future__ import annotations

import logging
import random
from dataclasses import dataclass, field

from django.conf import settings
from django.db.models import Sum

from evaluation.jobs.evaluation_plan import Task, answers, plan
from evaluation.models import Clustering, Run
from evaluation.runs.errors import RunError
from evaluation.services import cells
from work.leases import State
from work.sources import Source

log = logging.getLogger(__name__)


@dataclass
class Help:
    """What this process may do for a run: the queries that it has not looked at."""

    helped: Run
    left: list[Task] = field(default_factory=list)

    def run(self) -> bool:
        """Compute one query that nobody has computed."""
        while self.left:
            task = self.left.pop()
            if self.helped.queries.filter(query_id=task.query_id).exists():
                continue
            try:
                found = [(question, scores) for question, scores in answers(task, self.helped) if scores]
            except RunError as error:
                log.info("run %s, %s: left to its holder to report (%s)", self.helped.pk, error.where, error)
                self.left.clear()
                break
            for question, scores in found:
                cells.store(question, scores)
            if found:
                break
        return True


class Helping(Source):
    """Big evaluations that are being worked on.

    Only in their first attempt: if a query kills workers, it shall not kill the helpers of every attempt.
    """

    is_brief = True

    def __init__(self) -> None:
        self._looked_at: dict[int, Help] = {}

    def claim(self, worker: str, queue: str) -> Help | None:
        running = Run.objects.filter(state=State.RUNNING, kind=Run.Kind.EVALUATION, attempts=1)
        found = list(running.order_by("pk").values_list("pk", flat=True))
        self._looked_at = {pk: self._looked_at.get(pk) or _help_for(pk) for pk in found}
        return next((known for known in self._looked_at.values() if known.left), None)


SOURCE = Helping()


def _help_for(pk: int) -> Help:
    run = Run.objects.select_related("submission", "gold_version").get(pk=pk)
    sizes = Clustering.objects.filter(submission=run.submission_id)
    memberships = sizes.aggregate(memberships=Sum("n_memberships"))["memberships"] or 0
    if memberships < settings.JOB_FAN_OUT_MEMBERSHIPS:
        return Help(run)
    left = list(plan(run).left[1:])  # the holder computes the first one
    random.shuffle(left)
    return Help(run, left)

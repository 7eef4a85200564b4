"""Score a submission against a gold version, query by query, resuming at the first query without scores."""

from __future__ import annotations

from annotations.collections.removal import removing
from evaluation.jobs.context import JobContext
from evaluation.jobs.evaluation_plan import Answer, Task, answers, plan
from evaluation.jobs.resumable import resumable
from evaluation.models import Run, RunQuery
from evaluation.runs.errors import RunError
from evaluation.services import cells, columns
from qc4.measures.registry import REGISTRY
from qc4.version import ENGINE_VERSION


def execute(context: JobContext) -> None:
    """Score what is left, then put the scores together by column: these rows and DONE are one transaction.

    Raises:
        RunError: there is nothing to score, or a clustering does not fit its gold standard.
    """
    run = context.run
    _bring_up_to_date(context)
    todo = plan(run)
    if not todo.tasks:
        raise RunError(
            "nothing-to-score",
            f"The submission answers none of the {todo.total} queries of {run.gold_version}.",
            f"submission {run.submission_id}",
            "Submit clusterings of this collection's queries, or publish a gold version that holds them.",
        )
    left = todo.left
    context.checkpoint(todo.total - len(left), todo.total)

    def keep(found: list[tuple[Task, tuple[Answer, ...]]]) -> None:
        for task, scores in found:
            _write(run, task, scores)

    resumable(
        context,
        left,
        lambda task: f"query {task.query_key}",
        lambda task: answers(task, run),
        keep,
        total=todo.total,
    )
    context.checkpoint(todo.total, todo.total, "putting the scores together")
    found = columns.collect(run)
    context.commit(lambda: columns.store(run, found), finish=todo.summary)


def _write(run: Run, task: Task, found: tuple[Answer, ...]) -> None:
    evaluations = [cells.store(question, scores) for question, scores in found]
    # A row that is there already was written by the worker that took over: the check of the lease takes this back.
    RunQuery.objects.bulk_create(
        [RunQuery(run=run, query_id=task.query_id, evaluation=evaluation) for evaluation in evaluations],
        ignore_conflicts=True,
    )


def _bring_up_to_date(context: JobContext) -> None:
    """A run that waited while the engine was renewed is scored by the new engine alone, and says so."""
    run = context.run
    current = {measure.key: measure.version for measure in REGISTRY.select(run.measures)}
    if current == run.measures and run.engine == ENGINE_VERSION:
        return
    before = run.engine

    def renew() -> None:
        with removing("a run is scored by a newer engine"):
            run.queries.all().delete()
        Run.objects.filter(pk=run.pk).update(measures=current, engine=ENGINE_VERSION)

    context.commit(renew, done=0)
    run.measures, run.engine = current, ENGINE_VERSION
    context.remark(f"Asked for with engine {before}, scored with engine {ENGINE_VERSION}.")

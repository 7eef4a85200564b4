"""Score a submission query by query, with help from idle workers."""

from __future__ import annotations

import logging
import random
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.db.models import Sum

from annotations.collections.removal import allow_removal
from annotations.collections.vectors import latest_vectors
from annotations.models import Gold, VectorSet
from evaluation.models import Clustering, Run, RunQuery
from evaluation.runs.context import JobContext, resumable
from evaluation.runs.errors import RunError
from evaluation.scoring import cells, stored_columns
from evaluation.scoring.cells import NO_VECTORS, ScoreKey, looks_at_vectors
from qc4.measures.registry import REGISTRY
from qc4.model.policies import Policies
from qc4.problems import InputError
from qc4.scoring.results import Score
from qc4.version import ENGINE_VERSION
from work.leases import State
from work.sources import Source

# --- The work of an evaluation run ---


@dataclass(frozen=True, slots=True)
class QueryTask:
    """One query to score; rows are fetched only if something must be computed."""

    query_id: int
    query_key: str
    gold_id: int
    clustering_id: int
    question: ScoreKey
    # For measures on vectors, if the run includes any.
    on_vectors: ScoreKey | None = None
    vectors_id: int | None = None


NewScores = tuple[ScoreKey, tuple[Score, ...]]
"""A content key, and the scores for it that were newly computed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The work of an evaluation run.

    Attributes:
        tasks: the queries of the gold version, in order, for which the submission has a clustering.
        unanswered: number of the other queries. They count as done and have no scores: leaderboards name them.
        scored: ids of the queries that this run has already scored.
    """

    tasks: tuple[QueryTask, ...]
    unanswered: int
    scored: frozenset[int]

    @property
    def total(self) -> int:
        return len(self.tasks) + self.unanswered

    @property
    def left(self) -> tuple[QueryTask, ...]:
        return tuple(task for task in self.tasks if task.query_id not in self.scored)

    @property
    def summary(self) -> str:
        scored = f"Scored {len(self.tasks)} of {self.total} queries"
        return f"{scored}; {self.unanswered} have no clustering." if self.unanswered else f"{scored}."


def plan(run: Run) -> Plan:
    """Return the run's queries, and which of them are left."""
    assert run.gold_version is not None and run.submission is not None  # noqa: PT018 - a constraint of the table
    policies = Policies.parse(run.policies)
    entries = run.gold_version.entries.order_by("query__position", "query_id").values_list(
        "query_id", "query__key", "gold_id", "gold__sha256"
    )
    clustered = {
        query_id: (pk, sha256)
        for pk, query_id, sha256 in run.submission.clusterings.values_list("pk", "query_id", "sha256")
    }
    vectors = latest_vectors(run.submission.collection) if any(map(looks_at_vectors, run.measures)) else None
    tasks = tuple(
        _with_vectors(
            QueryTask(query_id, key, gold_id, clustered[query_id][0], ScoreKey(clustered[query_id][1], gold, policies)),
            vectors,
        )
        for query_id, key, gold_id, gold in entries
        if query_id in clustered
    )
    scored = frozenset(run.queries.values_list("query_id", flat=True))
    return Plan(tasks, len(entries) - len(tasks), scored)


def _with_vectors(task: QueryTask, vectors: dict[int, VectorSet] | None) -> QueryTask:
    """Return the task with its key for vectors; ``vectors`` is None if no measure uses them."""
    if vectors is None:
        return task
    latest = vectors.get(task.query_id)
    on_vectors = replace(task.question, vectors_sha256=latest.sha256 if latest else NO_VECTORS)
    return replace(task, on_vectors=on_vectors, vectors_id=latest.pk if latest else None)


def compute_missing(task: QueryTask, run: Run) -> tuple[NewScores, ...]:
    """Compute the query's missing scores for each of its content keys; raises as `scores_of`."""
    questions = [task.question] if task.on_vectors is None else [task.question, task.on_vectors]
    return tuple((question, scores_of(task, run, question)) for question in questions)


def scores_of(task: QueryTask, run: Run, question: ScoreKey | None = None) -> tuple[Score, ...]:
    """Compute the missing scores for one of a query's content keys (by default the one without vectors).

    Raises:
        RunError: the clustering does not fit the gold standard.
    """
    question = question or task.question
    measures = cells.missing(question, [key for key in run.measures if question.concerns(key)])
    if not measures:
        return ()
    clustering = Clustering.objects.select_related("query", "file").get(pk=task.clustering_id)
    gold = Gold.objects.select_related("query", "file").get(pk=task.gold_id)
    vectors = None
    if question.vectors_sha256 and task.vectors_id is not None:
        vectors = VectorSet.objects.select_related("file").get(pk=task.vectors_id)
    try:
        return cells.compute(clustering, gold, question.policies, measures, vectors)
    except InputError as error:
        raise RunError.of_input(error, where=f"query {task.query_key}") from error


def execute(context: JobContext) -> None:
    """Score the remaining queries, then store the run's columns and set it DONE in one transaction.

    Raises:
        RunError: there is nothing to score, or a clustering does not fit its gold standard.
    """
    run = context.run
    _renew_engine(context)
    todo = plan(run)
    if not todo.tasks:
        raise RunError(
            "nothing-to-score",
            f"The submission has no clustering of any of the {todo.total} queries of {run.gold_version}.",
            f"submission {run.submission_id}",
            "Submit clusterings of this collection's queries, or publish a gold version that contains them.",
        )
    left = todo.left
    context.checkpoint(todo.total - len(left), todo.total)

    def keep(found: list[tuple[QueryTask, tuple[NewScores, ...]]]) -> None:
        for task, scores in found:
            _write(run, task, scores)

    resumable(
        context,
        left,
        lambda task: f"query {task.query_key}",
        lambda task: compute_missing(task, run),
        keep,
        total=todo.total,
    )
    context.checkpoint(todo.total, todo.total, "storing the scores by measure")
    found = stored_columns.collect(run)
    context.commit(lambda: stored_columns.store(run, found), finish=todo.summary)


def _write(run: Run, task: QueryTask, found: tuple[NewScores, ...]) -> None:
    evaluations = [cells.store(question, scores) for question, scores in found]
    # An existing row was written by the worker that took over; then the check of the lease rolls this back.
    RunQuery.objects.bulk_create(
        [RunQuery(run=run, query_id=task.query_id, evaluation=evaluation) for evaluation in evaluations],
        ignore_conflicts=True,
    )


def _renew_engine(context: JobContext) -> None:
    """Let the current engine score all of a run that was queued with an older one, and log this."""
    run = context.run
    current = {measure.key: measure.version for measure in REGISTRY.select(run.measures)}
    if current == run.measures and run.engine == ENGINE_VERSION:
        return
    before = run.engine

    def renew() -> None:
        with allow_removal("a run is scored by a newer engine"):
            run.queries.all().delete()
        Run.objects.filter(pk=run.pk).update(measures=current, engine=ENGINE_VERSION)

    context.commit(renew, done=0)
    run.measures, run.engine = current, ENGINE_VERSION
    context.remark(f"Queued with engine {before}, scored with engine {ENGINE_VERSION}.")


# --- Help with big evaluations ---
# Idle workers compute scores ahead of the worker that holds the run. Helpers do not change the run. They store scores
# by content, where the holder finds them. They take the queries in random order, one at a time, and look for work of
# their own after each. A helper that dies, is late or repeats the work of others does no harm.

log = logging.getLogger(__name__)


@dataclass
class Help:
    """The part of a run with which this process can help: the queries that it has not yet considered."""

    helped: Run
    left: list[QueryTask] = field(default_factory=list)

    def run(self) -> bool:
        """Compute one query without scores."""
        while self.left:
            task = self.left.pop()
            if self.helped.queries.filter(query_id=task.query_id).exists():
                continue
            try:
                found = [(question, scores) for question, scores in compute_missing(task, self.helped) if scores]
            except RunError as error:
                log.info("run %s, %s: left to its holder to report (%s)", self.helped.pk, error.where, error)
                self.left.clear()
                break
            for question, scores in found:
                cells.store(question, scores)
            if found:
                break
        return True


class EvaluationHelp(Source):
    """Running big evaluations.

    Only first attempts count: if a query kills workers, it must not kill the helpers of every attempt.
    """

    is_brief = True

    def __init__(self) -> None:
        self._looked_at: dict[int, Help] = {}

    def claim(self, worker: str, queue: str) -> Help | None:
        running = Run.objects.filter(state=State.RUNNING, kind=Run.Kind.EVALUATION, attempts=1)
        found = list(running.order_by("pk").values_list("pk", flat=True))
        self._looked_at = {pk: self._looked_at.get(pk) or _help_for(pk) for pk in found}
        return next((known for known in self._looked_at.values() if known.left), None)


SOURCE = EvaluationHelp()


def _help_for(pk: int) -> Help:
    run = Run.objects.select_related("submission", "gold_version").get(pk=pk)
    sizes = Clustering.objects.filter(submission=run.submission_id)
    memberships = sizes.aggregate(memberships=Sum("n_memberships"))["memberships"] or 0
    if memberships < settings.JOB_FAN_OUT_MEMBERSHIPS:
        return Help(run)
    left = list(plan(run).left[1:])  # the holder computes the first one
    random.shuffle(left)
    return Help(run, left)

"""Score a submission against a gold version, query by query, resuming at the first query without scores."""

from __future__ import annotations

from dataclasses import dataclass

from annotations.models import Gold
from evaluation.jobs import cells
from evaluation.jobs.context import JobContext
from evaluation.jobs.errors import RunError
from evaluation.models import Clustering, Run, RunQuery
from measures.policies import Policies
from measures.problems import InputError
from measures.registry import REGISTRY
from measures.version import ENGINE_VERSION


@dataclass(frozen=True, slots=True)
class Task:
    """One query to score; rows are fetched only if something has to be computed."""

    query_id: int
    query_key: str
    gold_id: int
    clustering_id: int
    question: cells.Question


@dataclass(frozen=True, slots=True)
class Plan:
    """What an evaluation run has to do.

    Attributes:
        tasks: the queries of the gold version, in order, that the submission answers.
        unanswered: how many it does not answer. They count as done and have no scores: boards name them.
        scored: ids of the queries this run has scored already.
    """

    tasks: tuple[Task, ...]
    unanswered: int
    scored: frozenset[int]

    @property
    def total(self) -> int:
        return len(self.tasks) + self.unanswered

    @property
    def left(self) -> tuple[Task, ...]:
        return tuple(task for task in self.tasks if task.query_id not in self.scored)


def plan(run: Run) -> Plan:
    """The run's queries, and which of them are left."""
    policies = Policies.parse(run.policies)
    entries = run.gold_version.entries.order_by("query__position", "query_id").values_list(
        "query_id", "query__key", "gold_id", "gold__sha256"
    )
    answers = {
        query_id: (pk, sha256)
        for pk, query_id, sha256 in run.submission.clusterings.values_list("pk", "query_id", "sha256")
    }
    tasks = tuple(
        Task(query_id, key, gold_id, answers[query_id][0], cells.Question(answers[query_id][1], gold_sha256, policies))
        for query_id, key, gold_id, gold_sha256 in entries
        if query_id in answers
    )
    scored = frozenset(run.queries.values_list("query_id", flat=True))
    return Plan(tasks, len(entries) - len(tasks), scored)


def execute(context: JobContext) -> None:
    """Score what is left. The last query's scores and DONE are one transaction.

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
    done = todo.total - len(left)
    context.checkpoint(done, todo.total)
    for task in left:
        done += 1
        last = done == todo.total
        score(context, task, done, todo.total, _summary(todo) if last else "")
    context.finish(_summary(todo))


def score(context: JobContext, task: Task, done: int, total: int, finish: str) -> None:
    """Compute what is missing for one query and commit it."""
    run = context.run
    context.checkpoint(step=f"query {task.query_key}")
    scores = scores_of(task, run)
    context.commit(lambda: _write(run, task, scores), done=done, total=total, finish=finish)


def scores_of(task: Task, run: Run) -> tuple[cells.Computed, ...]:
    """The cells of a query that nobody has computed yet.

    Raises:
        RunError: the clustering does not fit the gold standard.
    """
    measures = cells.missing(task.question, run.measures)
    if not measures:
        return ()
    clustering = Clustering.objects.select_related("query").get(pk=task.clustering_id)
    gold = Gold.objects.select_related("query").get(pk=task.gold_id)
    try:
        return cells.compute(clustering, gold, task.question.policies, measures)
    except InputError as error:
        raise RunError.of_input(error, where=f"query {task.query_key}") from error


def _write(run: Run, task: Task, scores: tuple[cells.Computed, ...]) -> None:
    evaluation = cells.store(task.question, scores)
    RunQuery.objects.create(run=run, query_id=task.query_id, evaluation=evaluation)


def _bring_up_to_date(context: JobContext) -> None:
    """A run that waited while the engine was renewed is scored by the new engine alone, and says so."""
    run = context.run
    current = {measure.key: measure.version for measure in REGISTRY.select(run.measures)}
    if current == run.measures and run.engine == ENGINE_VERSION:
        return
    before = run.engine

    def renew() -> None:
        run.queries.all().delete()
        Run.objects.filter(pk=run.pk).update(measures=current, engine=ENGINE_VERSION)

    context.commit(renew, done=0)
    run.measures, run.engine = current, ENGINE_VERSION
    context.remark(f"Asked for with engine {before}, scored with engine {ENGINE_VERSION}.")


def _summary(todo: Plan) -> str:
    scored = f"Scored {len(todo.tasks)} of {todo.total} queries"
    return f"{scored}; {todo.unanswered} have no clustering." if todo.unanswered else f"{scored}."

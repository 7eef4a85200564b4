"""What an evaluation run has to do: its queries in order, and how one of them is computed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from annotations.collections.vectors import latest_vectors
from annotations.models import Gold, VectorSet
from evaluation.models import Clustering, Run
from evaluation.questions import NO_VECTORS, Question, looks_at_vectors
from evaluation.runs.errors import RunError
from evaluation.services import cells
from qc4.model.policies import Policies
from qc4.problems import InputError
from qc4.scoring.results import Score


@dataclass(frozen=True, slots=True)
class Task:
    """One query to score; rows are fetched only if something has to be computed."""

    query_id: int
    query_key: str
    gold_id: int
    clustering_id: int
    question: Question
    # For measures that look at vectors, where the run asks for some.
    on_vectors: Question | None = None
    vectors_id: int | None = None


Answer = tuple[Question, tuple[Score, ...]]
"""What was found out for a question: the scores nobody had computed yet."""


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

    @property
    def summary(self) -> str:
        scored = f"Scored {len(self.tasks)} of {self.total} queries"
        return f"{scored}; {self.unanswered} have no clustering." if self.unanswered else f"{scored}."


def plan(run: Run) -> Plan:
    """The run's queries, and which of them are left."""
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
            Task(query_id, key, gold_id, clustered[query_id][0], Question(clustered[query_id][1], gold, policies)),
            vectors,
        )
        for query_id, key, gold_id, gold in entries
        if query_id in clustered
    )
    scored = frozenset(run.queries.values_list("query_id", flat=True))
    return Plan(tasks, len(entries) - len(tasks), scored)


def _with_vectors(task: Task, vectors: dict[int, VectorSet] | None) -> Task:
    """The task with its second question; ``vectors`` is None where no measure looks at them."""
    if vectors is None:
        return task
    latest = vectors.get(task.query_id)
    on_vectors = replace(task.question, vectors_sha256=latest.sha256 if latest else NO_VECTORS)
    return replace(task, on_vectors=on_vectors, vectors_id=latest.pk if latest else None)


def answers(task: Task, run: Run) -> tuple[Answer, ...]:
    """The query's questions, each with the cells that nobody has computed yet; errors as `scores_of`."""
    questions = [task.question] if task.on_vectors is None else [task.question, task.on_vectors]
    return tuple((question, scores_of(task, run, question)) for question in questions)


def scores_of(task: Task, run: Run, question: Question | None = None) -> tuple[Score, ...]:
    """The cells of one of a query's questions (by default the one without vectors) that nobody has computed yet.

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

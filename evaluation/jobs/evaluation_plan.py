"""What an evaluation run has to do: its queries in order, and how one of them is computed."""

from __future__ import annotations

from dataclasses import dataclass

from annotations.models import Gold
from evaluation.jobs import cells
from evaluation.jobs.errors import RunError
from evaluation.models import Clustering, Run
from measures.policies import Policies
from measures.problems import InputError
from measures.scoring import Score


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


def scores_of(task: Task, run: Run) -> tuple[Score, ...]:
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

"""Every score of a collection as rows, to be filtered and read page by page.

No index has four million scores in the order of this list, and none needs to: one has the queries of runs in their
order, and each of these has a few dozen scores.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, F, Max, QuerySet, TextField, Value
from django.db.models.functions import Coalesce, NullIf

from accounts.person import Person
from annotations.challenges.access import hidden_gold
from annotations.models import Collection
from evaluation.access import visible_submissions
from evaluation.models import Run, RunQuery, Score

Row = dict[str, Any]
Answers = QuerySet[RunQuery, Row]
"""Queries of runs that have scores, with what is said of each of these."""

OF_ANSWER = {
    "algorithm": F("run__submission__algorithm__name"),
    "submission": F("run__submission_id"),
    "key": F("query__key"),
    "query_text": Coalesce(NullIf(F("query__text"), Value("")), F("query__key"), output_field=TextField()),
    "gold_version": F("run__gold_version__number"),
    "policies": F("run__policies"),
    "vectors": F("evaluation__vectors_sha256"),
}
OF_SCORE = ["measure", "measure_version", "level", "depth", "deepest", "value", "undefined", "flattened", "engine"]
ANSWERS_READ = 500
"""For one page at most. If few of their scores are wanted, the page is short or empty, and there is a next one."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which scores are listed: conditions on runs, on the queries they scored, and on scores, by field."""

    runs: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, Any] = field(default_factory=dict)


class ScoreList:
    """The scores of a collection that a person may see and that are wanted.

    Where a submission was scored repeatedly against a gold version under the same policies, the last run counts.

    Attributes:
        answers: the queries of runs that have them, in the order of the list.
    """

    def __init__(self, collection: Collection, person: Person, wanted: Wanted) -> None:
        self._asked = _asked(collection, person, wanted)
        self._scores = Score.objects.filter(**wanted.scores)
        self.answers = _answers(person, self._asked, wanted)

    def numbers(self, answers: Sequence[Row]) -> list[int]:
        """Return how many scores each of some answers has; with those that its run did not ask for. One query."""
        found = self._of(answers).order_by().values("evaluation_id").annotate(n=Count("pk"))
        number_of = dict(found.values_list("evaluation_id", "n"))
        return [number_of.get(answer["evaluation_id"], 0) for answer in answers]

    def rows(self, answers: Sequence[Row]) -> list[Row]:
        """Return the scores of some answers that their runs asked for, as dictionaries. One query.

        Equal content shares its scores across runs, so others may be stored beside them.
        """
        of_evaluation: dict[int, list[Row]] = defaultdict(list)
        for row in self._of(answers).order_by("pk").values("evaluation_id", *OF_SCORE):
            of_evaluation[row["evaluation_id"]].append(row)
        return [
            {**answer, **score}
            for answer in answers
            for score in of_evaluation[answer["evaluation_id"]]
            if self._asked[answer["run_id"]].get(score["measure"]) == score["measure_version"]
        ]

    def _of(self, answers: Sequence[Row]) -> QuerySet[Score]:
        return self._scores.filter(evaluation__in={answer["evaluation_id"] for answer in answers})


def _asked(collection: Collection, person: Person, wanted: Wanted) -> dict[int, dict[str, int]]:
    """Run id -> the measures it was asked for, each with its version, of the runs that are listed."""
    done = Run.objects.filter(kind=Run.Kind.EVALUATION, state=Run.State.DONE, collection=collection)
    done = done.filter(submission__in=visible_submissions(person, collection))
    groups = done.order_by().values("submission", "gold_version", "policies").annotate(last=Max("pk"))
    runs = Run.objects.filter(pk__in=[group["last"] for group in groups], **wanted.runs)
    return dict(runs.values_list("pk", "measures"))


def _answers(person: Person, asked: Mapping[int, object], wanted: Wanted) -> Answers:
    rows = RunQuery.objects.filter(run__in=asked, **wanted.answers).exclude(query__in=hidden_gold(person))
    ordered = rows.annotate(**OF_ANSWER).order_by("run_id", "query_id", "evaluation_id")
    found: Answers = ordered.values("run_id", "query_id", "evaluation_id", *OF_ANSWER)
    return found

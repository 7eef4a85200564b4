"""Every score of a collection as rows, to be filtered and read page by page.

No index has four million scores in the order of this list, and none needs to: one has the queries of runs in their
order, and each of these has a few dozen scores.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, Max, QuerySet, TextField, Value
from django.db.models.functions import Coalesce, NullIf

from accounts.paging import ListPage, leads_back, list_page
from accounts.person import Person
from annotations.access import hidden_gold
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
"""Of one page; where few of their scores are asked for the page is short, or empty, and there is a next one."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which scores are listed: conditions on runs, on the queries they scored, and on scores, by field."""

    runs: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, Any] = field(default_factory=dict)


def score_page(collection: Collection, person: Person, wanted: Wanted, cursor: str, size: int) -> ListPage[Row]:
    """A page of the scores this person may see, by run, query and score: a dictionary for each.

    Where a submission was scored repeatedly against a gold version under the same policies, the last run counts. A page
    ends with the last score of a query, and so may be some longer.
    """
    asked = _asked(collection, person, wanted)
    answers = _answers(person, asked, wanted)
    is_back, at, n_read = leads_back(cursor), cursor, 0
    found: list[Row] = []
    begin = None
    while True:
        page = list_page(at, _enough(size, len(found), n_read), answers)
        begin, n_read, at = begin or page, n_read + len(page), page.previous if is_back else page.next
        some = _scores(page.rows, asked, wanted)
        found = some + found if is_back else found + some
        if not at or n_read >= ANSWERS_READ or len(found) >= size:
            return ListPage(found, at, begin.next) if is_back else ListPage(found, begin.previous, at)


def _enough(size: int, n_found: int, n_read: int) -> int:
    """How many answers to read next, as many scores as those had that were read; at first one, to learn it, and more
    and more where none of them had any."""
    if not n_found:
        return min(3 * n_read + 1, max(size, n_read + 1), ANSWERS_READ - n_read)
    return max(1, min((size - n_found) * n_read // n_found, ANSWERS_READ - n_read))


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


def _scores(answers: Sequence[Row], asked: Mapping[int, Mapping[str, int]], wanted: Wanted) -> list[Row]:
    """The scores of some answers that their runs asked for: equal content shares its scores across runs, so others may
    lie beside them. One query to the database."""
    rows = Score.objects.filter(evaluation__in={one["evaluation_id"] for one in answers}, **wanted.scores).order_by(
        "pk"
    )
    of_evaluation: dict[int, list[Row]] = defaultdict(list)
    for row in rows.values("evaluation_id", *OF_SCORE):
        of_evaluation[row["evaluation_id"]].append(row)
    return [
        {**answer, **score}
        for answer in answers
        for score in of_evaluation[answer["evaluation_id"]]
        if asked[answer["run_id"]].get(score["measure"]) == score["measure_version"]
    ]

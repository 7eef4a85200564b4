"""Every score of a collection as rows with their provenance: filtered page by page, as JSON and as CSV."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Protocol

from django.db.models import Count, F, Max, QuerySet, TextField, Value
from django.db.models.functions import Coalesce, NullIf

from accounts.person import Person
from annotations.challenges.access import hidden_gold
from annotations.models import Collection
from evaluation.access import visible_submissions
from evaluation.models import Run, RunQuery, Score, Submission
from evaluation.scoring.effective import counting_runs, finished, last_by
from qc4.progress import watched
from qc4.tables import Table, csv_lines

FIELDS = (
    "algorithm", "submission", "counts", "query", "query_text", "measure", "level", "depth", "deepest", "value",
    "undefined", "flattened", "gold_version", "engine", "policies",
)  # fmt: skip


class Writable(Protocol):
    """An open text file, or anything that takes text like one."""

    def write(self, text: str, /) -> object: ...


def scores(collection: Collection, person: Person | None = None) -> Iterator[dict[str, Any]]:
    """One row per score of the finished runs, in a stable order; one after the other, not all in memory.

    A row holds `FIELDS`: ``submission`` its number, ``counts`` whether it counts for its algorithm on the board of that
    gold version and policies, ``query`` its key, ``query_text`` what pages call it, ``level`` a number, ``"all"`` or
    None (measures that see the whole hierarchy), ``depth`` where nested clusters are cut for it and ``deepest`` the
    depth of their finest cut (None where nothing is cut), ``value`` or else ``undefined`` (the reason why there is
    none), ``flattened`` whether a policy took overlap away, ``gold_version`` its number, ``engine`` the version that
    computed it, ``policies`` an object. Where a submission was scored repeatedly against a gold version under the same
    policies, the last run counts.

    Args:
        person: leaves out submissions this person may not see, and queries that are hidden from them; None leaves out
            none.
    """
    if person is None:
        submissions = Submission.objects.filter(collection=collection)
    else:
        submissions = visible_submissions(person, collection)
    hidden = set(hidden_gold(person).filter(collection=collection).values_list("key", flat=True))
    counting = counting_runs(submissions)
    for run in watched(_last_runs(submissions), lambda run: f"run {run.pk}"):
        yield from (row for row in _rows(run, run.pk in counting) if row["query"] not in hidden)


def write_json(rows: Iterator[dict[str, Any]], target: Writable) -> None:
    """``{"scores": [..]}``, a row per line."""
    target.write('{"scores": [')
    for number, row in enumerate(rows):
        target.write(",\n" if number else "\n")
        target.write(json.dumps(row, ensure_ascii=False, allow_nan=False))
    target.write("\n]}\n")


def write_csv(rows: Iterator[dict[str, Any]], target: Writable) -> None:
    """A header and a line per row: values in full precision, text safe to open in a spreadsheet."""
    cells = ([_plain(row[name]) for name in FIELDS] for row in rows)
    for line in csv_lines(Table(chain([FIELDS], cells))):
        target.write(line)


def _plain(value: Any) -> object:
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else value


def _last_runs(submissions: QuerySet[Submission]) -> list[Run]:
    def place(run: Run) -> tuple[int, int, tuple[tuple[str, str], ...]]:
        return run.gold_version_id or 0, run.submission_id or 0, tuple(sorted(run.policies.items()))

    return [run for _, run in sorted(last_by(finished(submissions, policies=None), place).items())]


def _rows(run: Run, counts: bool) -> Iterator[dict[str, Any]]:
    if run.submission is None or run.gold_version is None:
        raise ValueError("an evaluation run has a submission and a gold version")
    # Content shares its scores across runs, so measures and versions this run did not ask for may lie beside its own.
    found = (
        Score.objects.filter(evaluation__run_queries__run=run, measure__in=run.measures)
        .order_by("evaluation__run_queries__query__position", "measure", "level", "depth", "pk")
        .values_list(
            "evaluation__run_queries__query__key",
            "evaluation__run_queries__query__text",
            "measure",
            "measure_version",
            "level",
            "depth",
            "deepest",
            "value",
            "undefined",
            "flattened",
            "engine",
        )
    )
    for query, text, measure, version, level, depth, deepest, value, undefined, flattened, engine in found.iterator(
        chunk_size=2000
    ):
        if run.measures[measure] != version:
            continue
        yield {
            "algorithm": run.submission.algorithm.name,
            "submission": run.submission_id,
            "counts": counts,
            "query": query,
            "query_text": text or query,
            "measure": measure,
            "level": int(level) if level.isdigit() else level or None,
            "depth": depth or None,
            "deepest": deepest or None,
            "value": value,
            "undefined": undefined or None,
            "flattened": flattened,
            "gold_version": run.gold_version.number,
            "engine": engine,
            "policies": run.policies,
        }


# Every score of a collection as rows, to be filtered and read page by page. No index has four million scores in the
# order of this list, and none needs to: one has the queries of runs in their order, and each of these has a few dozen
# scores.

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
class ScoreQuery:
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

    def __init__(self, collection: Collection, person: Person, wanted: ScoreQuery) -> None:
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


def _asked(collection: Collection, person: Person, wanted: ScoreQuery) -> dict[int, dict[str, int]]:
    """Run id -> the measures it was asked for, each with its version, of the runs that are listed."""
    done = Run.objects.filter(kind=Run.Kind.EVALUATION, state=Run.State.DONE, collection=collection)
    done = done.filter(submission__in=visible_submissions(person, collection))
    groups = done.order_by().values("submission", "gold_version", "policies").annotate(last=Max("pk"))
    runs = Run.objects.filter(pk__in=[group["last"] for group in groups], **wanted.runs)
    return dict(runs.values_list("pk", "measures"))


def _answers(person: Person, asked: Mapping[int, object], wanted: ScoreQuery) -> Answers:
    rows = RunQuery.objects.filter(run__in=asked, **wanted.answers).exclude(query__in=hidden_gold(person))
    ordered = rows.annotate(**OF_ANSWER).order_by("run_id", "query_id", "evaluation_id")
    found: Answers = ordered.values("run_id", "query_id", "evaluation_id", *OF_ANSWER)
    return found

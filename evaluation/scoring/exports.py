"""Every score of a collection as rows with provenance: for files, and page by page for the API."""

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
from evaluation.scoring.effective import effective_run_ids, finished, last_by_key
from qc4.progress import track_progress
from qc4.tables import Table, csv_lines

FIELDS = (
    "algorithm", "submission", "counts", "query", "query_text", "measure", "level", "depth", "deepest", "value",
    "undefined", "flattened", "gold_version", "engine", "policies",
)  # fmt: skip


class Writable(Protocol):
    """An open text file, or any object with its ``write`` method."""

    def write(self, text: str, /) -> object: ...


def scores(collection: Collection, person: Person | None = None) -> Iterator[dict[str, Any]]:
    """Yield one row per score of the finished runs, in a stable order, without reading all into memory.

    A row has the keys `FIELDS`. ``submission`` is an id. ``counts`` is true for the algorithm's effective submission
    with that gold version and these policies. ``query`` is a key and ``query_text`` the name on pages. ``level`` is a
    number, ``"all"`` or None (measures of the whole hierarchy). ``depth`` is where nested clusters are cut and
    ``deepest`` the depth of their finest cut (None if nothing is cut). Either ``value`` or ``undefined`` (the reason
    why there is no value) is set. ``flattened`` is true if a policy removed overlap. ``gold_version`` is a number,
    ``engine`` the version that computed the score, and ``policies`` an object. If a submission was scored repeatedly
    against a gold version with the same policies, only the last run is included.

    Args:
        person: omit submissions that this person may not see, and queries that are hidden from them; None omits none.
    """
    if person is None:
        submissions = Submission.objects.filter(collection=collection)
    else:
        submissions = visible_submissions(person, collection)
    hidden = set(hidden_gold(person).filter(collection=collection).values_list("key", flat=True))
    counting = effective_run_ids(submissions)
    for run in track_progress(_last_run_of_each(submissions), lambda run: f"run {run.pk}"):
        yield from (row for row in _rows(run, run.pk in counting) if row["query"] not in hidden)


def write_json(rows: Iterator[dict[str, Any]], target: Writable) -> None:
    """Write ``{"scores": [..]}``, one row per line."""
    target.write('{"scores": [')
    for number, row in enumerate(rows):
        target.write(",\n" if number else "\n")
        target.write(json.dumps(row, ensure_ascii=False, allow_nan=False))
    target.write("\n]}\n")


def write_csv(rows: Iterator[dict[str, Any]], target: Writable) -> None:
    """Write a header and one line per row, with values in full precision and text that is safe in a spreadsheet."""
    cells = ([_plain(row[name]) for name in FIELDS] for row in rows)
    for line in csv_lines(Table(chain([FIELDS], cells))):
        target.write(line)


def _plain(value: Any) -> object:
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else value


def _last_run_of_each(submissions: QuerySet[Submission]) -> list[Run]:
    def place(run: Run) -> tuple[int, int, tuple[tuple[str, str], ...]]:
        return run.gold_version_id or 0, run.submission_id or 0, tuple(sorted(run.policies.items()))

    return [run for _, run in sorted(last_by_key(finished(submissions, policies=None), place).items())]


def _rows(run: Run, counts: bool) -> Iterator[dict[str, Any]]:
    if run.submission is None or run.gold_version is None:
        raise ValueError("an evaluation run has a submission and a gold version")
    # Runs share scores of equal content, so there may be measures and versions that this run does not include.
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


# --- Every score of a collection as rows, filtered and read page by page ---
# No index has four million scores in the order of this list. But an index has the queries of runs in this order, and
# each of these has a few dozen scores.

Row = dict[str, Any]
RunQueries = QuerySet[RunQuery, Row]
"""Queries of runs that have scores, with the values that all scores of one share."""

RUN_QUERY_FIELDS = {
    "algorithm": F("run__submission__algorithm__name"),
    "submission": F("run__submission_id"),
    "key": F("query__key"),
    "query_text": Coalesce(NullIf(F("query__text"), Value("")), F("query__key"), output_field=TextField()),
    "gold_version": F("run__gold_version__number"),
    "policies": F("run__policies"),
    "vectors": F("evaluation__vectors_sha256"),
}
SCORE_FIELDS = ["measure", "measure_version", "level", "depth", "deepest", "value", "undefined", "flattened", "engine"]
MAX_RUN_QUERIES = 500
"""Limit for one page. If few of their scores match the filters, the page is short or empty, and there is a next one."""


@dataclass(frozen=True, slots=True)
class ScoreQuery:
    """Filters of the list of scores: conditions on runs, on their queries, and on scores, by field."""

    runs: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, Any] = field(default_factory=dict)


class ScoreList:
    """The scores of a collection that a person may see and that match the filters.

    If a submission was scored repeatedly against a gold version with the same policies, only the last run is included.

    Attributes:
        answers: the queries of runs with such scores, in the order of the list.
    """

    def __init__(self, collection: Collection, person: Person, wanted: ScoreQuery) -> None:
        self._asked = _measures_of_runs(collection, person, wanted)
        self._scores = Score.objects.filter(**wanted.scores)
        self.answers = _run_queries(person, self._asked, wanted)

    def numbers(self, answers: Sequence[Row]) -> list[int]:
        """Return the number of scores of each row, including those that its run does not include. One query."""
        found = self._of(answers).order_by().values("evaluation_id").annotate(n=Count("pk"))
        number_of = dict(found.values_list("evaluation_id", "n"))
        return [number_of.get(answer["evaluation_id"], 0) for answer in answers]

    def rows(self, answers: Sequence[Row]) -> list[Row]:
        """Return the scores of these rows that their runs include, as dictionaries. One query.

        Runs share scores of equal content, so there may be others.
        """
        of_evaluation: dict[int, list[Row]] = defaultdict(list)
        for row in self._of(answers).order_by("pk").values("evaluation_id", *SCORE_FIELDS):
            of_evaluation[row["evaluation_id"]].append(row)
        return [
            {**answer, **score}
            for answer in answers
            for score in of_evaluation[answer["evaluation_id"]]
            if self._asked[answer["run_id"]].get(score["measure"]) == score["measure_version"]
        ]

    def _of(self, answers: Sequence[Row]) -> QuerySet[Score]:
        return self._scores.filter(evaluation__in={answer["evaluation_id"] for answer in answers})


def _measures_of_runs(collection: Collection, person: Person, wanted: ScoreQuery) -> dict[int, dict[str, int]]:
    """Return run id -> its measures with their versions, for the runs in the list."""
    done = Run.objects.filter(kind=Run.Kind.EVALUATION, state=Run.State.DONE, collection=collection)
    done = done.filter(submission__in=visible_submissions(person, collection))
    groups = done.order_by().values("submission", "gold_version", "policies").annotate(last=Max("pk"))
    runs = Run.objects.filter(pk__in=[group["last"] for group in groups], **wanted.runs)
    return dict(runs.values_list("pk", "measures"))


def _run_queries(person: Person, asked: Mapping[int, object], wanted: ScoreQuery) -> RunQueries:
    rows = RunQuery.objects.filter(run__in=asked, **wanted.answers).exclude(query__in=hidden_gold(person))
    ordered = rows.annotate(**RUN_QUERY_FIELDS).order_by("run_id", "query_id", "evaluation_id")
    found: RunQueries = ordered.values("run_id", "query_id", "evaluation_id", *RUN_QUERY_FIELDS)
    return found

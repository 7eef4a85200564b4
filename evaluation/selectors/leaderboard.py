"""The leaderboard: one row per algorithm, the mean of each chosen measure over the queries of a gold version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any, Literal

from annotations.access import Person
from annotations.models import Collection, GoldVersion
from evaluation.access import visible_submissions
from evaluation.models import Algorithm, Run, Submission
from evaluation.selectors.columns import Column, columns, level_choices
from evaluation.selectors.scores import Cell, RunScores, ScoredQuery, State, queries_of, scores_of
from measures.problems import InputError, Problem
from measures.version import ENGINE_VERSION

MissingRule = Literal["zero", "skip"]
MISSING_RULES: dict[str, str] = {
    "zero": "counts as 0 (where lower is better: as the worst value, or left out if there is none)",
    "skip": "is left out of the mean",
}


@dataclass(frozen=True, slots=True)
class Mean:
    """A measure over the queries, for one algorithm.

    Attributes:
        value: the mean, None if no query counts.
        counted: how many queries the mean is over.
        scored: how many queries have a value of their own.
        total: how many queries have the column's level at all.
        missing: keys of queries without a clustering.
        undefined: query key -> why it has no value.
        cells: one per query of the board.
        is_best: whether no other algorithm (the gold standard itself aside) is better.
    """

    value: float | None
    counted: int
    scored: int
    total: int
    missing: tuple[str, ...]
    undefined: dict[str, str]
    cells: tuple[Cell, ...]
    is_best: bool = False

    @property
    def reason(self) -> str:
        """Why there is no value, in words."""
        if self.value is not None:
            return ""
        if not self.total:
            return "no query has this level"
        if self.undefined:
            first = next(iter(self.undefined.values()))
            return f"undefined on {len(self.undefined)} of {self.total} queries: {first}"
        return "no query has a score"


@dataclass(slots=True)
class Row:
    """One algorithm. ``run`` is None while none of its visible submissions is scored against the board's version."""

    algorithm: Algorithm
    submission: Submission | None
    run: Run | None
    means: dict[str, Mean] = field(default_factory=dict)
    rank: int | None = None
    engines: tuple[str, ...] = ()
    # A later submission than the one shown, not scored (yet).
    newer: Submission | None = None
    waiting: str = ""

    @property
    def is_gold(self) -> bool:
        return self.algorithm.baseline == "gold"

    @property
    def outdated_engine(self) -> bool:
        return any(engine != ENGINE_VERSION for engine in self.engines)


@dataclass(frozen=True, slots=True)
class Board:
    """Everything a leaderboard shows. ``rows`` are sorted; those without a value of the sort column come last."""

    collection: Collection
    version: GoldVersion | None
    latest_version: GoldVersion | None
    queries: tuple[ScoredQuery, ...]
    columns: tuple[Column, ...]
    sort: Column
    descending: bool
    level: str
    levels: tuple[str, ...]
    missing: MissingRule
    rows: tuple[Row, ...]

    @property
    def is_outdated(self) -> bool:
        """Whether a later gold version exists."""
        return self.version != self.latest_version

    def to_dict(self) -> dict[str, Any]:
        """The board as JSON values, for files and the API."""
        return {
            "collection": self.collection.slug,
            "gold_version": self.version.number if self.version else None,
            "gold_sha256": self.version.sha256 if self.version else None,
            "engine": ENGINE_VERSION,
            "sort": self.sort.key,
            "missing": self.missing,
            "queries": [query.key for query in self.queries],
            "measures": [
                {
                    "measure": column.key,
                    "title": column.measure.title,
                    "level": column.level or None,
                    "better": column.measure.better,
                }
                for column in self.columns
            ],
            "rows": [self._row_dict(row) for row in self.rows],
        }

    def _row_dict(self, row: Row) -> dict[str, Any]:
        return {
            "rank": row.rank,
            "algorithm": row.algorithm.name,
            "baseline": row.algorithm.baseline or None,
            "submission": row.submission.pk if row.submission else None,
            "run": row.run.pk if row.run else None,
            "engines": list(row.engines),
            "outdated": row.outdated_engine or self.is_outdated,
            "newer_submission": row.newer.pk if row.newer else None,
            "waiting": row.waiting or None,
            "scores": {
                key: {
                    "value": mean.value,
                    "undefined": mean.reason or None,
                    "counted": mean.counted,
                    "scored": mean.scored,
                    "queries": mean.total,
                    "missing": list(mean.missing),
                    "undefined_queries": mean.undefined,
                    "per_query": [cell.value for cell in mean.cells],
                }
                for key, mean in row.means.items()
            },
        }


def leaderboard(
    collection: Collection,
    person: Person,
    *,
    measures: Sequence[str] = (),
    sort: str = "",
    reverse: bool = False,
    level: str = "",
    gold: int | None = None,
    missing: str = "zero",
) -> Board:
    """The board of a collection (already checked) as this person sees it.

    Args:
        measures: measure keys; none means quality, coverage and qc4_f.
        sort: key of the column that ranks; default qc4_f if shown, else the last column.
        reverse: show the worst first (ranks stay).
        level: see `evaluation.selectors.columns.columns`.
        gold: number of the gold version, None for the latest.
        missing: what a query without a clustering counts, a key of `MISSING_RULES`.

    Raises:
        InputError: an unknown measure, sort column, level, gold version or rule.
    """
    if missing not in MISSING_RULES:
        raise InputError([Problem("unknown-rule", "missing", repr(missing), f"one of {', '.join(MISSING_RULES)}")])
    latest = collection.gold_versions.order_by("-number").first()
    version = _version(collection, gold) if gold is not None else latest
    queries = queries_of(version) if version else ()
    n_levels = max((query.n_levels for query in queries), default=1)
    shown = columns(measures, level, n_levels)
    sort_column = _sort_column(shown, sort)
    rule: MissingRule = "skip" if missing == "skip" else "zero"
    rows = _rows(collection, person, version, shown, queries, rule)
    return Board(
        collection=collection,
        version=version,
        latest_version=latest,
        queries=queries,
        columns=shown,
        sort=sort_column,
        descending=(sort_column.measure.better == "higher") != reverse,
        level=level,
        levels=level_choices(n_levels),
        missing=rule,
        rows=_ranked(rows, shown, sort_column, reverse),
    )


def scored_runs(collection: Collection, person: Person, version: GoldVersion) -> dict[int, Run]:
    """Algorithm id -> the finished run of its latest visible submission that has one against this version."""
    done = Run.objects.filter(
        kind=Run.Kind.EVALUATION,
        state=Run.State.DONE,
        gold_version=version,
        submission__in=visible_submissions(person, collection),
    ).select_related("submission__algorithm", "gold_version")
    return {run.submission.algorithm_id: run for run in done.order_by("submission_id", "pk") if run.submission}


def _version(collection: Collection, number: int) -> GoldVersion:
    version = collection.gold_versions.filter(number=number).first()
    if version is None:
        known = ", ".join(map(str, collection.gold_versions.values_list("number", flat=True))) or "none yet"
        raise InputError([Problem("unknown-gold-version", "gold", str(number), f"one of: {known}")])
    return version


def _sort_column(shown: Sequence[Column], sort: str) -> Column:
    by_key = {column.key: column for column in shown}
    if not sort:
        return by_key.get("qc4_f", shown[-1])
    if sort not in by_key:
        raise InputError([Problem("unknown-sort", "sort", repr(sort), f"one of {', '.join(by_key)}")])
    return by_key[sort]


def _rows(
    collection: Collection,
    person: Person,
    version: GoldVersion | None,
    shown: Sequence[Column],
    queries: Sequence[ScoredQuery],
    rule: MissingRule,
) -> list[Row]:
    runs = scored_runs(collection, person, version) if version else {}
    scores = scores_of(runs.values(), shown, queries)
    rows = []
    for algorithm, latest in _latest_submissions(collection, person):
        run = runs.get(algorithm.pk)
        if run is None:
            rows.append(Row(algorithm, latest, None, waiting=_waiting(latest, version)))
            continue
        row = Row(algorithm, run.submission, run)
        row.means = {column.key: _mean(scores[run.pk], column, queries, rule) for column in shown}
        row.engines = tuple(sorted(scores[run.pk].engines))
        row.newer = latest if latest.pk != run.submission_id else None
        rows.append(row)
    return rows


def _latest_submissions(collection: Collection, person: Person) -> list[tuple[Algorithm, Submission]]:
    submissions = visible_submissions(person, collection).select_related("algorithm").order_by("pk")
    latest = {submission.algorithm_id: submission for submission in submissions.defer("report")}
    return [(submission.algorithm, submission) for submission in latest.values()]


def _waiting(submission: Submission, version: GoldVersion | None) -> str:
    if version is None:
        return "this collection has no published gold standard yet"
    run = submission.runs.filter(gold_version=version).order_by("-pk").first()
    return f"not scored against {version}" if run is None else f"its run is {run.state}"


def _mean(scores: RunScores, column: Column, queries: Sequence[ScoredQuery], rule: MissingRule) -> Mean:
    cells = scores.cells[column]
    values = [cell.value for cell in cells if cell.value is not None]
    scored = len(values)
    missing = tuple(query.key for query, cell in zip(queries, cells, strict=True) if cell.state is State.MISSING)
    if rule == "zero" and column.worst is not None:
        values += [column.worst] * len(missing)
    return Mean(
        value=fsum(values) / len(values) if values else None,
        counted=len(values),
        scored=scored,
        total=sum(cell.state is not State.NO_LEVEL for cell in cells),
        missing=missing,
        undefined={
            query.key: cell.reason for query, cell in zip(queries, cells, strict=True) if cell.state is State.UNDEFINED
        },
        cells=cells,
    )


def _ranked(rows: list[Row], shown: Sequence[Column], sort: Column, reverse: bool) -> tuple[Row, ...]:
    """Best first, ties sharing a rank; rows without a value last, by name."""
    for column in shown:
        _mark_best(rows, column)
    sign = -1 if sort.measure.better == "higher" else 1
    valued = [row for row in rows if _value(row, sort) is not None]
    valued.sort(key=lambda row: (sign * _comparable(row, sort), row.algorithm.name.casefold()))
    for position, row in enumerate(valued, start=1):
        tie = valued[position - 2] if position > 1 else None
        row.rank = tie.rank if tie and _comparable(tie, sort) == _comparable(row, sort) else position
    others = sorted((row for row in rows if row.rank is None), key=lambda row: row.algorithm.name.casefold())
    return (*(reversed(valued) if reverse else valued), *others)


def _value(row: Row, column: Column) -> float | None:
    mean = row.means.get(column.key)
    return mean.value if mean else None


def _comparable(row: Row, column: Column) -> float:
    """The value as ranks see it: differences of the last floating-point digits are ties."""
    return round(_value(row, column) or 0.0, 12)


def _mark_best(rows: list[Row], column: Column) -> None:
    contenders = [row for row in rows if not row.is_gold and _value(row, column) is not None]
    if not contenders:
        return
    best = (max if column.measure.better == "higher" else min)(_comparable(row, column) for row in contenders)
    for row in contenders:
        if _comparable(row, column) == best:
            row.means[column.key] = replace(row.means[column.key], is_best=True)

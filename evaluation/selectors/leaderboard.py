"""The leaderboard: one row per algorithm, the mean of each chosen measure over the queries of a gold version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import fsum

from accounts.person import Person
from annotations.models import Collection, GoldVersion
from annotations.selectors.gold import latest_version
from annotations.selectors.vectors import latest_vectors
from evaluation.access import visible_submissions
from evaluation.models import Algorithm, Run, Submission
from evaluation.questions import looks_at_vectors
from evaluation.selectors.board import MISSING_RULES, Board, Mean, MissingRule, Row
from evaluation.selectors.columns import Column, columns, level_choices
from evaluation.selectors.latest import finished, last_by, last_by_algorithm
from evaluation.selectors.scores import RunScores, ScoredQuery, State, queries_of, scores_of
from evaluation.selectors.vectors import on_older_vectors
from qc4.problems import InputError, Problem

LEADS_BY = "qc4_f"
"""The column that ranks, unless somebody chooses another."""


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
    latest = latest_version(collection)
    version = _version(collection, gold) if gold is not None else latest
    queries = queries_of([version])[version.pk] if version else ()
    n_levels = max((query.n_levels for query in queries), default=1)
    shown = columns(measures, level, n_levels)
    sort_column = _sort_column(shown, sort)
    rule: MissingRule = "skip" if missing == "skip" else "zero"
    rows = _rows(collection, person, version, shown, queries, rule)
    for row in rows:
        row.older_gold = version != latest
    return Board(
        collection=collection,
        version=version,
        latest_version=latest,
        queries=queries,
        columns=shown,
        sort=sort_column,
        is_reversed=reverse,
        level=level,
        levels=level_choices(n_levels),
        missing=rule,
        rows=_ranked(rows, shown, sort_column, reverse),
    )


def leaders(collections: Sequence[Collection], versions: Mapping[int, GoldVersion], person: Person) -> dict[int, Row]:
    """Collection id -> the row that leads its board (already checked) by qc4_f, the gold standard itself aside.

    Args:
        versions: collection id -> the gold version that counts.
    """
    shown = columns((LEADS_BY,), "", 1)
    done = finished(visible_submissions(person, *collections)).filter(gold_version__in=versions.values())
    runs, queries = last_by_algorithm(done).values(), queries_of(versions.values())
    scores = scores_of(runs, shown, queries)
    rows: dict[int, list[Row]] = defaultdict(list)
    for run in runs:
        rows[run.collection_id or 0].append(_row(run, scores[run.pk], shown, queries[run.gold_version_id or 0], "zero"))
    ranked = {pk: _ranked(of_one, shown, shown[0], False) for pk, of_one in rows.items()}
    firsts = {pk: [row for row in of_one if row.rank is not None and not row.is_gold] for pk, of_one in ranked.items()}
    return {pk: of_one[0] for pk, of_one in firsts.items() if of_one}


def _version(collection: Collection, number: int) -> GoldVersion:
    version = collection.gold_versions.filter(number=number).first()
    if version is None:
        known = ", ".join(map(str, collection.gold_versions.values_list("number", flat=True))) or "none yet"
        raise InputError([Problem("unknown-gold-version", "gold", str(number), f"one of: {known}")])
    return version


def _sort_column(shown: Sequence[Column], sort: str) -> Column:
    by_key = {column.key: column for column in shown}
    if not sort:
        return by_key.get(LEADS_BY, shown[-1])
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
    done = finished(visible_submissions(person, collection)).filter(gold_version=version)
    runs = last_by_algorithm(done) if version else {}
    scores = scores_of(runs.values(), shown, {version.pk: queries} if version else {})
    on_vectors = any(looks_at_vectors(column.key) for column in shown)
    older = on_older_vectors(runs.values(), latest_vectors(collection)) if on_vectors else frozenset()
    rows = []
    latest_of = _latest_submissions(collection, person)
    reasons = _waiting([latest for algorithm, latest in latest_of if algorithm.pk not in runs], version)
    for algorithm, latest in latest_of:
        run = runs.get(algorithm.pk)
        if run is None:
            rows.append(Row(algorithm, latest, None, waiting=reasons[latest.pk]))
            continue
        row = _row(run, scores[run.pk], shown, queries, rule)
        row.older_vectors = run.pk in older
        row.newer = latest if latest.pk != run.submission_id else None
        rows.append(row)
    return rows


def _row(
    run: Run, scores: RunScores, shown: Sequence[Column], queries: Sequence[ScoredQuery], rule: MissingRule
) -> Row:
    """An algorithm that has scores."""
    if run.submission is None:
        raise ValueError("an evaluation run has a submission")
    means = {column.key: _mean(scores, column, queries, rule) for column in shown}
    return Row(run.submission.algorithm, run.submission, run, means, engines=tuple(sorted(scores.engines)))


def _latest_submissions(collection: Collection, person: Person) -> list[tuple[Algorithm, Submission]]:
    submissions = visible_submissions(person, collection).select_related("algorithm").order_by("pk")
    latest = last_by(submissions, lambda submission: submission.algorithm_id)
    return [(submission.algorithm, submission) for submission in latest.values()]


def _waiting(submissions: Sequence[Submission], version: GoldVersion | None) -> dict[int, str]:
    """Submission id -> why it has no scores against this version."""
    if version is None:
        return {submission.pk: "this collection has no published gold standard yet" for submission in submissions}
    runs = Run.objects.filter(gold_version=version, submission__in=submissions).order_by("pk")
    states = dict(runs.values_list("submission", "state")) if submissions else {}
    return {
        submission.pk: f"its run is {states[submission.pk]}"
        if submission.pk in states
        else f"not scored against {version}"
        for submission in submissions
    }


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
        undefined_queries={
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

"""Means of single submissions, each over its own queries: what pages about one of them show, and its files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np

from evaluation.models import Run
from evaluation.ranking.standings import filled
from evaluation.scoring.tables import Table
from qc4.arrays import FloatArray
from qc4.stats import mean_interval
from work.answers import Answer, Pending


class OwnMean(NamedTuple):
    """A mean over the queries that have a value; one without a clustering counts as the worst, as boards have it.

    Attributes:
        value: None where no query has a value.
        counted: how many queries it is over.
        total: how many queries there are.
    """

    value: float | None
    counted: int
    total: int


class OwnInterval(NamedTuple):
    """How well a mean is known by itself. It does not say whether two algorithms differ.

    Attributes:
        low, high: ends of the BCa bootstrap interval over queries; None for one query.
    """

    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class IntervalsAsked:
    """Of the means of a submission's run, with the values they are over: column by column, None where there is none."""

    collection: int
    submission: int
    run: int
    values: tuple[tuple[float | None, ...], ...]

    @property
    def scope(self) -> str:
        return f"collection {self.collection}"

    @property
    def sources(self) -> tuple[str, ...]:
        return (f"submission {self.submission}",)


def _work_out(asked: IntervalsAsked) -> tuple[OwnInterval | None, ...]:
    return tuple(_interval(np.array(values, dtype=float)) for values in asked.values)


def _interval(values: FloatArray) -> OwnInterval | None:
    if np.isnan(values).all():
        return None
    found = mean_interval(values)
    return OwnInterval(found.low, found.high)


INTERVALS = Answer(
    "own-intervals",
    IntervalsAsked,
    tuple[OwnInterval | None, ...],
    _work_out,
    cost=lambda asked: sum(map(len, asked.values)),
    cheap=400,
)


def own_intervals(run: Run, tables: Sequence[Table]) -> list[OwnInterval | None]:
    """The interval of each mean of a single run; None where there is no mean, or where it is being worked out.

    Args:
        tables: of that run alone.
    """
    values = tuple(
        tuple(None if np.isnan(one) else one for one in filled(table, "worst")[0][0].tolist()) for table in tables
    )
    try:
        return list(INTERVALS.get(IntervalsAsked(run.collection_id or 0, run.submission_id or 0, run.pk, values)))
    except Pending:
        return [None] * len(tables)


def own_means(table: Table) -> list[OwnMean]:
    """One for each row of a table."""
    values, _ = filled(table, "worst")
    found = []
    for row in values:
        known = row[~np.isnan(row)].tolist()
        found.append(OwnMean(fsum(known) / len(known) if known else None, len(known), row.size))
    return found

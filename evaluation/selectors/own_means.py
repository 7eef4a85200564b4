"""Means of single submissions, each over its own queries: what pages about one of them show, and its files."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

import numpy as np

from evaluation.models import Run
from evaluation.selectors.column_scores import filled
from evaluation.selectors.keys import Keep, contents, digest
from evaluation.selectors.tables import Table
from qc4.comparison import mean_interval


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


def own_intervals(run: Run, tables: Sequence[Table], keep: Keep) -> list[OwnInterval | None]:
    """The interval of each mean of a single run, computed once and stored; None where there is no mean.

    Args:
        tables: of that run alone.
        keep: stores what had to be computed.
    """
    keys = [digest("own-interval", run.pk, *one.column.place, [query.pk for query in one.queries]) for one in tables]
    known = contents(keys)
    fresh = {}
    for key, one in zip(keys, tables, strict=True):
        values = filled(one, "worst")[0][0]
        if key not in known and not np.isnan(values).all():
            found = mean_interval(values)
            fresh[key] = [found.low, found.high]
    if fresh:
        keep(fresh)
        known |= fresh
    return [OwnInterval(*known[key]) if key in known else None for key in keys]


def own_means(table: Table) -> list[OwnMean]:
    """One for each row of a table."""
    values, _ = filled(table, "worst")
    found = []
    for row in values:
        known = row[~np.isnan(row)].tolist()
        found.append(OwnMean(fsum(known) / len(known) if known else None, len(known), row.size))
    return found

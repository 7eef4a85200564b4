"""Means of single submissions, each over its own queries: what pages about one of them show, and its files."""

from __future__ import annotations

from math import fsum
from typing import NamedTuple

import numpy as np

from evaluation.selectors.column_scores import filled
from evaluation.selectors.tables import Table


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


def own_means(table: Table) -> list[OwnMean]:
    """One for each row of a table."""
    values, _ = filled(table, "worst")
    found = []
    for row in values:
        known = row[~np.isnan(row)].tolist()
        found.append(OwnMean(fsum(known) / len(known) if known else None, len(known), row.size))
    return found

"""Where one system is better than another: the differences of two systems by properties of the queries.

The results are exploratory: nothing is tested or adjusted, so some of many intervals miss the true value by chance.
Source of tau: Kendall, Biometrika 33, 1945 (tau-b).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.problems import ProblemList
from qc4.records import Record
from qc4.stats.draws import means_of, resampled
from qc4.stats.intervals import Kind, bootstrap, percentile
from qc4.stats.pairs import Pairs
from qc4.stats.results import Method
from qc4.stats.scores import Better, read_scores, read_table
from qc4.wording import counted, listed

BINS = 3
FEW_VALUES = 5
"""If a property has at most this number of distinct values, each is its own bin."""
TAU_DRAWS = 2_000
MIN_QUERIES_FOR_TAU = 5


@dataclass(frozen=True, slots=True)
class Bin(Record):
    """The queries whose value of a property is within a range.

    Attributes:
        label: the range, for people: "3", "4 to 11".
        least, most: ends of the range, both values of queries.
        difference: mean of a minus b; ``low`` and ``high`` are the ends of its interval, None for one query.
        wins: number of queries on which a is better.
    """

    label: str
    least: float
    most: float
    queries: int
    difference: float
    low: float | None
    high: float | None
    interval: Kind
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True)
class ByCovariate(Record):
    """The differences by one property.

    Attributes:
        name: name of the property: "topic size".
        queries: number of queries with a known value.
        bins: the bins, in the order of their values.
        tau: Kendall's tau-b between difference and property, with a percentile interval over queries. None for fewer
            than five queries, or if all values or all differences are equal.
    """

    name: str
    queries: int
    bins: tuple[Bin, ...]
    tau: float | None
    tau_low: float | None
    tau_high: float | None

    @property
    def trend(self) -> int:
        """1 if the interval of tau is above 0, -1 if it is below, 0 otherwise."""
        if self.tau_low is None or self.tau_high is None:
            return 0
        return int(self.tau_low > 0) - int(self.tau_high < 0)


@dataclass(frozen=True)
class WhereBetter(Record):
    """Where a is better than b, by properties of the queries."""

    KEYS = "a b queries alpha draws seed looks covariates"

    a: str
    b: str
    queries: int
    alpha: float
    draws: int
    seed: int
    covariates: tuple[ByCovariate, ...]

    @property
    def looks(self) -> int:
        """Number of intervals, of bins and of tau."""
        return sum(
            (fact.tau_low is not None) + sum(each.low is not None for each in fact.bins) for fact in self.covariates
        )


def where_better(
    scores: Any,
    covariates: Mapping[str, Sequence[float] | Mapping[str, float]],
    systems: Sequence[str] | None = None,
    queries: Sequence[str] | None = None,
    *,
    better: Better = "higher",
    alpha: float = 0.05,
    draws: int = 10_000,
    seed: int = 0,
) -> WhereBetter:
    """Group the queries by their properties, and compute the differences of two systems in each group.

    Args:
        scores: (2, queries) numbers, or a data frame or dicts of two systems as in `compare`; NaN for missing values.
            Only queries that both systems have are used.
        covariates: property -> a number for each query, NaN if unknown; in the order of the queries, or by their names
            (a dict or a series).
        systems: names of a and b; "A" and "B" if an array has no names.

    Returns:
        For each property its bins: the distinct values if there are at most five, otherwise thirds of the queries by
            value. Equal values are always in the same bin.

    Raises:
        InputError: as in `compare`; not two systems; properties for another number of queries, or infinite values.
    """
    how = Method(alpha=alpha, draws=draws, seed=seed)
    problems = ProblemList()
    table = read_table(scores, systems, queries)
    names = table.systems or ["A", "B"]
    if len(names) != 2 or len(table.values) != 2:
        problems.error("no-pair", "systems", counted(max(len(names), len(table.values)), "system"), "two systems")
    problems.refuse_errors()
    whole = read_scores(table.values, ["1", "2"], table.queries, better=better, missing=None)
    keys = table.queries or list(whole.queries)
    order = np.array([keys.index(query) for query in whole.queries])
    facts = {name: _fact(name, values, keys, problems) for name, values in covariates.items()}
    problems.refuse_errors()
    known = np.asarray(np.isfinite(whole.values).all(axis=0), dtype=np.bool_)
    differences = Pairs(np.where(known, whole.values, 0.0)).differences(np.array([0]))[0]
    return WhereBetter(
        names[0],
        names[1],
        int(known.sum()),
        alpha,
        draws,
        seed,
        tuple(_by(name, differences, values[order], known, how) for name, values in facts.items()),
    )


def bins(values: FloatArray) -> list[BoolArray]:
    """Return (n,) the members of each bin by increasing value: distinct values if there are few, otherwise thirds.

    Equal values at the end of a third belong to it. Bins that this leaves empty are omitted.
    """
    distinct = np.unique(values)
    if distinct.size <= FEW_VALUES:
        return [values == value for value in distinct]
    ordered = np.sort(values)
    ends = [ordered[math.ceil(values.size * third / BINS) - 1] for third in range(1, BINS + 1)]
    starts = [-math.inf, *ends[:-1]]
    found = [(values > start) & (values <= end) for start, end in zip(starts, ends, strict=True)]
    return [members for members in found if members.any()]


def _fact(
    name: str, values: Sequence[float] | Mapping[str, float], queries: Sequence[str], problems: ProblemList
) -> FloatArray:
    """Return (queries,) the values of a property in the order of the queries, joined by name if they have names."""
    where, n = f"covariates[{name!r}]", len(queries)
    if hasattr(values, "items"):  # a dict, or a series, whose items are pairs as well
        by_query = {str(query): value for query, value in values.items()}
        if unknown := sorted(set(by_query) - set(queries)):
            problems.error("unknown-query", where, listed(unknown), f"some of {listed(queries)}")
        values = [by_query.get(query, math.nan) for query in queries]
    found = np.array(values, dtype=np.float64)
    if found.shape != (n,):
        problems.error("wrong-length", where, counted(found.size, "number"), f"{n:,}, one for each query")
    elif np.isinf(found).any():
        problems.error("bad-score", where, "an infinite number", "numbers, or NaN for missing values")
    return found


def _by(name: str, differences: FloatArray, values: FloatArray, known: BoolArray, how: Method) -> ByCovariate:
    usable = known & ~np.isnan(values)
    differences, values = differences[usable], values[usable]
    groups = [_bin(differences[members], values[members], how) for members in bins(values)] if values.size else []
    return ByCovariate(name, int(values.size), tuple(groups), *_tau(differences, values, how))


def _bin(differences: FloatArray, values: FloatArray, how: Method) -> Bin:
    least, most = float(values.min()), float(values.max())
    found = bootstrap(differences[None, :], means_of(differences[None, :]), how)
    low, high = _optional(found.low[0]), _optional(found.high[0])
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    return Bin(
        _shown(least) if least == most else f"{_shown(least)} to {_shown(most)}",
        least,
        most,
        differences.size,
        math.fsum(differences.tolist()) / differences.size,
        low,
        high,
        found.kinds[0],
        wins,
        differences.size - wins - losses,
        losses,
    )


def _optional(end: float) -> float | None:
    return None if math.isnan(end) else float(end)


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value.is_integer() else f"{value:.3g}"


def _tau(differences: FloatArray, values: FloatArray, how: Method) -> tuple[float | None, float | None, float | None]:
    """Return tau-b and its percentile interval. A pair of queries counts as often as both are drawn."""
    n = differences.size
    one, other = (np.sign(each[:, None] - each[None, :]) for each in (differences, values))
    if n < MIN_QUERIES_FOR_TAU or not one.any() or not other.any():
        return None, None, None
    tables = (one * other, np.abs(one), np.abs(other))

    def tau(counts: IntArray) -> FloatArray:
        weights = counts.astype(np.float64)
        both, untied, untied_values = (((weights @ table) * weights).sum(axis=1) for table in tables)
        with np.errstate(divide="ignore", invalid="ignore"):
            found: FloatArray = both / np.sqrt(untied * untied_values)
        return found[None, :]

    observed = float(tau(np.ones((1, n), dtype=np.int64))[0, 0])
    low, high = percentile(resampled(tau, n, min(how.draws, TAU_DRAWS), how.seed), how.alpha)
    return observed, _optional(low[0]), _optional(high[0])

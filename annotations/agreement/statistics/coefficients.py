"""Agreement adjusted for chance: Cohen's kappa, Gwet's AC1 and Krippendorff's alpha, with confidence intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.special import ndtri, stdtrit

from qc4.arrays import FloatArray, IntArray
from qc4.inputs.undefined import Undefined

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Ratings:
    """Numbers of pages marked by both, only by the first, only by the second, and by neither."""

    both: int
    only_first: int
    only_second: int
    neither: int

    @classmethod
    def of(cls, first: npt.NDArray[np.bool_], second: npt.NDArray[np.bool_]) -> Ratings:
        counts = (first & second, first & ~second, ~first & second, ~first & ~second)
        return cls(*(int(flags.sum()) for flags in counts))

    @property
    def n(self) -> int:
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def shares(self) -> FloatArray:
        """(2, 2) proportions of the pages: marked by the first or not (rows), marked by the second or not (columns)."""
        table = np.array([[self.both, self.only_first], [self.only_second, self.neither]], dtype=float)
        return table / self.n


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its confidence interval; ``low`` and ``high`` are None if the variance is 0."""

    value: float
    low: float | None
    high: float | None


_Chance: TypeAlias = tuple[float, FloatArray]
"""Expected agreement by chance, and (2, 2) its derivatives with respect to the proportions."""


def kappa(ratings: Ratings) -> Estimate:
    """Return Cohen's kappa, in [-1, 1].

    Raises:
        Undefined: if there are no pages, or agreement by chance alone would be perfect.
    """
    _refuse_nothing(ratings)
    shares = ratings.shares
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    chance = float(rows @ columns)
    if not (ratings.both or ratings.only_first or ratings.only_second):
        raise Undefined("neither marks an outlier, so agreement cannot be adjusted for chance")
    if not (ratings.neither or ratings.only_first or ratings.only_second):
        raise Undefined("both mark every page as an outlier, so agreement cannot be adjusted for chance")
    return _estimate(ratings, (chance, columns[:, np.newaxis] + rows[np.newaxis, :]))


def ac1(ratings: Ratings) -> Estimate:
    """Return Gwet's AC1, in [-1, 1]. It is 1 if nobody marks a page.

    Raises:
        Undefined: if there are no pages.
    """
    _refuse_nothing(ratings)
    shares = ratings.shares
    marked = float(shares[0].sum() + shares[:, 0].sum()) / 2
    marks = np.array([[2.0, 1.0], [1.0, 0.0]])
    return _estimate(ratings, (2 * marked * (1 - marked), (1 - 2 * marked) * marks))


def _refuse_nothing(ratings: Ratings) -> None:
    if not ratings.n:
        raise Undefined("there is no page that both have assigned")


def _estimate(ratings: Ratings, chance: _Chance) -> Estimate:
    """Return (observed - chance) / (1 - chance). The delta method gives its variance, and thus the published
    formulas."""
    shares, (expected, by_share) = ratings.shares, chance
    observed = float(np.trace(shares))
    value = (observed - expected) / (1 - expected)
    gradient = np.eye(2) / (1 - expected) - (1 - observed) / (1 - expected) ** 2 * by_share
    variance = float((shares * gradient**2).sum() - (shares * gradient).sum() ** 2) / ratings.n
    if variance <= 1e-15:
        return Estimate(value, None, None)
    reach = float(ndtri((1 + CONFIDENCE) / 2)) * math.sqrt(variance)
    return Estimate(value, max(-1.0, value - reach), min(1.0, value + reach))


# --- Jackknife intervals ----------------------------------------------------------------------------------------------
# Measures that look at pairs of pages would treat the copies that a bootstrap draws as pages in perfect agreement.
# Pages are therefore deleted in `GROUPS` groups, which bounds the work. The seed decides which page is in which group.
# Source: Shao & Tu, The Jackknife and Bootstrap, 1995, section 2.3 (the grouped jackknife). The intervals use Student's
# t with one degree of freedom fewer than there are groups.

GROUPS = 20
SEED = 20070522
FEWEST_PAGES = 10

Key = TypeVar("Key", bound=Hashable)
Interval: TypeAlias = tuple[float, float]


def intervals(
    statistics: Callable[[IntArray], Mapping[Key, float]], n_pages: int, seed: int = SEED, groups: int = GROUPS
) -> dict[Key, Interval]:
    """Return the interval of every statistic that is defined, and varies, when each group is deleted in turn.

    Args:
        statistics: returns the values for some pages (sorted indexes), without those that are undefined there.

    Returns:
        An empty mapping for fewer than `FEWEST_PAGES` pages.
    """
    if n_pages < FEWEST_PAGES:
        return {}
    number = np.random.default_rng(seed).permutation(n_pages) % min(groups, n_pages)
    left_out = [statistics(np.flatnonzero(number != group)) for group in range(int(number.max()) + 1)]
    found = {key: _interval(value, left_out, key) for key, value in statistics(np.arange(n_pages)).items()}
    return {key: interval for key, interval in found.items() if interval is not None}


def _interval(value: float, left_out: list[Mapping[Key, float]], key: Key) -> Interval | None:
    values = [found[key] for found in left_out if key in found]
    n = len(left_out)
    if len(values) < n:
        return None
    mean = math.fsum(values) / n
    error = math.sqrt((n - 1) / n * math.fsum((one - mean) ** 2 for one in values))
    if error < 1e-12:
        return None
    reach = float(stdtrit(n - 1, (1 + CONFIDENCE) / 2)) * error
    return value - reach, value + reach


# --- Krippendorff's alpha ---------------------------------------------------------------------------------------------
# alpha = 1 - D_o / D_e: the mean distance between two judgements of the same unit, divided by the mean distance between
# any two judgements. Units with fewer than two judgements are excluded. 1 is perfect agreement, and 0 is agreement by
# chance. Below 0, people disagree more than by chance. A judgement here is a set of topics, so the distance between two
# sets matters. MASI is made for sets: a subset is nearer than a set that only overlaps. The nominal distance only
# distinguishes equal and different sets. Source: Krippendorff, Content Analysis, 2nd edition, 2004, chapter 11; MASI:
# Passonneau, Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation, LREC 2006; Jaccard,
# 1901.

Value: TypeAlias = frozenset[Hashable]
Distance: TypeAlias = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""Takes, for non-empty sets, the number of shared elements and the sizes of both sets (arrays that broadcast)."""
MOST_SETS = 2_000
"""Number of different sets up to which all distances are cached (about 30 MB). Beyond it they are computed in parts."""
_PART = 256


def nominal(shared: FloatArray, one: FloatArray, other: FloatArray) -> FloatArray:
    """Return 0 for the same set, 1 for any other."""
    return np.asarray(1.0 - ((shared == one) & (shared == other)), dtype=float)


def jaccard(shared: FloatArray, one: FloatArray, other: FloatArray) -> FloatArray:
    """Return 1 minus the size of the intersection divided by the size of the union."""
    return np.asarray(1.0 - shared / (one + other - shared), dtype=float)


def masi(shared: FloatArray, one: FloatArray, other: FloatArray) -> FloatArray:
    """Return 1 minus the weighted Jaccard coefficient; weight 1 for equal sets, 2/3 for a subset, 1/3 for an
    overlap."""
    is_part = (shared == one) | (shared == other)
    weight = np.where((shared == one) & (shared == other), 1.0, np.where(is_part, 2 / 3, 1 / 3))
    return np.asarray(1.0 - weight * (1.0 - jaccard(shared, one, other)), dtype=float)


class Judgements:
    """People's judgements of units. Each judgement is a non-empty set. People who have not judged a unit are omitted.

    Attributes:
        units: the units with at least two judgements.
    """

    def __init__(self, units: Sequence[Sequence[Value]], distance: Distance) -> None:
        self.units = [unit for unit in units if len(unit) > 1]
        self._distance = distance
        self._number: dict[Value, int] = {}
        for unit in self.units:
            for value in unit:
                self._number.setdefault(value, len(self._number))

    @property
    def is_large(self) -> bool:
        """True if the number of different sets is too large to compute alpha repeatedly."""
        return len(self._number) > MOST_SETS

    def alpha(self, chosen: IntArray | None = None) -> float:
        """Return Krippendorff's alpha of the units, or of some of them (indexes).

        Raises:
            Undefined: if there are no units, or all judgements are equal.
        """
        counts = self._counts if chosen is None else self._counts[chosen]
        observed = self._observed if chosen is None else self._observed[chosen]
        totals = np.asarray(counts.sum(axis=0), dtype=float).ravel()
        n = float(totals.sum())
        if not n:
            raise Undefined("there is no page that at least two have assigned")
        expected = self._weighted(totals) / (n * (n - 1))
        if expected <= 0:
            raise Undefined("all assign every page alike, so agreement cannot be adjusted for chance")
        return 1.0 - float(observed.sum()) / n / expected

    @cached_property
    def _counts(self) -> sp.csr_array:
        """(units, sets) number of people with this judgement."""
        said = [(row, self._number[value]) for row, unit in enumerate(self.units) for value in unit]
        rows, columns = zip(*said, strict=True) if said else ((), ())
        shape = len(self.units), max(1, len(self._number))
        return sp.csr_array(sp.coo_array((np.ones(len(said)), (rows, columns)), shape=shape))

    @cached_property
    def _observed(self) -> FloatArray:
        """(units,) sum of the distances between a unit's judgements, divided by their number minus one."""
        return np.array([self._apart(Counter(unit)) for unit in self.units], dtype=float)

    def _apart(self, values: Counter[Value]) -> float:
        pairs = combinations(values.items(), 2)
        found = sum(
            times * others * distance_between(one, other, self._distance) for (one, times), (other, others) in pairs
        )
        return 2 * found / (values.total() - 1)

    def _weighted(self, totals: FloatArray) -> float:
        """Return the sum of the distances between any two judgements, in both directions."""
        if self._all is not None:
            return float(totals @ self._all @ totals)
        parts = range(0, len(totals), _PART)
        return float(sum(totals[part : part + _PART] @ self._distances(part, part + _PART) @ totals for part in parts))

    @cached_property
    def _all(self) -> FloatArray | None:
        return None if self.is_large else self._distances(0, len(self._number))

    def _distances(self, first: int, last: int) -> FloatArray:
        """Return (some sets, all sets): their distances."""
        sizes = np.asarray(self._elements.sum(axis=1), dtype=float).ravel()
        some = self._elements[first:last]
        shared = np.asarray((some @ self._elements.T).toarray(), dtype=float)
        return self._distance(shared, sizes[first:last, np.newaxis], sizes[np.newaxis, :])

    @cached_property
    def _elements(self) -> sp.csr_array:
        """(sets, elements) 1 if the set contains the element."""
        number: dict[Hashable, int] = {}
        held = [(row, number.setdefault(each, len(number))) for value, row in self._number.items() for each in value]
        rows, columns = zip(*held, strict=True)
        shape = len(self._number), len(number)
        return sp.csr_array(sp.coo_array((np.ones(len(held)), (rows, columns)), shape=shape))


def distance_between(one: Value, other: Value, distance: Distance) -> float:
    """Return the distance between two sets."""
    shared, sizes = np.array([float(len(one & other))]), [np.array([float(len(value))]) for value in (one, other)]
    return float(distance(shared, *sizes)[0])


def alpha(units: Sequence[Sequence[Value]], distance: Distance) -> float:
    """Return Krippendorff's alpha of units; raises like `Judgements.alpha`."""
    return Judgements(units, distance).alpha()

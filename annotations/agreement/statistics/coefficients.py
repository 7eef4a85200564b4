"""Agreement beyond chance: Cohen's kappa, Gwet's AC1 and Krippendorff's alpha, with jackknife intervals."""

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
    """How many pages both mark, only the first, only the second, and neither."""

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
        """(2, 2) share of the pages: first marks / does not (rows), second marks / does not (columns)."""
        table = np.array([[self.both, self.only_first], [self.only_second, self.neither]], dtype=float)
        return table / self.n


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its confidence interval; ``low`` and ``high`` are None where the pages show no variation."""

    value: float
    low: float | None
    high: float | None


_Chance: TypeAlias = tuple[float, FloatArray]
"""Agreement by chance, and (2, 2) its derivatives by the shares."""


def kappa(ratings: Ratings) -> Estimate:
    """Cohen's kappa, in [-1, 1].

    Raises:
        Undefined: no pages, or chance alone would make the two agree on every page.
    """
    _refuse_nothing(ratings)
    shares = ratings.shares
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    chance = float(rows @ columns)
    if not (ratings.both or ratings.only_first or ratings.only_second):
        raise Undefined("neither marks an outlier, so there is nothing to agree on beyond chance")
    if not (ratings.neither or ratings.only_first or ratings.only_second):
        raise Undefined("both mark every page as an outlier, so there is nothing to agree on beyond chance")
    return _estimate(ratings, (chance, columns[:, np.newaxis] + rows[np.newaxis, :]))


def ac1(ratings: Ratings) -> Estimate:
    """Gwet's AC1, in [-1, 1]; also defined where nobody marks a page (it is 1 then).

    Raises:
        Undefined: no pages.
    """
    _refuse_nothing(ratings)
    shares = ratings.shares
    marked = float(shares[0].sum() + shares[:, 0].sum()) / 2
    marks = np.array([[2.0, 1.0], [1.0, 0.0]])
    return _estimate(ratings, (2 * marked * (1 - marked), (1 - 2 * marked) * marks))


def _refuse_nothing(ratings: Ratings) -> None:
    if not ratings.n:
        raise Undefined("there is no page both have placed")


def _estimate(ratings: Ratings, chance: _Chance) -> Estimate:
    """(observed - chance) / (1 - chance); its variance by the delta method, which gives the published formulas."""
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
# Measures that look at pairs of pages would treat the copies that a bootstrap draws as pages that agree perfectly. So
# pages are left out instead, in `GROUPS` groups, which bounds the work. The seed decides which page is in which group.
# Source: Shao & Tu, The Jackknife and Bootstrap, 1995, section 2.3 (the grouped jackknife); intervals use Student's t
# with one degree of freedom fewer than there are groups.

GROUPS = 20
SEED = 20070522
FEWEST_PAGES = 10

Key = TypeVar("Key", bound=Hashable)
Interval: TypeAlias = tuple[float, float]


def intervals(
    statistics: Callable[[IntArray], Mapping[Key, float]], n_pages: int, seed: int = SEED, groups: int = GROUPS
) -> dict[Key, Interval]:
    """The interval of every statistic that has a value whichever group is left out, and whose value then varies.

    Args:
        statistics: the values on some pages (sorted indexes), leaving out those that have none there.

    Returns:
        Nothing for fewer than `FEWEST_PAGES` pages.
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
# alpha = 1 - D_o / D_e: the mean distance of two judgements of the same unit, over the mean distance of any two
# judgements. Units that fewer than two people have judged are left out. 1 is full agreement, 0 is agreement by chance,
# and below 0 people disagree more than by chance. A judgement here is a set of topics, so the distance of two sets
# matters. MASI is made for that: a subset is nearer than a set that only overlaps. With the nominal distance, sets are
# the same or not. Source: Krippendorff, Content Analysis, 2nd edition, 2004, chapter 11; MASI: Passonneau, Measuring
# agreement on set-valued items (MASI) for semantic and pragmatic annotation, LREC 2006; Jaccard, 1901.

Value: TypeAlias = frozenset[Hashable]
Distance: TypeAlias = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""Of two sets, neither empty: how many elements they share, and how many each has (arrays that fit each other)."""
MOST_SETS = 2_000
"""Different sets up to which all their distances are kept, some 30 MB; with more they are worked out in parts."""
_PART = 256


def nominal(shared: FloatArray, one: FloatArray, other: FloatArray) -> FloatArray:
    """0 for the same set, 1 for any other."""
    return np.asarray(1.0 - ((shared == one) & (shared == other)), dtype=float)


def jaccard(shared: FloatArray, one: FloatArray, other: FloatArray) -> FloatArray:
    """1 minus what is in both over what is in either."""
    return np.asarray(1.0 - shared / (one + other - shared), dtype=float)


def masi(shared: FloatArray, one: FloatArray, other: FloatArray) -> FloatArray:
    """1 minus the Jaccard coefficient weighted: 1 for the same set, 2/3 for a part of the other, 1/3 for an overlap."""
    is_part = (shared == one) | (shared == other)
    weight = np.where((shared == one) & (shared == other), 1.0, np.where(is_part, 2 / 3, 1 / 3))
    return np.asarray(1.0 - weight * (1.0 - jaccard(shared, one, other)), dtype=float)


class Judgements:
    """What people say about units, each a set that is not empty; nothing of those who have not judged a unit.

    Attributes:
        units: those that two or more have judged.
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
        """Whether there are so many different sets that alpha should not be worked out often."""
        return len(self._number) > MOST_SETS

    def alpha(self, chosen: IntArray | None = None) -> float:
        """Krippendorff's alpha of the units, or of some of them (indexes).

        Raises:
            Undefined: there is no unit, or everybody says the same of all.
        """
        counts = self._counts if chosen is None else self._counts[chosen]
        observed = self._observed if chosen is None else self._observed[chosen]
        totals = np.asarray(counts.sum(axis=0), dtype=float).ravel()
        n = float(totals.sum())
        if not n:
            raise Undefined("there is no page that two of them have placed")
        expected = self._weighted(totals) / (n * (n - 1))
        if expected <= 0:
            raise Undefined("all say the same of every page, so there is nothing they could disagree on beyond chance")
        return 1.0 - float(observed.sum()) / n / expected

    @cached_property
    def _counts(self) -> sp.csr_array:
        """(units, sets) how many say it."""
        said = [(row, self._number[value]) for row, unit in enumerate(self.units) for value in unit]
        rows, columns = zip(*said, strict=True) if said else ((), ())
        shape = len(self.units), max(1, len(self._number))
        return sp.csr_array(sp.coo_array((np.ones(len(said)), (rows, columns)), shape=shape))

    @cached_property
    def _observed(self) -> FloatArray:
        """(units,) the distances of what any two say about it, over one less than say something."""
        return np.array([self._apart(Counter(unit)) for unit in self.units], dtype=float)

    def _apart(self, values: Counter[Value]) -> float:
        pairs = combinations(values.items(), 2)
        found = sum(times * others * apart(one, other, self._distance) for (one, times), (other, others) in pairs)
        return 2 * found / (values.total() - 1)

    def _weighted(self, totals: FloatArray) -> float:
        """The sum of the distances of any two judgements, in both directions."""
        if self._all is not None:
            return float(totals @ self._all @ totals)
        parts = range(0, len(totals), _PART)
        return float(sum(totals[part : part + _PART] @ self._distances(part, part + _PART) @ totals for part in parts))

    @cached_property
    def _all(self) -> FloatArray | None:
        return None if self.is_large else self._distances(0, len(self._number))

    def _distances(self, first: int, last: int) -> FloatArray:
        """(some sets, all sets) how far they are apart."""
        sizes = np.asarray(self._elements.sum(axis=1), dtype=float).ravel()
        some = self._elements[first:last]
        shared = np.asarray((some @ self._elements.T).toarray(), dtype=float)
        return self._distance(shared, sizes[first:last, np.newaxis], sizes[np.newaxis, :])

    @cached_property
    def _elements(self) -> sp.csr_array:
        """(sets, elements) what is in them."""
        number: dict[Hashable, int] = {}
        held = [(row, number.setdefault(each, len(number))) for value, row in self._number.items() for each in value]
        rows, columns = zip(*held, strict=True)
        shape = len(self._number), len(number)
        return sp.csr_array(sp.coo_array((np.ones(len(held)), (rows, columns)), shape=shape))


def apart(one: Value, other: Value, distance: Distance) -> float:
    """How far two sets are apart."""
    shared, sizes = np.array([float(len(one & other))]), [np.array([float(len(value))]) for value in (one, other)]
    return float(distance(shared, *sizes)[0])


def alpha(units: Sequence[Sequence[Value]], distance: Distance) -> float:
    """Krippendorff's alpha of units; raises as `Judgements.alpha`."""
    return Judgements(units, distance).alpha()

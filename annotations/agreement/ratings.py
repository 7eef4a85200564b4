"""Two people who mark pages or not: agreement beyond chance, with intervals.

Cohen's kappa takes for chance what two people with their own habits would agree on; where hardly any page is marked it
falls although they agree. Gwet's AC1 takes for chance that hard pages are marked at random, and does not fall then.

Source: Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20, 1960;
Gwet, Computing inter-rater reliability and its variance in the presence of high agreement, British Journal of
Mathematical and Statistical Psychology 61, 2008. Intervals: the large-sample variance of either (for kappa: Fleiss,
Cohen & Everitt, Psychological Bulletin 72, 1969) and the normal distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from qc4.arrays import FloatArray
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

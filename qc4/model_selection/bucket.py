"""``Bucket(m, n, a, b)``: how likely so few errors are on the train set, given so many on train and test set together.

Bucket(m, n, a, b) = P(X <= a), X hypergeometric: red balls among a + b drawn without replacement from m red and n blue
ones. It never increases in b. Everything is computed as a logarithm; where that cannot decide, with integers.

Source: seed 002 (Banerjee & Langford, An Objective Evaluation Criterion for Clustering, KDD 2004), section 2.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, logsumexp

from qc4.arrays import IntArray

TIE = 1e-9
"""Logarithms nearer than this are compared again, exactly."""


@lru_cache(maxsize=65_536)  # a sweep asks for the same ones over and over: its splits have the same sizes
def log_bucket(m: int, n: int, a: int, b: int) -> float:
    """ln Bucket(m, n, a, b), for 0 <= a <= m and 0 <= b <= n.

    Only terms within 20 sqrt(m + n) of the largest are summed: further out all of them together are less than
    exp(-700) of it (Hoeffding's bound for draws without replacement).
    """
    drawn = a + b
    mode = (drawn + 1) * (m + 1) // (m + n + 2)
    peak, width = min(a, mode), 20 * math.isqrt(m + n) + 20
    red = np.arange(max(0, drawn - n, peak - width), min(a, peak + width) + 1)
    terms = _log_choose(m, red) + _log_choose(n, drawn - red) - _log_choose(m + n, np.array(drawn))
    return min(0.0, float(logsumexp(terms)))


def bucket(m: int, n: int, a: int, b: int) -> Fraction:
    """Bucket(m, n, a, b) exactly. Slow where m and n are large; only near ties is it needed."""
    drawn = a + b
    first = max(0, drawn - n)
    term = math.comb(m, first) * math.comb(n, drawn - first)
    total = term
    for red in range(first, a):
        term = term * (m - red) * (drawn - red) // ((red + 1) * (n - drawn + red + 1))
        total += term
    return Fraction(total, math.comb(m + n, drawn))


def b_max(m: int, n: int, a: int, log_delta: float, delta: Fraction) -> int:
    """max{b <= n: Bucket(m, n, a, b) >= delta}, by bisection.

    Args:
        m, n, a: red balls, blue balls, red balls drawn; 0 <= a <= m.
        log_delta: ln delta, also where delta itself is too small for a float.
        delta: the same exactly, 0 < delta <= 1.
    """
    tie = TIE + 8 * float(np.finfo(float).eps) * math.lgamma(m + n + 2)  # what the rounding of gammaln can amount to

    def reaches(b: int) -> bool:
        distance = log_bucket(m, n, a, b) - log_delta
        return bucket(m, n, a, b) >= delta if abs(distance) <= tie else distance > 0

    low, high = 0, n  # Bucket(m, n, a, 0) = 1 always reaches delta
    while low < high:
        middle = (low + high + 1) // 2
        if reaches(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _log_choose(n: int, k: IntArray) -> npt.NDArray[np.float64]:
    logarithm: npt.NDArray[np.float64] = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return logarithm

"""Expected values over the number of pages that two random sets share.

The intersection of random sets of a and b pages among n pages has a hypergeometric size. Its expectations depend on a
and b only, so they are computed once per pair of distinct sizes, and only over sizes that are not negligible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from qc4.arrays import FloatArray, IntArray

LOG_NEGLIGIBLE = 42.0
"""Ignored sizes of the intersection have a total probability below e^-42, less than 10^-18."""

BLOCK = 1 << 18
"""The number of terms computed at a time, which limits memory and fits into the CPU cache."""


Term = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""A function of k >= 1 shared pages and the sizes a, b of two sets; it is 0 for k = 0."""


def expected_sum(one: IntArray, other: IntArray, n: int, term: Term) -> float:
    """Return the sum of a term's expectations over all pairs of a set of one kind and a set of the other kind.

    Args:
        one, other: (sets,) the sizes of the sets of each kind, which are random sets among n pages.
        term: a function of the number of shared pages and the sizes of the two sets.
    """
    a, a_times = np.unique(one, return_counts=True)
    b, b_times = np.unique(other, return_counts=True)
    total = [
        math.fsum(_expectations(a[row], b[column], n, term) * a_times[row] * b_times[column])
        for row, column in _pairs(a.size, b.size)
    ]
    return math.fsum(total)


def _pairs(rows: int, columns: int) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield all pairs of a row and a column, several whole rows at a time."""
    step = max(1, BLOCK // columns)
    for start in range(0, rows, step):
        row, column = np.mgrid[start : min(start + step, rows), 0:columns].reshape(2, -1)
        yield row, column


def _expectations(a: IntArray, b: IntArray, n: int, term: Term) -> FloatArray:
    """Return (pairs,) the expectation for each pair of sizes. Pairs with similar numbers of terms form a block."""
    first, last = _likely(a, b, n)
    terms = last - first + 1
    order = np.argsort(terms, kind="stable")
    expected = np.empty(a.size)
    start = 0
    while start < order.size:
        # Sorted by width, so the last pair of a block is the widest. A block has at least one pair.
        widest = (
            np.maximum.accumulate(terms[order[start : start + BLOCK]]) * np.arange(1, order.size - start + 1)[:BLOCK]
        )
        stop = start + max(1, int(np.searchsorted(widest, BLOCK, side="right")))
        chosen = order[start:stop]
        expected[chosen] = _block(a[chosen], b[chosen], first[chosen], last[chosen], n, term)
        start = stop
    return expected


def _likely(a: IntArray, b: IntArray, n: int) -> tuple[IntArray, IntArray]:
    """Return (pairs,) the range of shared pages that is not negligible, by Bernstein's inequality."""
    mean = a * (b / n)
    variance = mean * (1 - np.maximum(a, b) / n)
    slack = LOG_NEGLIGIBLE / 3
    reach = slack + np.sqrt(slack**2 + 2 * LOG_NEGLIGIBLE * variance)
    first = np.maximum(np.maximum(0, a + b - n), np.floor(mean - reach).astype(np.int64))
    last = np.minimum(np.minimum(a, b), np.ceil(mean + reach).astype(np.int64))
    return first, last


def _block(a: IntArray, b: IntArray, first: IntArray, last: IntArray, n: int, term: Term) -> FloatArray:
    """Return the expectations of a block of pairs, from ratios of probabilities scaled to sum to 1."""
    width = int((last - first).max()) + 1
    k = first[:, None] + np.arange(width)
    a_size: FloatArray = a[:, None].astype(np.float64)
    b_size: FloatArray = b[:, None].astype(np.float64)
    probability = np.ones(k.shape)
    before = k[:, :-1]
    ratio = (a_size - before) * (b_size - before) / ((before + 1) * (n + 1 - a_size - b_size + before))
    # Larger numbers are negligible or, beyond min(a, b), impossible.
    ratio[before >= last[:, None]] = 0.0
    np.cumprod(ratio, axis=1, out=probability[:, 1:])
    # k = 0 contributes nothing, and the term is not evaluated for it.
    terms = np.where(k > 0, probability * term(np.maximum(k, 1).astype(np.float64), a_size, b_size), 0.0)
    return np.asarray(terms.sum(axis=1) / probability.sum(axis=1), dtype=np.float64)

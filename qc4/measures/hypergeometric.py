"""What two sets of pages share by chance.

A set of a pages and one of b pages, thrown at random among n pages, share a hypergeometric number of pages. What is
expected depends on a and b alone, so it is computed once per pair of distinct sizes, and only over the numbers of pages
that are at all likely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from qc4.arrays import FloatArray, IntArray

LOG_NEGLIGIBLE = 42.0
"""Numbers of shared pages are left out that together have a probability below e^-42, less than 10^-18."""

BLOCK = 1 << 18
"""Terms computed at a time: bounds the memory, and keeps it in the cache."""


Term = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""What is summed: of k >= 1 shared pages and the sizes a, b of two sets; it is 0 for k = 0."""


def expected_sum(one: IntArray, other: IntArray, n: int, term: Term) -> float:
    """Sum over all sets of one kind and all of the other of the expectation of a term.

    Args:
        one, other: (sets,) sizes of sets of either kind, thrown at random among n pages.
        term: of the number of pages that two sets share, and of their sizes.
    """
    a, a_times = np.unique(one, return_counts=True)
    b, b_times = np.unique(other, return_counts=True)
    total = [
        math.fsum(_expectations(a[row], b[column], n, term) * a_times[row] * b_times[column])
        for row, column in _pairs(a.size, b.size)
    ]
    return math.fsum(total)


def _pairs(rows: int, columns: int) -> Iterator[tuple[IntArray, IntArray]]:
    """All pairs of a row and a column, some whole rows at a time."""
    step = max(1, BLOCK // columns)
    for start in range(0, rows, step):
        row, column = np.mgrid[start : min(start + step, rows), 0:columns].reshape(2, -1)
        yield row, column


def _expectations(a: IntArray, b: IntArray, n: int, term: Term) -> FloatArray:
    """(pairs,) the expectation for each pair of sizes; pairs with similarly many terms are computed together."""
    first, last = _likely(a, b, n)
    terms = last - first + 1
    order = np.argsort(terms, kind="stable")
    expected = np.empty(a.size)
    start = 0
    while start < order.size:
        # Sorted by width, so the pair that ends the block is its widest; at least one pair is taken.
        widest = (
            np.maximum.accumulate(terms[order[start : start + BLOCK]]) * np.arange(1, order.size - start + 1)[:BLOCK]
        )
        stop = start + max(1, int(np.searchsorted(widest, BLOCK, side="right")))
        chosen = order[start:stop]
        expected[chosen] = _block(a[chosen], b[chosen], first[chosen], last[chosen], n, term)
        start = stop
    return expected


def _likely(a: IntArray, b: IntArray, n: int) -> tuple[IntArray, IntArray]:
    """(pairs,) the smallest and largest number of shared pages worth a term, by Bernstein's inequality."""
    mean = a * (b / n)
    variance = mean * (1 - np.maximum(a, b) / n)
    slack = LOG_NEGLIGIBLE / 3
    reach = slack + np.sqrt(slack**2 + 2 * LOG_NEGLIGIBLE * variance)
    first = np.maximum(np.maximum(0, a + b - n), np.floor(mean - reach).astype(np.int64))
    last = np.minimum(np.minimum(a, b), np.ceil(mean + reach).astype(np.int64))
    return first, last


def _block(a: IntArray, b: IntArray, first: IntArray, last: IntArray, n: int, term: Term) -> FloatArray:
    """The expectations of a block of pairs: probabilities by their ratios, scaled to sum to 1."""
    width = int((last - first).max()) + 1
    k = first[:, None] + np.arange(width)
    a_size: FloatArray = a[:, None].astype(np.float64)
    b_size: FloatArray = b[:, None].astype(np.float64)
    probability = np.ones(k.shape)
    before = k[:, :-1]
    ratio = (a_size - before) * (b_size - before) / ((before + 1) * (n + 1 - a_size - b_size + before))
    # Beyond the last likely number lie only numbers that are as unlikely or, past min(a, b), impossible.
    ratio[before >= last[:, None]] = 0.0
    np.cumprod(ratio, axis=1, out=probability[:, 1:])
    # k = 0 adds nothing, and the term is not asked for it.
    terms = np.where(k > 0, probability * term(np.maximum(k, 1).astype(np.float64), a_size, b_size), 0.0)
    return np.asarray(terms.sum(axis=1) / probability.sum(axis=1), dtype=np.float64)

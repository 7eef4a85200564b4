"""The random draws of a comparison. They depend only on the seed and the number of queries, and are shared by all
systems.

So neither the order of systems and queries nor an additional system changes the draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.progress import track_progress

EXACT_QUERIES = 14
"""Up to this number of differing queries, every sign pattern is tried."""
_FLIPS, _RESAMPLES = 1, 2
_BLOCK_ROWS = 512

Statistic = Callable[[IntArray], FloatArray]
"""Statistics of resampled queries: from (draws, queries) counts of each query in each draw to (m, draws) values."""


def sign_flips(n_queries: int, draws: int, seed: int) -> Iterator[FloatArray]:
    """Yield blocks of (draws, queries) signs. For few queries they are all patterns, up to flipping every sign."""
    if n_queries <= EXACT_QUERIES:
        yield all_signs(n_queries)
        return
    random = np.random.default_rng([seed, _FLIPS])
    for start in track_progress(range(0, draws, _BLOCK_ROWS), lambda start: f"random signs, draw {start:,}"):
        drawn = random.integers(0, 2, (min(_BLOCK_ROWS, draws - start), n_queries))
        yield np.where(drawn, 1.0, -1.0)


def all_signs(n: int) -> FloatArray:
    """Return (2^(n-1), n) every sign pattern that begins with +1."""
    if n == 0:
        return np.ones((1, 0))
    bits = np.arange(2 ** (n - 1))[:, None] >> np.arange(n - 1) & 1
    return np.hstack([np.ones((len(bits), 1)), 1.0 - 2.0 * bits])


def resampled(statistic: Statistic, n: int, draws: int, seed: int) -> FloatArray:
    """Return (m, draws) statistics of n queries drawn with replacement.

    The bootstrap is paired: all statistics of the same number of queries use the same draws.
    """
    blocks = resampled_counts(n, draws, seed)
    first = statistic(next(blocks))
    found = np.empty((len(first), draws))
    found[:, : first.shape[1]] = first
    start = first.shape[1]
    for counts in blocks:
        found[:, start : start + len(counts)] = statistic(counts)
        start += len(counts)
    return found


def means_of(values: FloatArray) -> Statistic:
    """Return the means of (systems, queries) scores as a statistic."""
    return lambda counts: values @ (counts.T / values.shape[1])


def resampled_means(values: FloatArray, draws: int, seed: int) -> FloatArray:
    """Return (systems, draws) means of (systems, queries) scores over queries drawn with replacement."""
    return resampled(means_of(values), values.shape[1], draws, seed)


def resampled_counts(n: int, draws: int, seed: int) -> Iterator[IntArray]:
    """Yield blocks of (draws, queries): the count of each of n queries in a draw with replacement."""
    random = np.random.default_rng([seed, _RESAMPLES])
    for start in track_progress(range(0, draws, _BLOCK_ROWS), lambda start: f"resampled queries, draw {start:,}"):
        size = min(_BLOCK_ROWS, draws - start)
        drawn = random.integers(0, n, (size, n))
        places = drawn + n * np.arange(size)[:, None]
        yield np.bincount(places.ravel(), minlength=size * n).reshape(size, n)

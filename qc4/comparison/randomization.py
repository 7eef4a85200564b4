"""Paired randomization tests of all pairs of systems at once, and their step-down max-T adjustment.

If two systems are equally good, the sign of their difference on a query is chance. Every draw turns the signs of some
queries, of the same ones for all systems, so that what is common to systems stays common.

The studentised difference t is an increasing function of r = |mean difference| / root mean square difference, the same
for all pairs, because turning signs leaves the squares as they are: t² = (n-1) r² / (1-r²). So r decides everything.

Sources: Westfall & Young, Resampling-Based Multiple Testing, 1993, algorithm 2.8 (step-down); Boytsov, Belova &
Westfall, Deciding on an adjustment for multiplicity in IR experiments, SIGIR 2013; for ranks Mogstad, Romano, Shaikh &
Wilhelm, Inference for ranks, Review of Economic Studies 91, 2024.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.comparison.draws import EXACT_QUERIES, all_signs, sign_flips
from qc4.comparison.pairs import Pairs
from qc4.progress import watched

_BLOCK_CELLS = 2_000_000


class Randomization:
    """The means of all systems under every draw of signs, and what is counted over them.

    Attributes:
        means: (systems, draws).
        exact: whether the draws are all patterns of signs there are.
    """

    def __init__(self, values: FloatArray, pairs: Pairs, draws: int, seed: int) -> None:
        n = values.shape[1]
        self._pairs = pairs
        self.exact = n <= EXACT_QUERIES
        self.means = np.concatenate([values @ (block.T / n) for block in sign_flips(n, draws, seed)], axis=1)
        self._observed = pairs.statistic_reached_from.tolist()
        self._one = np.empty(self.means.shape[1])

    def _statistic(self, pair: int) -> FloatArray:
        """(draws,) the pair's statistic, in an array that the next one overwrites."""
        return self._pairs.statistic_of(pair, self.means, self._one)

    def _p(self, reached: IntArray) -> FloatArray:
        n_draws = self.means.shape[1]
        found: FloatArray = reached / n_draws if self.exact else (1 + reached) / (n_draws + 1)
        return found

    @cached_property
    def raw(self) -> FloatArray:
        """(pairs,) two-sided p: exact where at most `EXACT_QUERIES` queries differ, (1 + c) / (B + 1) otherwise."""
        observed = watched(self._observed, lambda _: "tests of pairs")
        reached = [np.count_nonzero(self._statistic(pair) >= least) for pair, least in enumerate(observed)]
        found = self._p(np.array(reached, dtype=np.int64))
        if not self.exact:
            exact_p_of_short_pairs(self._pairs, np.arange(self._pairs.n), found)
        return found

    def adjusted(self, family: IntArray) -> FloatArray:
        """(pairs of the family,) p adjusted by step-down max-T.

        From the largest statistic down, each faces the largest of all that are left; no p is less than one before it,
        nor than the raw one.
        """
        if family.size == 1:
            return self.raw[family]
        order = np.argsort(-self._pairs.statistic[family], kind="stable")
        largest = np.zeros(self.means.shape[1])
        reached = np.zeros(family.size, dtype=np.int64)
        for place in watched(order[::-1].tolist(), lambda _: "adjusted p of pairs"):
            pair = int(family[place])
            np.maximum(largest, self._statistic(pair), out=largest)
            reached[place] = np.count_nonzero(largest >= self._observed[pair])
        found = np.empty(family.size)
        found[order] = np.maximum.accumulate(np.maximum(self._p(reached), self.raw[family])[order])
        return found


def exact_p_of_short_pairs(pairs: Pairs, family: IntArray, raw: FloatArray) -> None:
    """Replace p of the family's pairs by the exact one where few queries differ.

    Args:
        raw: (pairs of the family,) changed in place.
    """
    n_queries, differing = pairs.values.shape[1], pairs.differing[family]
    for length in sorted({length for length in differing.tolist() if length <= EXACT_QUERIES}):
        places = np.flatnonzero(differing == length)
        if length == 0:
            raw[places] = 1.0
            continue
        signs = all_signs(length)
        size = max(_BLOCK_CELLS // len(signs), 1)
        for start in range(0, places.size, size):
            some = family[places[start : start + size]]
            differences = pairs.differences(some)
            kept = np.take_along_axis(differences, np.argsort(np.abs(differences), axis=1)[:, -length:], axis=1)
            sums = np.abs(kept @ signs.T)
            raw[places[start : start + size]] = (sums >= pairs.reached_from[some, None] * n_queries).mean(axis=1)

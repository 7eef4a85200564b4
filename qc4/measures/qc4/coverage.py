"""Topic coverage CV(t): how well the pages of each level-1 topic are found in clusters of their own topics.

A page with one leaf is in one topic on every level, so PC(d, t, 1) is simply the best of its clusters. Only pages
with several leaves need the recursion over the levels, which runs over (page, topic) slots from the bottom up.
"""

from __future__ import annotations

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.measures.qc4.counting import Shares
from qc4.measures.qc4.prepared import PreparedGold
from qc4.measures.qc4.quality import OwnEntries
from qc4.measures.qc4.sorting import ranges


class CoverageTally:
    """Collects what clusters do for pages, block of clusters by block, and averages it over the topics at the end."""

    def __init__(self, gold: PreparedGold, disjoint: bool = False) -> None:
        """``disjoint``: no page is in two clusters, so there is nothing to take the larger of."""
        self._gold = gold
        self._disjoint = disjoint
        self._best = np.zeros(gold.n_pages)
        self._reached = np.zeros(gold.slots.size)

    def add(self, shares: Shares, own: OwnEntries, s_random: FloatArray) -> None:
        """Take in clusters with their S_random(c): PC'(d, t, l) is a maximum, so the order does not matter."""
        precision = own.common / np.repeat(shares.cluster_sizes[own.order].astype(np.float64), own.lengths)
        # What a membership is worth for a page in the topic: P(c, t) min(1, S_random(c)), t on the cluster's level.
        worth = (precision * np.repeat(np.minimum(1.0, s_random)[own.order], own.lengths))[own.of_run]
        self._raise(self._best, shares.single_page, worth.take(shares.single_run))
        multi = shares.multi
        level = np.repeat(own.level[multi.cluster], np.diff(multi.ptr))
        self._reach(level, multi.anchor, worth.take(multi.run))

    def add_singletons(self, pages: IntArray, level: IntArray, s_random: FloatArray) -> None:
        """Take in clusters of one page each, of which L(c) and S_random(c) are known; P(c, t) is 1 for its topics."""
        worth = np.minimum(1.0, s_random)
        leaves = self._gold.leaves
        code = leaves.code[pages]
        single, several = np.flatnonzero(code >= 0), np.flatnonzero(code < 0)
        self._raise(self._best, pages[single], worth[single])
        number = -1 - code[several]
        count = leaves.ptr[number + 1] - leaves.ptr[number]
        anchor = ranges(leaves.ptr[number], count)
        self._reach(np.repeat(level[several], count), anchor, np.repeat(worth[several], count))

    def _reach(self, level: IntArray, anchor: IntArray, worth: FloatArray) -> None:
        """Take in what memberships of multi pages are worth for the anchors' topics on the clusters' levels."""
        at = self._gold.slots.at
        self._raise(self._reached, at.ravel().take((level - 1) * at.shape[1] + anchor), worth)

    def _raise(self, values: FloatArray, places: IntArray, worth: FloatArray) -> None:
        """Put the larger of ``values`` and ``worth`` in the places."""
        if self._disjoint:  # places come twice only for anchors under one topic, which are worth the same
            values[places] = worth
        else:
            np.maximum.at(values, places, worth)

    def slot_coverage(self) -> FloatArray:
        """(slots,) PC(d, t, first level of t).

        It is the larger of what clusters of t reach and the mean over the topics below t that hold d.
        """
        values = self._reached.copy()
        for split in reversed(self._gold.slots.splits):
            if split.parents.size:
                mean = np.bincount(split.of_child, weights=values[split.children]) / split.counts
                values[split.parents] = np.maximum(values[split.parents], mean)
        return values

    def topic_coverage(self) -> FloatArray:
        """(topics + 1,) CV(t) of the topics of level 1, 0 for all others."""
        gold, slots = self._gold, self._gold.slots
        roots = self.slot_coverage()[: slots.root_topic.size]
        covered = np.bincount(gold.root_of_page, weights=self._best, minlength=gold.sizes.size)
        covered += np.bincount(slots.root_topic, weights=roots, minlength=gold.sizes.size)
        covered[gold.n_topics] = 0.0
        return np.asarray(covered / np.maximum(gold.sizes, 1.0))

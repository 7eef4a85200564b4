"""Counts of the pages that each cluster shares with each topic, and the choice of each cluster's level.

An *anchor* is a (page, leaf) pair and a *share* a (cluster, anchor) pair. Sorting shares by cluster and leaf gives the
counts on the finest level. Counts on coarser levels, in tables if these are small, are sums over neighbours minus one
for every anchor whose page is already counted for the topic. An *entry* is a (cluster, topic) pair with at least one
common page.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qc4.arrays import FloatArray, IntArray, ShortIntArray
from qc4.measures.qc4.prepared import Level, PreparedGold
from qc4.measures.qc4.sorting import CELLS_PER_KEY, grouped, ranges, run_lengths, run_numbers, run_starts, starts_of


@dataclass(frozen=True, eq=False)
class MultiShares:
    """The shares of multi pages (pages with several leaves).

    Attributes:
        cluster, number: (memberships,) the cluster, and the number of the multi page.
        ptr: (memberships + 1,) where the shares of each membership start, sorted by leaf.
        anchor, run: (shares,) the index into ``Leaves.anchor_leaf``, and the run of the share.
        shared_level: (shares,) the ``shared_level`` of the anchor.
    """

    cluster: IntArray
    number: IntArray
    ptr: IntArray
    anchor: IntArray
    run: IntArray
    shared_level: ShortIntArray


@dataclass(frozen=True, eq=False)
class Shares:
    """The remaining clusters' memberships as shares, in runs of the same cluster and leaf.

    Attributes:
        cluster_sizes: (clusters,) the number of pages in each cluster.
        single_page, single_run: (memberships of pages with one leaf,) the page, and the run of its only share.
        multi: the shares of all other pages.
        run_cluster, run_leaf, run_size: (runs,) distinct (cluster, leaf), ascending, and the number of shares as float.
    """

    cluster_sizes: IntArray
    single_page: IntArray
    single_run: IntArray
    multi: MultiShares
    run_cluster: IntArray
    run_leaf: IntArray
    run_size: FloatArray

    @property
    def n_clusters(self) -> int:
        return self.cluster_sizes.size


@dataclass(frozen=True, eq=False)
class Entries:
    """The (cluster, topic) pairs with common pages on one level, by cluster and then in preorder of topics.

    Attributes:
        of_run: (runs,) the entry of each run of shares.
        cluster, number: (entries,) the cluster and the topic's number on the level.
        common: (entries,) the number of common pages, as float.
        starts: (clusters,) the first entry of each cluster; every cluster has one on every level.
    """

    of_run: IntArray
    cluster: IntArray
    number: IntArray
    common: FloatArray
    starts: IntArray

    @cached_property
    def lengths(self) -> IntArray:
        """Return (clusters,) the number of entries of each cluster."""
        return run_lengths(self.starts, self.cluster.size)

    def halves(self, level: Level, size: FloatArray) -> FloatArray:
        """Return (entries,) F / 2; dividing by a power of two changes no comparison."""
        return np.asarray(self.common / (np.repeat(size, self.lengths) + level.sizes[self.number]))

    def leave_out_last(self, halves: FloatArray, level: Level) -> None:
        """Set the ``halves`` of the level's last topic, the outlier topic, to 0."""
        halves[self.number == level.k - 1] = 0.0

    def peaks(self, halves: FloatArray) -> FloatArray:
        """Return (clusters,) the largest of each cluster's ``halves``."""
        return np.asarray(np.maximum.reduceat(halves, self.starts))

    def reaching(self, halves: FloatArray, sought: FloatArray) -> tuple[IntArray, IntArray]:
        """Return the clusters and numbers of the topics whose ``halves`` equal the value sought for the cluster."""
        reached = np.flatnonzero(halves == np.repeat(sought, self.lengths))
        return self.cluster[reached], self.number[reached]

    def entries(self, level: Level, shares: Shares) -> Entries:
        return self


@dataclass(frozen=True, eq=False)
class Table:
    """The same as `Entries` for a level of few topics, including cells without common pages, which is faster.

    Attributes:
        common: (clusters, k) the number of pages that cluster and topic share, as float.
    """

    common: FloatArray

    def halves(self, level: Level, size: FloatArray) -> FloatArray:
        return np.asarray(self.common / (size[:, np.newaxis] + level.sizes))

    def leave_out_last(self, halves: FloatArray, level: Level) -> None:
        halves[:, -1] = 0.0

    def peaks(self, halves: FloatArray) -> FloatArray:
        return np.asarray(halves.max(axis=1))

    def reaching(self, halves: FloatArray, sought: FloatArray) -> tuple[IntArray, IntArray]:
        cluster, number = np.nonzero(halves == sought[:, np.newaxis])
        return cluster, number

    def entries(self, level: Level, shares: Shares) -> Entries:
        """Return the cells with common pages."""
        common = self.common.ravel()
        cells = np.flatnonzero(common > 0)
        cluster = cells // level.k
        place = np.zeros(common.size, dtype=np.int64)
        place[cells] = np.arange(cells.size)
        of_run = place[shares.run_cluster * level.k + level.of_leaf[shares.run_leaf]]
        return Entries(of_run, cluster, cells - cluster * level.k, common[cells], starts_of(cluster))


@dataclass(frozen=True, eq=False)
class LevelChoice:
    """L(c) and the topic that maximises F, per cluster."""

    level: IntArray
    best_topic: IntArray
    f: FloatArray


def count_shares(gold: PreparedGold, sizes: IntArray, pages: IntArray, code: ShortIntArray) -> Shares:
    """Sort the memberships of clusters by cluster and leaf.

    Args:
        sizes: (clusters,) the number of pages in each cluster.
        pages, code: (memberships,) the pages, cluster by cluster, and their ``Leaves.code``.
    """
    leaves = gold.leaves
    n_leaves = leaves.topics.size
    cluster = np.repeat(np.arange(sizes.size, dtype=np.int64), sizes)
    is_single = code >= 0
    single, several = np.flatnonzero(is_single), np.flatnonzero(~is_single)
    number = -1 - code[several].astype(np.int64)
    count = leaves.ptr[number + 1] - leaves.ptr[number]
    anchor = ranges(leaves.ptr[number], count)
    multi_cluster = cluster[several]
    keys = np.concatenate(
        [
            cluster[single] * n_leaves + code[single],
            np.repeat(multi_cluster * n_leaves, count) + leaves.anchor_leaf[anchor],
        ]
    )
    runs = grouped(keys, sizes.size * n_leaves)
    run_cluster = runs.keys // n_leaves
    ptr = np.concatenate([[0], np.cumsum(count)])
    return Shares(
        cluster_sizes=sizes,
        single_page=pages[single],
        single_run=runs.group[: single.size],
        multi=MultiShares(multi_cluster, number, ptr, anchor, runs.group[single.size :], leaves.shared_level[anchor]),
        run_cluster=run_cluster,
        run_leaf=runs.keys - run_cluster * n_leaves,
        run_size=runs.sizes.astype(np.float64),
    )


def count_levels(gold: PreparedGold, shares: Shares) -> list[Entries | Table]:
    """Return the common pages of clusters and topics on every level, coarsest first, as tables if these are small."""
    cells = CELLS_PER_KEY * shares.run_leaf.size
    n_tables = sum(shares.n_clusters * level.k <= cells for level in gold.levels[:-1])
    repeated = np.flatnonzero(shares.multi.shared_level > 0)
    shared_level, repeats = shares.multi.shared_level[repeated], shares.multi.run[repeated]
    return [
        *_tables(gold.levels[:n_tables], shares, shared_level, repeats),
        *_entries(gold.levels, n_tables, shares, shared_level, repeats),
    ]


def _tables(levels: tuple[Level, ...], shares: Shares, shared_level: ShortIntArray, repeats: IntArray) -> list[Table]:
    """Return tables of the coarser levels, coarsest first; ``repeats`` are the runs of shares already counted."""
    found: list[Table] = []
    raw = np.empty((0, 0))
    for i in range(len(levels) - 1, -1, -1):
        level, shape = levels[i], (shares.n_clusters, levels[i].k)
        if found:
            raw = np.asarray(np.add.reduceat(raw, starts_of(level.of_finer), axis=1))
        else:
            cells = shares.run_cluster * level.k + level.of_leaf[shares.run_leaf]
            counted = np.bincount(cells, weights=shares.run_size, minlength=shape[0] * shape[1])
            raw = counted.astype(np.float64, copy=False).reshape(shape)
        twice = repeats[shared_level > i]
        cells = shares.run_cluster[twice] * level.k + level.of_leaf[shares.run_leaf[twice]]
        found.append(Table(_without_repeats(raw.ravel(), cells).reshape(shape)))
    return found[::-1]


def _entries(
    levels: tuple[Level, ...], coarsest: int, shares: Shares, shared_level: ShortIntArray, repeats: IntArray
) -> list[Entries]:
    """Return entries of the levels from ``coarsest`` (counted from 0) to the finest; ``repeats`` as in `_tables`."""
    cluster, number, raw = shares.run_cluster, shares.run_leaf, shares.run_size
    of_run, starts = np.arange(cluster.size, dtype=np.int64), starts_of(cluster)
    found: list[Entries] = []
    for i in range(len(levels) - 1, coarsest - 1, -1):
        if found:
            number = levels[i].of_finer[number]
            first = run_starts((number[1:] != number[:-1]) | (cluster[1:] != cluster[:-1]))
            of_finer = run_numbers(first, number.size)
            starts, repeats, of_run = of_finer[starts], of_finer[repeats], of_finer[of_run]
            cluster, number, raw = cluster[first], number[first], np.add.reduceat(raw, first)
        common = _without_repeats(raw, repeats[shared_level > i])
        found.append(Entries(of_run, cluster, number, common, starts))
    return found[::-1]


def _without_repeats(raw: FloatArray, repeats: IntArray) -> FloatArray:
    return np.asarray(raw - np.bincount(repeats, minlength=raw.size)) if repeats.size else raw


def choose_levels(gold: PreparedGold, shares: Shares, levels: list[Entries | Table]) -> LevelChoice:
    """Return L(c): the coarsest level on which a topic that maximises F(c, t) starts; the outlier topic never counts.

    A topic on several levels is first met on its coarsest, so the first level that reaches the maximum is the answer,
    and every topic that reaches it there starts there.
    """
    size = shares.cluster_sizes.astype(np.float64)
    halves = []
    peaks = np.empty((len(levels), shares.n_clusters))
    for i, (level, counts) in enumerate(zip(gold.levels, levels, strict=True)):
        half = counts.halves(level, size)
        if gold.has_outliers:
            counts.leave_out_last(half, level)
        halves.append(half)
        peaks[i] = counts.peaks(half)
    level_of = peaks.argmax(axis=0)
    peak = peaks.max(axis=0)
    best_topic = np.full(shares.n_clusters, gold.n_topics)
    for i in np.unique(level_of).tolist():
        cluster, number = levels[i].reaching(halves[i], np.where(level_of == i, peak, np.inf))
        np.minimum.at(best_topic, cluster, gold.levels[i].topics[number])
    return LevelChoice(level_of + 1, best_topic, 2 * peak)

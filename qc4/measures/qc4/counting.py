"""Counting the pages each cluster shares with each topic, and choosing each cluster's level.

An *anchor* is a (page, leaf) pair and a *share* a (cluster, anchor) pair. Sorting shares by cluster and leaf gives
the counts on the finest level; the counts on coarser levels are sums over neighbours, less one for every anchor that
brings a page to a topic a second time. An *entry* is a (cluster, topic) pair with at least one common page.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.measures.qc4.prepared import PreparedGold
from qc4.measures.qc4.sorting import grouped, ranges, run_numbers, run_starts, starts_of


@dataclass(frozen=True, eq=False)
class MultiShares:
    """The shares of multi pages (pages with several leaves).

    Attributes:
        cluster, number: (memberships,) cluster and number of the multi page.
        ptr: (memberships + 1,) where the shares of each start, by leaf ascending.
        anchor, run: (shares,) index into ``Leaves.anchor_leaf``, and the run of the share.
    """

    cluster: IntArray
    number: IntArray
    ptr: IntArray
    anchor: IntArray
    run: IntArray


@dataclass(frozen=True, eq=False)
class Shares:
    """The remaining clusters' memberships as shares, in runs of the same cluster and leaf.

    Attributes:
        cluster_sizes: (clusters,) pages per cluster.
        single_page, single_run: (memberships of pages with one leaf,) page, and run of its only share.
        multi: the shares of all other pages.
        run_cluster, run_leaf, run_size: (runs,) distinct (cluster, leaf), ascending, and number of shares.
    """

    cluster_sizes: IntArray
    single_page: IntArray
    single_run: IntArray
    multi: MultiShares
    run_cluster: IntArray
    run_leaf: IntArray
    run_size: IntArray

    @property
    def n_clusters(self) -> int:
        return self.cluster_sizes.size


@dataclass(frozen=True, eq=False)
class Entries:
    """The (cluster, topic) pairs with common pages on one level, by cluster and then preorder.

    Attributes:
        of_run: (runs,) the entry each run of shares belongs to.
        cluster, number: (entries,) the cluster and the topic's number on the level.
        common: (entries,) how many pages they share.
        starts: (clusters,) first entry of each cluster; every cluster has one on every level.
    """

    of_run: IntArray
    cluster: IntArray
    number: IntArray
    common: IntArray
    starts: IntArray


@dataclass(frozen=True, eq=False)
class LevelChoice:
    """L(c) and the topic that maximises F, per cluster."""

    level: IntArray
    best_topic: IntArray
    f: FloatArray


def count_shares(gold: PreparedGold, sizes: IntArray, pages: IntArray) -> Shares:
    """Sort the memberships of clusters (``pages`` concatenated, ``sizes`` each) by cluster and leaf."""
    leaves = gold.leaves
    n_leaves = leaves.topics.size
    cluster = np.repeat(np.arange(sizes.size, dtype=np.int64), sizes)
    code = leaves.code[pages]
    is_single = code >= 0
    single, several = np.flatnonzero(is_single), np.flatnonzero(~is_single)
    number = -1 - code[several]
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
        multi=MultiShares(multi_cluster, number, ptr, anchor, runs.group[single.size :]),
        run_cluster=run_cluster,
        run_leaf=runs.keys - run_cluster * n_leaves,
        run_size=runs.sizes,
    )


def count_levels(gold: PreparedGold, shares: Shares) -> list[Entries]:
    """The entries of every level, coarsest first."""
    shared_level = gold.leaves.shared_level[shares.multi.anchor]
    repeated = np.flatnonzero(shared_level)
    shared_level = shared_level[repeated]
    repeated_run = shares.multi.run[repeated]
    entry = np.arange(shares.run_cluster.size, dtype=np.int64)
    cluster, number, raw = shares.run_cluster, shares.run_leaf, shares.run_size
    first = starts_of(cluster)
    found = [_entries(entry, cluster, number, raw, repeated_run[shared_level >= len(gold.levels)], first)]
    for i in range(len(gold.levels) - 2, -1, -1):
        number = gold.levels[i].of_finer[number]
        starts = run_starts((number[1:] != number[:-1]) | (cluster[1:] != cluster[:-1]))
        coarser = run_numbers(starts, number.size)
        entry, first = coarser[entry], coarser[first]
        cluster, number, raw = cluster[starts], number[starts], np.add.reduceat(raw, starts)
        repeats = entry[repeated_run[shared_level >= i + 1]]
        found.append(_entries(entry, cluster, number, raw, repeats, first))
    return found[::-1]


def _entries(
    of_run: IntArray, cluster: IntArray, number: IntArray, raw: IntArray, repeats: IntArray, starts: IntArray
) -> Entries:
    common = raw
    if repeats.size:
        common = raw - np.bincount(repeats, minlength=raw.size)
    return Entries(of_run, cluster, number, common, starts)


def choose_levels(gold: PreparedGold, shares: Shares, levels: list[Entries]) -> LevelChoice:
    """L(c): the smallest first level among the topics that maximise F(c, t); the outlier topic never counts.

    A topic that stays on several levels is seen first on its smallest, so the first level that reaches the
    maximum is the answer, and every topic that reaches it there starts there.
    """
    values = []
    peaks = np.empty((len(levels), shares.n_clusters))
    for i, (level, entries) in enumerate(zip(gold.levels, levels, strict=True)):
        denominator = shares.cluster_sizes[entries.cluster] + gold.sizes[level.topics][entries.number]
        f = 2 * entries.common / denominator
        if gold.has_outliers:
            f[entries.number == level.k - 1] = 0.0
        values.append(f)
        peaks[i] = np.maximum.reduceat(f, entries.starts)
    level_of = peaks.argmax(axis=0)
    best_f = peaks.max(axis=0)
    best_topic = np.full(shares.n_clusters, gold.n_topics)
    for i, (level, entries) in enumerate(zip(gold.levels, levels, strict=True)):
        reached = np.flatnonzero(values[i] == best_f[entries.cluster])
        reached = reached[level_of[entries.cluster[reached]] == i]
        np.minimum.at(best_topic, entries.cluster[reached], level.topics[entries.number[reached]])
    return LevelChoice(level_of + 1, best_topic, best_f)

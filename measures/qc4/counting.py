"""Counting the pages each cluster shares with each topic, and choosing each cluster's level.

An *anchor* is a (page, leaf) pair and a *share* a (cluster, anchor) pair. Sorting shares by cluster and leaf gives
the counts on the finest level; the counts on coarser levels are sums over neighbours, less one for every anchor that
brings a page to a topic a second time. An *entry* is a (cluster, topic) pair with at least one common page.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.hierarchy import IntArray
from measures.qc4.prepared import FloatArray, Leaves, PreparedGold
from measures.qc4.sorting import ranges, run_lengths, run_numbers, run_starts, sorting_order


@dataclass(frozen=True, eq=False)
class Shares:
    """The remaining clusters' memberships as shares, sorted by cluster and leaf.

    Attributes:
        cluster_sizes: (clusters,) pages per cluster.
        cluster: (memberships,) cluster of each membership, ascending.
        page: (memberships,) its page.
        multi: (memberships of multi pages,) which memberships these are.
        extra_ptr: (memberships of multi pages + 1,) where their second and further anchors start below.
        extra_anchor: (extra shares,) index into ``Leaves.anchor_leaf``.
        run_of: (shares,) the run of each share: first one per membership, then the extra shares.
        run_cluster, run_leaf, run_size: (runs,) distinct (cluster, leaf), ascending, and number of shares.
    """

    cluster_sizes: IntArray
    cluster: IntArray
    page: IntArray
    multi: IntArray
    extra_ptr: IntArray
    extra_anchor: IntArray
    run_of: IntArray
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
    number = leaves.multi[pages]
    multi = np.flatnonzero(number >= 0)
    extra_start = leaves.ptr[number[multi]] + 1
    extra_count = leaves.ptr[number[multi] + 1] - extra_start
    extra_anchor = ranges(extra_start, extra_count)
    extra_cluster = np.repeat(cluster[multi], extra_count)
    keys = np.concatenate(
        [cluster * n_leaves + leaves.first[pages], extra_cluster * n_leaves + leaves.anchor_leaf[extra_anchor]]
    )
    order = sorting_order(keys, sizes.size * n_leaves)
    keys = keys[order]
    starts = run_starts(keys[1:] != keys[:-1])
    run_of = np.empty(keys.size, dtype=np.int64)
    run_of[order] = run_numbers(starts, keys.size)
    run_cluster, run_leaf = np.divmod(keys[starts], n_leaves)
    return Shares(
        cluster_sizes=sizes,
        cluster=cluster,
        page=pages,
        multi=multi,
        extra_ptr=np.concatenate([[0], np.cumsum(extra_count)]),
        extra_anchor=extra_anchor,
        run_of=run_of,
        run_cluster=run_cluster,
        run_leaf=run_leaf,
        run_size=run_lengths(starts, keys.size),
    )


def count_levels(gold: PreparedGold, shares: Shares) -> list[Entries]:
    """The entries of every level, coarsest first."""
    shared_level = gold.leaves.shared_level[shares.extra_anchor]
    repeated = np.flatnonzero(shared_level)
    shared_level = shared_level[repeated]
    repeated_run = shares.run_of[shares.page.size + repeated]
    entry = np.arange(shares.run_cluster.size, dtype=np.int64)
    cluster, number, raw = shares.run_cluster, shares.run_leaf, shares.run_size
    found = [_entries(entry, cluster, number, raw, repeated_run[shared_level >= len(gold.levels)], shares.n_clusters)]
    for i in range(len(gold.levels) - 2, -1, -1):
        number = gold.levels[i].of_finer[number]
        starts = run_starts((number[1:] != number[:-1]) | (cluster[1:] != cluster[:-1]))
        entry = run_numbers(starts, number.size)[entry]
        cluster, number, raw = cluster[starts], number[starts], np.add.reduceat(raw, starts)
        repeats = entry[repeated_run[shared_level >= i + 1]]
        found.append(_entries(entry, cluster, number, raw, repeats, shares.n_clusters))
    return found[::-1]


def _entries(
    of_run: IntArray, cluster: IntArray, number: IntArray, raw: IntArray, repeats: IntArray, n_clusters: int
) -> Entries:
    common = raw
    if repeats.size:
        common = raw - np.bincount(repeats, minlength=raw.size)
    return Entries(of_run, cluster, number, common, np.searchsorted(cluster, np.arange(n_clusters)))


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


def anchors_of(leaves: Leaves, shares: Shares) -> tuple[IntArray, IntArray, IntArray]:
    """All shares of multi pages, by membership and then leaf.

    Returns:
        (owner, share, anchor): which multi membership, its position in ``Shares.run_of``, and the anchor.
    """
    count = np.diff(shares.extra_ptr) + 1
    start = np.cumsum(count) - count
    owner = np.repeat(np.arange(count.size), count)
    number = leaves.multi[shares.page[shares.multi]]
    anchor = ranges(leaves.ptr[number], count)
    share = np.empty(owner.size, dtype=np.int64)
    is_first = np.zeros(owner.size, dtype=bool)
    is_first[start] = True
    share[is_first] = shares.multi
    share[~is_first] = shares.page.size + np.arange(shares.extra_anchor.size)
    return owner, share, anchor

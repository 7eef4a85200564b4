"""Cluster quality QU(c) of all clusters at once, each on its own level.

The maximum over all topics tb of the level does not need topics x topics work. For a tb that shares no page with the
cluster, P' depends on the counts |Dct| alone, so one such candidate represents all. For a tb that does, the sums over
the other topics are the cluster's totals, corrected for the topics that share pages with tb inside the cluster.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.measures.qc4.counting import Entries, Shares, Table
from qc4.measures.qc4.prepared import PreparedGold
from qc4.measures.qc4.sorting import ranges, run_lengths, running_count, sort_keys, starts_of
from qc4.model.policies import Recall

NEGLIGIBLE = 1e-12
"""Information below this value times |D| is treated as 0 (see the project's interpretation of QC4, S_random)."""


@dataclass(frozen=True, eq=False)
class OwnEntries:
    """The (cluster, topic) pairs with common pages on the clusters' own levels, by level (finest first), then cluster.

    Attributes:
        of_run: (runs,) the entry of each run of shares.
        cluster, topic: (entries,) the cluster and the topic index (n_topics for the outlier topic).
        common: (entries,) |Dct|, as float.
        single_size: (entries,) the number of pages that are in no other topic of the level, as float.
        order: (clusters,) clusters by level, in the order of their entries.
        starts: (clusters,) the first entry of each cluster in ``order``.
        k: (clusters,) |T_L| of each cluster in ``order``.
        level: (clusters,) L(c), by cluster.
    """

    of_run: IntArray
    cluster: IntArray
    topic: IntArray
    common: FloatArray
    single_size: FloatArray
    order: IntArray
    starts: IntArray
    k: IntArray
    level: IntArray

    @cached_property
    def lengths(self) -> IntArray:
        """(clusters,) the number of entries of each cluster in ``order``."""
        return run_lengths(self.starts, self.common.size)


@dataclass(frozen=True, eq=False)
class Regions:
    """The regions of several topics that have pages in clusters, on the clusters' own levels.

    Attributes:
        cluster, size, common: (cluster regions,) the cluster, |r| and |Dc & r|; numbers of pages are floats.
        ptr: (cluster regions + 1,) where the region's topics start in ``entry``.
        entry: the own entry of each topic of each region.
    """

    cluster: IntArray
    size: FloatArray
    common: FloatArray
    ptr: IntArray
    entry: IntArray


@dataclass(frozen=True, eq=False)
class Quality:
    """(clusters,) E, S_recall, S_random (inf possible) and QU."""

    entropy: FloatArray
    s_recall: FloatArray
    s_random: FloatArray
    quality: FloatArray


@dataclass(frozen=True, eq=False)
class Candidates:
    """The results for each tb: the topics that share pages with the cluster, and one that shares none.

    Attributes:
        entropy: (entries,) |Dc| (H - ln |Dc|), where H is the entropy for tb = the entry's topic; -inf if H is 0.
        recall: (entries,) |Dc| times the sum of P' R'.
        free_entropy, free_recall: (clusters in ``order``,) H and the sum for a tb without common pages.
    """

    entropy: FloatArray
    recall: FloatArray
    free_entropy: FloatArray
    free_recall: FloatArray


def own_entries(gold: PreparedGold, shares: Shares, levels: list[Entries | Table], level_of: IntArray) -> OwnEntries:
    """Return the entries of each cluster on its level; ``level_of``: (clusters,) L(c)."""
    chosen = np.unique(level_of)[::-1].tolist()
    if len(chosen) == 1:
        return _whole_level(gold, shares, levels, level_of)
    of_run = np.empty(shares.run_leaf.size, dtype=np.int64)
    parts: list[tuple[IntArray, IntArray, FloatArray, FloatArray]] = []
    size = 0
    run_level = level_of[shares.run_cluster]
    for chosen_level in chosen:
        level = gold.levels[chosen_level - 1]
        entries = levels[chosen_level - 1].entries(level, shares)
        kept = level_of[entries.cluster] == chosen_level
        renumbered = running_count(kept) + (size - 1)
        runs = np.flatnonzero(run_level == chosen_level)
        of_run[runs] = renumbered[entries.of_run[runs]]
        number = entries.number[kept]
        parts.append((entries.cluster[kept], level.topics[number], entries.common[kept], level.single_sizes[number]))
        size += number.size
    cluster, topic, common, single_size = (np.concatenate(column) for column in zip(*parts, strict=True))
    starts = starts_of(cluster)
    order = cluster[starts]
    k = np.array([level.k for level in gold.levels])[level_of[order] - 1]
    return OwnEntries(of_run, cluster, topic, common, single_size, order, starts, k, level_of)


def _whole_level(gold: PreparedGold, shares: Shares, levels: list[Entries | Table], level_of: IntArray) -> OwnEntries:
    """Return the entries of the only level that clusters chose, which is the usual case."""
    i = int(level_of[0]) - 1
    level = gold.levels[i]
    entries = levels[i].entries(level, shares)
    return OwnEntries(
        of_run=entries.of_run,
        cluster=entries.cluster,
        topic=level.topics[entries.number],
        common=entries.common,
        single_size=level.single_sizes[entries.number],
        order=np.arange(level_of.size),
        starts=entries.starts,
        k=np.full(level_of.size, level.k),
        level=level_of,
    )


def own_regions(gold: PreparedGold, shares: Shares, own: OwnEntries) -> Regions:
    """Group the clusters' pages that are in several topics of the cluster's level by their set of topics."""
    region_of, region_sizes = gold.regions
    multi = shares.multi
    level = own.level[multi.cluster]
    region = region_of[(level - 1) * gold.leaves.n_multi + multi.number]
    placed = np.flatnonzero(region >= 0)
    region = region[placed]
    example, common = _one_of_each(multi.cluster[placed], region, region_sizes, shares.n_clusters)
    region, example = region[example], placed[example]
    # Any page of the region determines the entries of the region's topics.
    count = multi.ptr[example + 1] - multi.ptr[example]
    share = ranges(multi.ptr[example], count)
    new = multi.shared_level[share] < np.repeat(level[example], count)
    before = np.concatenate([[0], running_count(new)])
    return Regions(
        cluster=multi.cluster[example],
        size=region_sizes[region],
        common=common,
        ptr=before[np.concatenate([[0], np.cumsum(count)])],
        entry=own.of_run[multi.run[share[new]]],
    )


def _one_of_each(
    cluster: IntArray, region: IntArray, region_sizes: FloatArray, n_clusters: int
) -> tuple[IntArray, FloatArray]:
    """Return one membership of each (cluster, region), and their number; only regions of several pages need sorting."""
    is_only = region_sizes[region] == 1.0
    only, several = np.flatnonzero(is_only), np.flatnonzero(~is_only)
    bound = max(region_sizes.size, 1)
    keys, order = sort_keys(cluster[several] * bound + region[several], n_clusters * bound)
    starts = starts_of(keys)
    common = np.concatenate([np.ones(only.size), run_lengths(starts, keys.size)])
    return np.concatenate([only, several[order[starts]]]), common


def cluster_quality(
    gold: PreparedGold, shares: Shares, own: OwnEntries, regions: Regions, recall: Recall = "modified"
) -> Quality:
    """Return QU(c) = (1 - E(c)) min(1, S_recall(c), S_random(c))."""
    entropy, s_recall = _best_candidates(shares, own, candidates(gold, shares, own, regions, recall))
    s_random = _s_random(gold, shares, own, regions)
    quality = (1.0 - entropy) * np.minimum(np.minimum(1.0, s_recall), s_random)
    return Quality(entropy, s_recall, s_random, quality)


def _recall_of(gold: PreparedGold, topic: IntArray, common: FloatArray, recall: Recall) -> FloatArray:
    """Return R(c, t) = |Dct| / |Dt| > 0, or R'(c, t) = 2^((R - 1) / (R log2 |Dt|)); both are exactly 1 if R = 1."""
    if recall == "standard":
        return np.asarray(common / gold.sizes[topic])
    # (R - 1) / R = (|Dct| - |Dt|) / |Dct|, a ratio of exact integers.
    return np.asarray(np.exp2((common - gold.sizes[topic]) / (common * gold.log2_sizes[topic])))


def _xlogx(x: FloatArray) -> FloatArray:
    """Return x ln x of counts, 0 for 0."""
    return np.asarray(x * np.log(np.maximum(x, 1.0)))


@dataclass(frozen=True, eq=False)
class _Overlaps:
    """(entries,) sums over the topics that share pages with tb in the cluster, with one tb per entry."""

    pages: FloatArray
    xlogx: FloatArray
    recall: FloatArray


def _overlaps(own: OwnEntries, regions: Regions, recall: FloatArray, xlogx: FloatArray) -> _Overlaps:
    """Return the reduction of the other topics' sums when the pages of tb are removed from them.

    xlogx: sum over t != tb of y ln y - x ln x, with x = |Dct|, y = |Dct without Dtb|;
    recall: sum of (x - y) R'(c, t), or R(c, t); pages: sum of x - y.
    """
    tb, t, shared = _topic_pairs(regions, own.common.size)
    change = _xlogx(own.common[t] - shared) - xlogx[t]
    n = own.common.size
    return _Overlaps(
        np.asarray(np.bincount(tb, weights=shared, minlength=n), dtype=np.float64),
        np.asarray(np.bincount(tb, weights=change, minlength=n), dtype=np.float64),
        np.asarray(np.bincount(tb, weights=shared * recall[t], minlength=n), dtype=np.float64),
    )


def _topic_pairs(regions: Regions, n_entries: int) -> tuple[IntArray, IntArray, FloatArray]:
    """Return ordered pairs of entries of one cluster whose topics share pages in it, and the number of these pages."""
    count = np.diff(regions.ptr)
    if count.max(initial=2) == 2:  # a region of two topics is the only one that they share
        pairs = regions.entry.reshape(-1, 2)
        return pairs.ravel(), pairs[:, ::-1].ravel(), np.repeat(regions.common, 2)
    per_topic = np.repeat(count, count)
    left = np.repeat(regions.entry, per_topic)
    right = regions.entry[ranges(np.repeat(regions.ptr[:-1], count), per_topic)]
    shared = np.repeat(regions.common, count * count)
    different = left != right
    keys, order = sort_keys(left[different] * n_entries + right[different], n_entries * n_entries)
    starts = starts_of(keys)
    left, right = np.divmod(keys[starts], n_entries)
    return left, right, np.add.reduceat(shared[different][order], starts)


def candidates(gold: PreparedGold, shares: Shares, own: OwnEntries, regions: Regions, which: Recall) -> Candidates:
    """Return entropy and recall for every tb."""
    x = own.common
    size = shares.cluster_sizes[own.order].astype(np.float64)
    recall = _recall_of(gold, own.topic, x, which)
    xlogx, weighted_recall = _xlogx(x), x * recall
    total, total_xlogx, total_recall = (np.add.reduceat(v, own.starts) for v in (x, xlogx, weighted_recall))
    overlaps = _overlaps(own, regions, recall, xlogx)

    # tb = the entry's topic: P'(tb) = p = x / |Dc|; the other topics share q = 1 - p in proportion to y = |Dct without
    # Dtb|.
    outside = np.repeat(size, own.lengths) - x
    # Memberships of the cluster's pages in topics other than tb: at least `outside` by R1, so `rest` is 0 only if q is
    # 0.
    rest = np.maximum(np.repeat(total, own.lengths) - x - overlaps.pages, 1.0)
    rest_xlogx = np.repeat(total_xlogx, own.lengths) - xlogx + overlaps.xlogx
    rest_recall = np.maximum(np.repeat(total_recall, own.lengths) - weighted_recall - overlaps.recall, 0.0)
    # |Dc| times the entropy -p ln p - q ln q + q (ln rest - rest_xlogx / rest), without the term |Dc| ln |Dc|.
    entropy = outside * (np.log(rest / np.maximum(outside, 1.0)) - rest_xlogx / rest) - xlogx
    # A cluster inside tb has no other topics: its entropy is exactly 0, without rounding errors.
    entropy[outside == 0.0] = -np.inf
    # Then the recall, p R'(tb) + q rest_recall / rest.
    scaled = weighted_recall + outside * rest_recall / rest
    return Candidates(entropy, scaled, np.log(total) - total_xlogx / total, total_recall / total)


def _best_candidates(shares: Shares, own: OwnEntries, found: Candidates) -> tuple[FloatArray, FloatArray]:
    """Return min E and max S_recall over the best tb with common pages and, if the level has one, a tb without."""
    size = shares.cluster_sizes[own.order].astype(np.float64)
    entropy = np.log(size) + np.minimum.reduceat(found.entropy, own.starts) / size
    scaled = np.maximum.reduceat(found.recall, own.starts) / size
    free = own.lengths < own.k
    entropy = np.where(free, np.minimum(entropy, found.free_entropy), entropy)
    scaled = np.where(free, np.maximum(scaled, found.free_recall), scaled)
    entropy = np.where(own.k > 1, entropy / np.log(np.maximum(own.k, 2)), 0.0)
    return _by_cluster(own, np.clip(entropy, 0.0, 1.0)), _by_cluster(own, np.clip(scaled, 0.0, 1.0))


def _by_cluster(own: OwnEntries, values: FloatArray) -> FloatArray:
    result = np.empty_like(values)
    result[own.order] = values
    return result


def _s_random(gold: PreparedGold, shares: Shares, own: OwnEntries, regions: Regions) -> FloatArray:
    """Return S_random(c): the cluster's information about the regions, relative to 5 % of the smallest of any topic."""
    n, size = gold.n_pages, shares.cluster_sizes.astype(np.float64)
    in_regions = np.repeat(regions.common, np.diff(regions.ptr))
    alone = own.common - np.bincount(regions.entry, weights=in_regions, minlength=own.common.size)
    expected = np.repeat(size[own.order] / n, own.lengths) * np.maximum(own.single_size, 1.0)
    information = _by_cluster(own, np.add.reduceat(alone * np.log(np.maximum(alone, 1.0) / expected), own.starts))
    expected = size[regions.cluster] * regions.size / n
    each = regions.common * np.log(regions.common / expected)
    information += np.bincount(regions.cluster, weights=each, minlength=size.size)
    information[information < NEGLIGIBLE * n] = 0.0
    least = np.array([level.least_information for level in gold.levels])[own.level - 1]
    s_random = np.where(information > 0.0, np.inf, 0.0)
    np.divide(information, 0.05 * least, out=s_random, where=least > NEGLIGIBLE * n)
    return s_random

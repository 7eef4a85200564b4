"""The number of topics and clusters that two pages share, summed over all pairs of pages.

Nearly all pairs share at most one topic and one cluster; their contribution follows from the sizes of topics, clusters
and their intersections. Only pairs that share two or more are examined, and pages with the same topics and clusters are
treated as one group. Pairs are ordered, and each page also forms a pair with itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray
from qc4.inputs.cover import Covers, PageGroups
from qc4.inputs.undefined import check_bound
from qc4.inputs.view import cached
from qc4.model.bounds import PAGE_GROUPS

BLOCK = 1 << 20
"""The number of pairs of page groups processed at a time, which limits memory."""


@dataclass(frozen=True, eq=False)
class CoMembership:
    """Sums over pairs of pages.

    Attributes:
        weight: (groups,) the number of pages in each group.
        precise: (groups,) for a page of the group, the sum over all pages of min(shared clusters, shared topics) /
            shared clusters.
        complete: (groups,) the same sum divided by shared topics.
        cluster_mates: (groups,) the number of pages that share a cluster with a page of the group.
        topic_mates: (groups,) the number of pages that share a topic with it.
        by_clusters: the numbers of pairs that share 0, 1, .. clusters, as exact integers.
        by_topics: the numbers of pairs that share 0, 1, .. topics.
        agreeing: the numbers of pairs that share 0, 1, .. topics and equally many clusters.
    """

    weight: IntArray
    precise: FloatArray
    complete: FloatArray
    cluster_mates: IntArray
    topic_mates: IntArray
    by_clusters: list[int]
    by_topics: list[int]
    agreeing: list[int]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of groups.

    Attributes:
        one: (pairs,) the first group.
        weight: (pairs,) the number of pages in the second group.
        both: (pairs,) the number of pairs of pages.
        topics: (pairs,) the number of shared topics.
        clusters: (pairs,) the number of shared clusters.
    """

    one: IntArray
    weight: IntArray
    both: IntArray
    topics: IntArray
    clusters: IntArray

    def where(self, kept: npt.NDArray[np.bool_]) -> _Pairs:
        return _Pairs(*(getattr(self, name)[kept] for name in ("one", "weight", "both", "topics", "clusters")))


@cached
def co_membership(covers: Covers) -> CoMembership:
    """Count all pairs.

    Raises:
        Undefined: too many page groups share two or more sets.
    """
    groups = covers.groups
    # First assume that every pair shares at most one topic and one cluster. A pair is then counted once per topic and
    # cluster.
    joint, cells = _shared_pages(groups)
    precise, complete = joint.astype(np.float64), joint.astype(np.float64)
    cluster_mates = groups.clusters.astype(np.int64) @ covers.clusters.sizes
    topic_mates = groups.topics.astype(np.int64) @ covers.topics.sizes
    by_clusters, by_topics = ([0] * (int(np.diff(part.indptr).max()) + 1) for part in (groups.clusters, groups.topics))
    agreeing = [0] * min(len(by_clusters), len(by_topics))
    overcounted, sharing_both = 0, 0
    # Then correct the pairs that share more.
    for pairs in _sharing_several(groups, groups.clusters):
        _subtract(cluster_mates, pairs, pairs.clusters - 1)
        _tally(by_clusters, pairs.clusters, pairs.both)
        pairs = pairs.where(pairs.topics > 0)
        _correct(precise, complete, pairs)
        same = pairs.topics == pairs.clusters
        _tally(agreeing, pairs.clusters[same], pairs.both[same])
        overcounted += int((pairs.both * pairs.topics * pairs.clusters).sum())
        sharing_both += int(pairs.both.sum())
    for pairs in _sharing_several(groups, groups.topics):
        _subtract(topic_mates, pairs, pairs.topics - 1)
        _tally(by_topics, pairs.topics, pairs.both)
        pairs = pairs.where(pairs.clusters == 1)  # pairs that share more were corrected above
        _correct(precise, complete, pairs)
        overcounted += int((pairs.both * pairs.topics).sum())
        sharing_both += int(pairs.both.sum())
    agreeing[1] = cells - overcounted
    _complete(by_clusters, int((covers.clusters.sizes**2).sum()), covers.n)
    _complete(by_topics, int((covers.topics.sizes**2).sum()), covers.n)
    agreeing[0] = by_clusters[0] + by_topics[0] - covers.n**2 + sharing_both + agreeing[1]
    return CoMembership(groups.weight, precise, complete, cluster_mates, topic_mates, by_clusters, by_topics, agreeing)


def _correct(precise: FloatArray, complete: FloatArray, pairs: _Pairs) -> None:
    """Replace topics x clusters, as counted by `_shared_pages`, by min(topics, clusters) / clusters and / topics."""
    smaller = np.minimum(pairs.topics, pairs.clusters)
    counted = pairs.topics * pairs.clusters
    precise += np.bincount(pairs.one, pairs.weight * (smaller / pairs.clusters - counted), precise.size)
    complete += np.bincount(pairs.one, pairs.weight * (smaller / pairs.topics - counted), complete.size)


def _subtract(mates: IntArray, pairs: _Pairs, surplus: IntArray) -> None:
    np.subtract.at(mates, pairs.one, pairs.weight * surplus)


def _tally(counts: list[int], shared: IntArray, both: IntArray) -> None:
    sums = np.zeros(len(counts), dtype=np.int64)
    np.add.at(sums, shared, both)
    for number, count in enumerate(sums.tolist()):
        counts[number] += count


def _complete(counts: list[int], memberships: int, n: int) -> None:
    """Fill in the numbers of pairs that share one set or none, from the pairs counted once per shared set."""
    counts[1] = memberships - sum(number * count for number, count in enumerate(counts))
    counts[0] = n**2 - sum(counts)


def _shared_pages(groups: PageGroups) -> tuple[IntArray, int]:
    """Return (groups,) the pages shared by each topic and cluster of a group, summed; and the sum over all pages."""
    topic, cluster, group = _topics_times_clusters(groups)
    key = topic * groups.clusters.shape[1] + cluster
    cell = np.unique(key, return_inverse=True)[1]
    # bincount's weights are floats, exact for counts below 2^53.
    size = np.bincount(cell, groups.weight[group]).astype(np.int64)
    joint = np.bincount(group, size[cell], groups.weight.size).astype(np.int64)
    return joint, int((size**2).sum())


def _topics_times_clusters(groups: PageGroups) -> tuple[IntArray, IntArray, IntArray]:
    """Return every combination of a topic and a cluster of a group, as topic, cluster and group indexes."""
    n_clusters = np.diff(groups.clusters.indptr).astype(np.int64)
    owner = np.repeat(np.arange(groups.weight.size), np.diff(groups.topics.indptr))
    times = n_clusters[owner]
    entry = np.repeat(np.arange(owner.size), times)
    offset = np.arange(entry.size) - np.repeat(np.cumsum(times) - times, times)
    group = owner[entry]
    cluster = groups.clusters.indices[groups.clusters.indptr[group].astype(np.int64) + offset]
    return groups.topics.indices[entry].astype(np.int64), cluster.astype(np.int64), group


def _sharing_several(groups: PageGroups, own: sp.csr_array) -> Iterator[_Pairs]:
    """Yield all pairs of groups that share two or more of the sets ``own``, in blocks."""
    several = np.flatnonzero(np.diff(own.indptr) > 1)
    if not several.size:
        return
    table = sp.csr_array(own[several].astype(np.int64))
    turned = sp.csr_array(table.T)
    mates = (table @ np.diff(turned.indptr)).astype(np.int64)  # upper bound of the entries per row of the product
    check_bound(PAGE_GROUPS, int(mates.sum()), "topics and clusters")
    block_of = np.cumsum(mates) // BLOCK
    for rows in np.split(np.arange(several.size), np.flatnonzero(np.diff(block_of)) + 1):
        product = sp.coo_array(table[rows] @ turned)
        kept = product.data > 1
        one, other = several[rows[product.row[kept]]], several[product.col[kept]]
        yield _Pairs(
            one,
            groups.weight[other],
            groups.weight[one] * groups.weight[other],
            _shared(groups.topics, one, other),
            _shared(groups.clusters, one, other),
        )


def _shared(sets: sp.csr_array, one: IntArray, other: IntArray) -> IntArray:
    """Return (pairs,) the number of sets that the groups of each pair share."""
    return np.asarray(sp.csr_array(sets[one].multiply(sets[other])).sum(axis=1), dtype=np.int64).reshape(-1)

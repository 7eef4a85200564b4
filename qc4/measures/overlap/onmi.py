"""Overlapping normalised mutual information, by Lancichinetti, Fortunato & Kertész and by McDaid, Greene & Hurley.

Each topic and each cluster is a binary variable over the pages. What is unexplained of a topic is its entropy given the
one cluster that explains it best; a cluster that explains it as a complement would does not count. Entropies in nats.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray
from qc4.clustering.containment import shared_pages
from qc4.measures.registry import measure
from qc4.views.covers import COVERS, Covers
from qc4.views.remembered import remembered
from qc4.views.view import FLAT_CLUSTERS


@measure(
    COVERS,
    key="onmi_lfk",
    title="ONMI (LFK)",
    family="overlap",
    meaning="How much clusters and topics explain of each other, as the mean of each one's share.",
    formula="1 − (mean_t H(t|C) / H(t) + mean_c H(c|T) / H(c)) / 2, H(t|C) = min_c H(t|c)",
    source="lancichinetti2009, appendix B",
    accepts=FLAT_CLUSTERS,
    symmetric=True,
)
def onmi_lfk(covers: Covers) -> float:
    return 1.0 - (_unexplained_share(covers) + _unexplained_share(covers.swapped)) / 2


@measure(
    COVERS,
    key="onmi_mgh",
    title="ONMI (MGH)",
    family="overlap",
    meaning="How much clusters and topics explain of each other, over the larger of both entropies.",
    formula="I / max(H(T), H(C)), I = (H(T) − H(T|C) + H(C) − H(C|T)) / 2, H(T) = Σ_t H(t), H(T|C) = Σ_t min_c H(t|c)",
    source="mcdaid2011",
    accepts=FLAT_CLUSTERS,
    symmetric=True,
)
def onmi_mgh(covers: Covers) -> float:
    """1 where all topics and clusters hold every page: then they are the same."""
    sides = [covers, covers.swapped]
    whole = [math.fsum(_entropy(side.topics.sizes, side.n)) for side in sides]
    explained = [total - math.fsum(_unexplained(side)) for total, side in zip(whole, sides, strict=True)]
    return max(0.0, sum(explained)) / (2 * max(whole)) if max(whole) else 1.0


def _unexplained_share(covers: Covers) -> float:
    """Mean over topics of H(t|C) / H(t). A topic of all pages, where that is 0/0, is explained by its like only."""
    entropy = _entropy(covers.topics.sizes, covers.n)
    share = np.full(entropy.size, 0.0 if (covers.clusters.sizes == covers.n).any() else 1.0)
    np.divide(_unexplained(covers), entropy, out=share, where=covers.topics.sizes < covers.n)
    return math.fsum(share) / share.size


@remembered
def _unexplained(covers: Covers) -> FloatArray:
    """(topics,) H(t|C), at most H(t)."""
    n, topic_sizes, cluster_sizes = covers.n, covers.topics.sizes, covers.clusters.sizes
    least = _entropy(topic_sizes, n)
    product = shared_pages(covers.topics.incidence, covers.clusters.incidence)
    cells = sp.coo_array(product)
    together = cells.row.astype(np.int64), cells.col.astype(np.int64), cells.data.astype(np.int64)
    for topic, cluster, shared in (together, *_apart(product, topic_sizes, cluster_sizes, n)):
        sizes = topic_sizes[topic], cluster_sizes[cluster]
        np.minimum.at(least, topic, _conditional(*sizes, shared, n, otherwise=least[topic]))
    return least


def _apart(
    product: sp.csr_array, topic_sizes: IntArray, cluster_sizes: IntArray, n: int
) -> list[tuple[IntArray, IntArray, IntArray]]:
    """Topics and clusters without a common page that may still explain each other.

    They do so only where together they hold at least half of the pages, so one of them holds a quarter: there are few
    of those, and each is compared with all others.
    """
    found = []
    for table, sizes in ((product, topic_sizes), (sp.csr_array(product.T), cluster_sizes)):
        large = np.flatnonzero(4 * sizes >= n)
        one, other = np.nonzero(table[large].toarray() == 0) if large.size else (large, large)
        found.append((large[one], other.astype(np.int64), np.zeros(one.size, dtype=np.int64)))
    by_topic, (cluster, topic, nothing) = found
    return [by_topic, (topic, cluster, nothing)]


def _entropy(sizes: IntArray, n: int) -> FloatArray:
    """H of "the page is in the set", for sets of these sizes."""
    return _term(sizes, n) + _term(n - sizes, n)


def _conditional(topic: IntArray, cluster: IntArray, shared: IntArray, n: int, otherwise: FloatArray) -> FloatArray:
    """H(t|c) for topics and clusters of these sizes, as a sum without negative terms.

    It is ``otherwise`` where the cluster is more like the topic's complement.
    """
    only_topic, only_cluster = topic - shared, cluster - shared
    neither = n - topic - only_cluster
    alike = _term(neither, n) + _term(shared, n) >= _term(only_topic, n) + _term(only_cluster, n)
    inside = _term(shared, cluster) + _term(only_cluster, cluster)
    outside = _term(only_topic, n - cluster) + _term(neither, n - cluster)
    return np.where(alike, (cluster * inside + (n - cluster) * outside) / n, otherwise)


def _term(part: IntArray, whole: IntArray | int) -> FloatArray:
    """-p ln p for p = part / whole; 0 for p = 0."""
    share = np.asarray(part / np.maximum(whole, 1), dtype=np.float64)
    return -share * np.log(share, out=np.zeros_like(share), where=share > 0)

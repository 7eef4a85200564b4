"""The classic measures that the QC4 paper compares QC4 with, over any set of topics.

The set is the topics of one level, or all topics of all levels (level ``all``, the paper's variant; a topic on several
levels is one topic). It includes the outlier topic, and clusters of outliers are not removed. Topics and clusters may
overlap, and no scoring option applies. A mean over no clusters is 0.

Source: Crabtree, Andreae & Gao, PAKDD 2007, section 2.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray
from qc4.inputs.view import EACH_LEVEL_AND_ALL, FLAT_CLUSTERS, Level, View
from qc4.measures.registry import measure
from qc4.model.case import Case
from qc4.model.hierarchy import Hierarchy
from qc4.model.nesting import shared_pages
from qc4.model.policies import Policies


@dataclass(frozen=True, eq=False)
class TopicSet:
    """A set of topics, and the clusters.

    Attributes:
        clusters: (clusters, pages) 0/1 CSR incidence.
        topics: (topics, pages) 0/1 CSR incidence without empty rows.
    """

    clusters: sp.csr_array
    topics: sp.csr_array

    @cached_property
    def cluster_sizes(self) -> IntArray:
        return np.diff(self.clusters.indptr).astype(np.int64)

    @cached_property
    def topic_sizes(self) -> IntArray:
        return np.diff(self.topics.indptr).astype(np.int64)

    @cached_property
    def _cells(self) -> sp.coo_array:
        return sp.coo_array(shared_pages(self.clusters, self.topics))

    @property
    def shared(self) -> IntArray:
        """(cells,) |Dct| of each cluster and topic with a common page."""
        return self._cells.data

    @cached_property
    def cluster_of(self) -> IntArray:
        """(cells,) the cluster of each cell."""
        return self._cells.row.astype(np.int64)

    @cached_property
    def topic_of(self) -> IntArray:
        """(cells,) the topic of each cell."""
        return self._cells.col.astype(np.int64)

    @cached_property
    def precision(self) -> FloatArray:
        """(cells,) P(c,t)."""
        return self.shared / self.cluster_sizes[self.cluster_of]

    @cached_property
    def largest(self) -> IntArray:
        """(clusters,) the largest |Dct| of each cluster."""
        largest = np.zeros(self.cluster_sizes.size, dtype=np.int64)
        np.maximum.at(largest, self.cluster_of, self.shared)
        return largest

    @property
    def purity(self) -> FloatArray:
        """(clusters,) Precision(c), the largest P(c,t) of each cluster."""
        return self.largest / self.cluster_sizes

    @cached_property
    def entropy(self) -> FloatArray:
        """(clusters,) Entropy(c) with logs to base |T|; 0 if there is one topic."""
        terms = -self.precision * np.log(self.precision)
        total = np.bincount(self.cluster_of, terms, self.cluster_sizes.size).astype(np.float64)
        return total / math.log(self.topic_sizes.size) if self.topic_sizes.size > 1 else np.zeros(total.size)

    @cached_property
    def f_measure(self) -> FloatArray:
        """(clusters,) F(c), the largest F(c,t) of each cluster."""
        best = np.zeros(self.cluster_sizes.size)
        f = 2 * self.shared / (self.cluster_sizes[self.cluster_of] + self.topic_sizes[self.topic_of])
        np.maximum.at(best, self.cluster_of, f)
        return best

    @cached_property
    def covered(self) -> IntArray:
        """(topics,) pages of each topic in the clusters that match it best (all with the largest |Dct|).

        Loops over the topics of each membership and not over topics x pages of a cluster, because one cluster can be
        tied for many topics.
        """
        n_topics, n_pages = self.topics.shape
        best = self.shared == self.largest[self.cluster_of]
        page = self.clusters.indices.astype(np.int64)
        cluster = np.repeat(np.arange(self.cluster_sizes.size), self.cluster_sizes)
        topics_of_member = sp.csr_array(self.topics.T)[page]
        member = np.repeat(np.arange(page.size), np.diff(topics_of_member.indptr))
        topic = topics_of_member.indices.astype(np.int64)
        matched = np.isin(
            cluster[member] * n_topics + topic, self.cluster_of[best] * n_topics + self.topic_of[best], kind="sort"
        )
        pages_of_topics = np.unique(topic[matched] * n_pages + page[member[matched]])
        return np.bincount(pages_of_topics // n_pages, minlength=n_topics).astype(np.int64)

    @property
    def recall(self) -> FloatArray:
        """(topics,) Recall(t), the fraction of each topic's pages that are ``covered``."""
        return self.covered / self.topic_sizes


def _topic_set(case: Case, level: Level, policies: Policies) -> TopicSet:
    """Return the topics of a level, or of all levels, with the outlier topic unless it is empty."""
    hierarchy = case.gold.hierarchy
    topics = hierarchy.pages[hierarchy.topics_on(level)] if isinstance(level, int) else hierarchy.pages
    return TopicSet(case.clusters, _with_outliers(topics, hierarchy))


def _with_outliers(topics: sp.csr_array, hierarchy: Hierarchy) -> sp.csr_array:
    if not hierarchy.outliers.size:
        return sp.csr_array(topics)
    outliers = sp.csr_array(
        (np.ones(hierarchy.outliers.size, dtype=topics.dtype), hierarchy.outliers, [0, hierarchy.outliers.size]),
        shape=(1, hierarchy.n_pages),
    )
    return sp.csr_array(sp.vstack([topics, outliers], format="csr"))


TOPIC_SET: View[TopicSet] = View(_topic_set, EACH_LEVEL_AND_ALL)
"""Input of measures that compare clusters with a set of topics."""


def _mean(values: FloatArray, weights: IntArray | None = None) -> float:
    """Return the mean, from an exact sum so that the order does not matter; 0 if there are no values."""
    if weights is None:
        return math.fsum(values) / values.size if values.size else 0.0
    total = int(weights.sum())
    return math.fsum(values * weights) / total if total else 0.0


@measure(
    TOPIC_SET,
    key="ap",
    title="Average precision",
    family="classic",
    meaning="Mean purity of the clusters.",
    formula="AP = mean_c max_t |D_ct| / |D_c|",
    source="crabtree2007, section 2.2",
    accepts=FLAT_CLUSTERS,
)
def ap(topics: TopicSet) -> float:
    return _mean(topics.purity)


@measure(
    TOPIC_SET,
    key="wp",
    title="Weighted precision",
    family="classic",
    meaning="Mean purity of the clusters, weighted by their sizes.",
    formula="WP = Σ_c max_t |D_ct| / Σ_c |D_c|",
    source="crabtree2007, section 2.2",
    accepts=FLAT_CLUSTERS,
)
def wp(topics: TopicSet) -> float:
    total = int(topics.cluster_sizes.sum())
    return int(topics.largest.sum()) / total if total else 0.0


@measure(
    TOPIC_SET,
    key="ae",
    title="Average entropy",
    family="classic",
    meaning="Mean entropy of the clusters over the topics; it can exceed 1 if topics overlap.",
    formula="AE = mean_c −Σ_t P(c,t) log_|T| P(c,t)",
    source="crabtree2007, section 2.2",
    high=None,
    better="lower",
    accepts=FLAT_CLUSTERS,
)
def ae(topics: TopicSet) -> float:
    return _mean(topics.entropy)


@measure(
    TOPIC_SET,
    key="we",
    title="Weighted entropy",
    family="classic",
    meaning="Mean entropy of the clusters over the topics, weighted by their sizes.",
    formula="WE = Σ_c |D_c| Entropy(c) / Σ_c |D_c|",
    source="crabtree2007, section 2.2",
    high=None,
    better="lower",
    accepts=FLAT_CLUSTERS,
)
def we(topics: TopicSet) -> float:
    return _mean(topics.entropy, topics.cluster_sizes)


@measure(
    TOPIC_SET,
    key="ar",
    title="Average recall",
    family="classic",
    meaning="Mean fraction of a topic's pages that are in the clusters that match it best.",
    formula="AR = mean_t |⋃_{c ∈ C_t} D_ct| / |D_t|",
    source="crabtree2007, section 2.2",
    accepts=FLAT_CLUSTERS,
)
def ar(topics: TopicSet) -> float:
    return _mean(topics.recall)


@measure(
    TOPIC_SET,
    key="wr",
    title="Weighted recall",
    family="classic",
    meaning="Fraction of the topics' pages that are in the clusters that match them best, weighted by topic size.",
    formula="WR = Σ_t |⋃_{c ∈ C_t} D_ct| / Σ_t |D_t|",
    source="crabtree2007, section 2.2",
    accepts=FLAT_CLUSTERS,
)
def wr(topics: TopicSet) -> float:
    total = int(topics.topic_sizes.sum())
    return int(topics.covered.sum()) / total if total else 0.0


@measure(
    TOPIC_SET,
    key="f",
    title="F-measure",
    family="classic",
    meaning="Mean F-measure of each cluster with its best topic, weighted by cluster size.",
    formula="F = Σ_c |D_c| max_t F(c,t) / Σ_c |D_c|, F(c,t) = 2|D_ct| / (|D_c| + |D_t|)",
    source="crabtree2007, section 2.2",
    accepts=FLAT_CLUSTERS,
)
def f(topics: TopicSet) -> float:
    return _mean(topics.f_measure, topics.cluster_sizes)


@measure(
    TOPIC_SET,
    key="mi",
    title="Mutual information (paper)",
    family="classic",
    meaning="Correspondence of clusters and topics over all pairs; with overlap it can exceed 1 or be negative.",
    formula="MI = (2/|D|) Σ_c Σ_t |D_ct| log_{|C||T|}(|D_ct||D| / (|D_c||D_t|))",
    source="crabtree2007, section 2.2",
    low=None,
    high=None,
    accepts=FLAT_CLUSTERS,
    symmetric=True,
)
def mi(topics: TopicSet) -> float:
    base = topics.cluster_sizes.size * topics.topic_sizes.size
    if base <= 1:
        return 0.0
    n_pages = topics.topics.shape[1]
    expected = topics.cluster_sizes[topics.cluster_of] * topics.topic_sizes[topics.topic_of]
    surplus = (topics.shared * n_pages - expected) / expected
    # ln(1 + surplus) is used near 1, where ln(ratio) would lose digits, and ln(ratio) near 0.
    near = np.abs(surplus) < 0.5
    logs = np.log(topics.shared * n_pages / expected)
    logs[near] = np.log1p(surplus[near])
    return 2 * math.fsum(topics.shared * logs) / (n_pages * math.log(base))

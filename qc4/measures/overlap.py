"""Measures made for overlap: pages may be in several topics and clusters. Importing the package declares them all."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.inputs.co_membership import co_membership
from qc4.inputs.cover import ALL_TOPICS, COVERS, GIVEN_SETS, Covers, GivenSets, PageSets
from qc4.inputs.undefined import Undefined, refuse_too_much
from qc4.inputs.view import ANY_CLUSTERS, FLAT_CLUSTERS, remembered
from qc4.measures.parameters import BETA, f_measure
from qc4.measures.registry import measure
from qc4.model.bounds import LINKED_SETS, PAGE_GROUPS
from qc4.model.nesting import depths, shared_pages

# Extended BCubed: for each page, how right its company is. Pages weigh alike, and each counts itself. Two pages that
# share v clusters and l topics contribute the multiplicity precision min(v, l) / v and the multiplicity recall min(v,
# l) / l. Source: Amigó et al., A comparison of extrinsic clustering evaluation metrics based on formal constraints,
# Information Retrieval 12, 2009, section 6.


@measure(
    COVERS,
    key="bcubed_precision",
    title="BCubed precision",
    family="overlap",
    meaning="Mean over pages of the share of a page's cluster mates that belong with it, as often as they are joined.",
    formula="mean_d mean_{d': C(d) ∩ C(d') ≠ ∅} min(|C(d) ∩ C(d')|, |T(d) ∩ T(d')|) / |C(d) ∩ C(d')|",
    source="amigo2009",
    accepts=FLAT_CLUSTERS,
)
def bcubed_precision(covers: Covers) -> float:
    pairs = co_membership(covers)
    return min(1.0, math.fsum(pairs.weight * (pairs.precise / pairs.cluster_mates)) / covers.n)


@measure(
    COVERS,
    key="bcubed_recall",
    title="BCubed recall",
    family="overlap",
    meaning="Mean over pages of the share of a page's topic mates that are joined with it, as often as they belong.",
    formula="mean_d mean_{d': T(d) ∩ T(d') ≠ ∅} min(|C(d) ∩ C(d')|, |T(d) ∩ T(d')|) / |T(d) ∩ T(d')|",
    source="amigo2009",
    accepts=FLAT_CLUSTERS,
)
def bcubed_recall(covers: Covers) -> float:
    pairs = co_membership(covers)
    return min(1.0, math.fsum(pairs.weight * (pairs.complete / pairs.topic_mates)) / covers.n)


@measure(
    COVERS,
    key="bcubed_f",
    title="BCubed F{beta}",
    family="overlap",
    meaning="Harmonic mean of BCubed precision and recall in which recall counts β times as much, β = {beta}.",
    formula="(1 + β²) · precision · recall / (β² · precision + recall), β = {beta}",
    source="amigo2009; rijsbergen1979, chapter 7",
    accepts=FLAT_CLUSTERS,
    symmetric=True,
    parameters=(BETA,),
    stored={"bcubed_f": 1, "bcubed_f2": 2, "bcubed_f5": 5},
)
def bcubed_f(covers: Covers, beta: float = 1) -> float:
    return f_measure(bcubed_precision(covers), bcubed_recall(covers), beta)


# Reliability and sensitivity: of what a clustering says about two pages, how much does the gold standard say, too? A
# clustering, as a gold standard, says of two pages that they belong together (both are in one cluster), or that one
# counts and the other does not (one is in a cluster, the other in none; in the gold standard, one is in a topic, the
# other an outlier). For each page the share of its statements that the other side makes, too; then the mean over
# pages. Each page belongs with itself. Pages that share v clusters and l topics count min(v, l) / v, as in extended
# BCubed, which is what this becomes where no page is an outlier or unclustered. Source: Amigó, Gonzalo & Verdejo, A
# general evaluation measure for document organization tasks, SIGIR 2013.

PRIORITY = "A page in a cluster comes before one in none, a page in a topic before an outlier."


@remembered
def _right_order(sets: GivenSets) -> IntArray:
    """(groups,) how many pages both sides put before a page of the group, or after it."""
    kept, dropped = sets.placed & sets.clustered, ~sets.placed & ~sets.clustered
    return _by_group(sets, np.where(kept, dropped.sum(), np.where(dropped, kept.sum(), 0)))


def _order(sets: GivenSets, counted: BoolArray) -> IntArray:
    """(groups,) how many pages one side puts before a page of the group, or after it.

    Args:
        counted: (pages,) the pages that it puts before all others.
    """
    return _by_group(sets, np.where(counted, (~counted).sum(), counted.sum()))


def _by_group(sets: GivenSets, numbers: IntArray) -> IntArray:
    return numbers[sets.covers.groups.page]


def _mean(sets: GivenSets, shares: FloatArray) -> float:
    """The mean over pages of what holds for the pages of each group."""
    return min(1.0, math.fsum(sets.covers.groups.weight * shares) / sets.n)


@measure(
    GIVEN_SETS,
    key="reliability",
    title="Reliability",
    family="overlap",
    meaning="Share of what the clustering says of a page and others (together; one counts, the other does not) that "
    "the gold standard says, too.",
    formula="mean_d (Σ_{d' ∈ M(d)} min(v,l) / v + r(d)) / (|M(d)| + o(d)), M(d) the pages in clusters of d, "
    "v the clusters and l the topics that d shares with d', o(d) the number of pages that the clustering puts before "
    "or after d, r(d) the number of these where the gold standard does the same",
    source="amigo2013",
    accepts=FLAT_CLUSTERS,
    degenerate=f"{PRIORITY} Without outliers and unclustered pages this is BCubed precision.",
)
def reliability(sets: GivenSets) -> float:
    pairs = co_membership(sets.covers)
    return _mean(sets, (pairs.precise + _right_order(sets)) / (pairs.cluster_mates + _order(sets, sets.clustered)))


@measure(
    GIVEN_SETS,
    key="sensitivity",
    title="Sensitivity",
    family="overlap",
    meaning="Share of what the gold standard says of a page and others (together; one counts, the other does not) that "
    "the clustering says, too.",
    formula="mean_d (Σ_{d' ∈ M(d)} min(v,l) / l + r(d)) / (|M(d)| + o(d)), M(d) the pages in topics of d, "
    "v the clusters and l the topics that d shares with d', o(d) the number of pages that the gold standard puts "
    "before or after d, r(d) the number of these where the clustering does the same",
    source="amigo2013",
    accepts=FLAT_CLUSTERS,
    degenerate=f"{PRIORITY} Without outliers and unclustered pages this is BCubed recall.",
)
def sensitivity(sets: GivenSets) -> float:
    pairs = co_membership(sets.covers)
    return _mean(sets, (pairs.complete + _right_order(sets)) / (pairs.topic_mates + _order(sets, sets.placed)))


@measure(
    GIVEN_SETS,
    key="reliability_sensitivity_f",
    title="F(R, S)",
    family="overlap",
    meaning="Harmonic mean of reliability and sensitivity.",
    formula="2 · reliability · sensitivity / (reliability + sensitivity)",
    source="amigo2013",
    accepts=FLAT_CLUSTERS,
    symmetric=True,
    degenerate=f"{PRIORITY} Without outliers and unclustered pages this is BCubed F.",
)
def reliability_sensitivity_f(sets: GivenSets) -> float:
    return f_measure(reliability(sets), sensitivity(sets))


# F1 of SemEval-2013 task 11: a cluster is tagged with its most frequent topic, and right where its pages have that.
# Precision counts memberships in clusters. Recall counts memberships in topics, each once however many clusters with
# the topic hold the page. Unclustered pages lower recall only; outliers in clusters lower precision only. Sources:
# Crabtree, Gao & Andreae, Improving web clustering by cluster selection, WI 2005; Navigli & Vannella, SemEval-2013
# task 11, section 4.


@measure(
    GIVEN_SETS,
    key="semeval_f1",
    title="SemEval F1",
    family="overlap",
    meaning="Harmonic mean of precision and recall of pages tagged with the most frequent topic of their cluster.",
    formula="2 P R / (P + R), P = Σ_c |c ∩ t_c| / Σ_c |c|, R = Σ_t |⋃_{c: t_c = t} (c ∩ t)| / Σ_t |t|, "
    "t_c the most frequent topic of c",
    source="navigli2013; crabtree2005",
    accepts=FLAT_CLUSTERS,
    degenerate="Of equally frequent topics each is a cluster's tag with the same chance, and recall is what is to be "
    "expected. Outliers are in no topic, unclustered pages in no cluster. Without overlap and where every page is in a "
    "topic and in a cluster, this is purity. Without a cluster it is 0.",
)
def semeval_f1(sets: GivenSets) -> float:
    if not sets.topics.nnz:
        raise Undefined("no topic has a page")
    shared = shared_pages(sets.clusters, sets.topics)
    largest = shared.max(axis=1).toarray().ravel()
    if not largest.any():
        return 0.0
    precision = int(largest.sum()) / sets.clusters.nnz
    return f_measure(precision, math.fsum(_found(sets, shared, largest)) / sets.topics.nnz)


def _found(sets: GivenSets, shared: sp.csr_array, largest: IntArray) -> FloatArray:
    """The chance of each topic membership to be found: that not every cluster of the page has another tag.

    Args:
        shared: (clusters, topics) pages in both.
        largest: (clusters,) the most pages of a topic.
    """
    cluster = np.repeat(np.arange(largest.size), np.diff(shared.indptr))
    tags = sp.csr_array(shared.copy())
    tags.data = (shared.data == largest[cluster]).astype(np.int64)
    tags.eliminate_zeros()
    other = 1 - 1 / np.maximum(np.diff(tags.indptr), 1)  # (clusters,) the chance of a possible tag not to be the one
    place, missed = _tagged(sets, tags, other)
    _, start = np.unique(place, return_index=True)
    return 1 - np.multiply.reduceat(missed, start)


def _tagged(sets: GivenSets, tags: sp.csr_array, other: FloatArray) -> tuple[IntArray, FloatArray]:
    """Each membership of a cluster with each of its tags that is a topic of the page, sorted by page and topic.

    Returns:
        (found,) a number for page and topic, and the chance that the cluster has another tag.
    """
    n_topics, member = sets.topics.shape[0], sets.clusters.indices.astype(np.int64)
    cluster = np.repeat(np.arange(tags.shape[0]), np.diff(sets.clusters.indptr))
    topics = sp.csr_array(sets.topics.T)[member]
    row = np.repeat(np.arange(member.size), np.diff(topics.indptr))
    topic = topics.indices.astype(np.int64)
    possible = np.repeat(np.arange(tags.shape[0]), np.diff(tags.indptr)) * n_topics + tags.indices
    kept = np.isin(cluster[row] * n_topics + topic, possible, kind="sort")
    place = member[row[kept]] * n_topics + topic[kept]
    order = np.argsort(place, kind="stable")
    return place[order], other[cluster[row[kept]]][order]


# Omega: the adjusted Rand index for overlap. Two pages agree when they share as many topics as clusters.


@measure(
    COVERS,
    key="omega",
    title="Omega",
    family="overlap",
    meaning="Share of page pairs that share equally many topics and clusters, corrected for chance.",
    formula="(o − e) / (1 − e), o = Σ_j |P_j(T) ∩ P_j(C)| / N, e = Σ_j |P_j(T)| |P_j(C)| / N², "
    "P_j: the pairs that share exactly j sets, N: all pairs",
    source="collins1988",
    low=-1.0,
    accepts=FLAT_CLUSTERS,
    symmetric=True,
)
def omega(covers: Covers) -> float:
    """All sums are exact integers. Where every pair agrees it is 1, also where chance could do no worse."""
    counted = co_membership(covers)
    of_topics, of_clusters = _memberships(covers.topics), _memberships(covers.clusters)
    pairs = covers.n * (covers.n - 1)
    agreeing = sum(counted.agreeing) - int((of_topics == of_clusters).sum())
    if agreeing == pairs:
        return 1.0
    by_topics = _without_self(counted.by_topics, of_topics)
    by_clusters = _without_self(counted.by_clusters, of_clusters)
    expected = sum(one * other for one, other in zip(by_topics, by_clusters, strict=False))
    return (agreeing * pairs - expected) / (pairs**2 - expected)


def _memberships(sets: PageSets) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """(pages,) how many sets each page is in, and so shares with itself."""
    return np.diff(sets.by_page.indptr).astype(np.int64)


def _without_self(counts: list[int], memberships: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    own = np.bincount(memberships, minlength=len(counts)).tolist()
    return [count - alone for count, alone in zip(counts, own, strict=True)]


# Overlapping normalised mutual information, by Lancichinetti, Fortunato & Kertész and by McDaid, Greene & Hurley.
# Each topic and each cluster is a binary variable over the pages. What is unexplained of a topic is its entropy given
# the one cluster that explains it best; a cluster that explains it as a complement would does not count. Entropies in
# nats.


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


# The random walk over pages and sets behind element-centric similarity, in closed form.

ALPHA = 0.9
"""Probability that the walk goes on instead of returning to its start."""

WALK_BLOCK = 1 << 20
"""Numbers in a block of rows; bounds the memory."""


class Walk:
    """Where walks from pages lead, per kind of page (pages in the same sets), apart from the walk's own start.

    Attributes:
        part_of: (kinds,) the part of the sets that hang together by common pages which the kind belongs to.
        n_parts: number of those parts.

    Raises:
        Undefined: too many sets hang together.
    """

    def __init__(self, sets: PageSets, weights: FloatArray | None = None) -> None:
        _, first, pages = np.unique(sets.kind_of, return_index=True, return_counts=True)
        member = sets.by_page[first].astype(np.float64)  # (kinds, sets)
        graph = _bipartite(member)
        self.n_parts, part = connected_components(graph, directed=False)
        self.part_of: IntArray = part[: first.size].astype(np.int64)
        set_part: IntArray = part[first.size :].astype(np.int64)
        self._n_sets = np.bincount(set_part, minlength=self.n_parts)
        linked = self._n_sets[self._n_sets > 1].astype(np.int64)
        # Several parts count as one whose table is as large as theirs together.
        refuse_too_much(LINKED_SETS, math.ceil(math.sqrt((linked**2).sum())), "topics and clusters")
        order = np.argsort(set_part, kind="stable")
        self._sets = np.split(order, np.cumsum(self._n_sets)[:-1])
        self._sizes = sets.sizes
        weighted = member if weights is None else sp.csr_array(member * weights[None, :])
        self._out = sp.csr_array(weighted / weighted.sum(axis=1)[:, None])
        self._back = sp.csr_array(sp.csr_array(member / sets.sizes[None, :]).T)  # (sets, kinds)
        self._pages = pages
        self._solved: dict[int, FloatArray] = {}

    @cached_property
    def returning(self) -> FloatArray:
        """(kinds,) mass that comes from a page of the kind to each page of the same kind."""
        found = np.empty(self.part_of.size)
        order = np.argsort(self.part_of, kind="stable")
        kinds_of_part = np.split(order, np.cumsum(np.bincount(self.part_of, minlength=self.n_parts))[:-1])
        single = self._n_sets == 1
        alone = np.flatnonzero(single[self.part_of])
        found[alone] = ALPHA / self._sizes[self._out[alone].indices]
        for part in np.flatnonzero(~single).tolist():
            sets = self._sets[part]
            for rows in np.array_split(kinds_of_part[part], kinds_of_part[part].size * sets.size // WALK_BLOCK + 1):
                arriving = self._out[rows][:, sets] @ self._between(part)
                found[rows] = sp.csr_array(self._back[sets][:, rows].T.multiply(arriving)).sum(axis=1)
        return found

    def mass(self, start: IntArray, end: IntArray) -> FloatArray:
        """(starts, ends) mass from a page of kind ``start`` to each page of kind ``end``, all of one part."""
        part = int(self.part_of[start[0]])
        sets = self._sets[part]
        if sets.size == 1:
            return np.full((start.size, end.size), ALPHA / self._sizes[sets[0]])
        leaving = np.asarray(self._out[start][:, sets] @ self._between(part))
        return np.asarray(leaving @ self._back[sets][:, end], dtype=np.float64)

    def _between(self, part: int) -> FloatArray:
        """(sets, sets) ALPHA (1 - ALPHA) (I - ALPHA V U)^-1 of a part's sets."""
        if part not in self._solved:
            sets = self._sets[part]
            step = sp.csr_array(self._back[sets] * self._pages[None, :]) @ self._out[:, sets]
            system = np.eye(sets.size) - ALPHA * sp.csr_array(step).toarray()
            self._solved[part] = ALPHA * (1 - ALPHA) * scipy.linalg.inv(system, overwrite_a=True)
        return self._solved[part]


def _bipartite(member: sp.csr_array) -> sp.csr_array:
    """The graph of kinds and sets: kinds first."""
    kinds, sets = member.shape
    cells = sp.coo_array(member)
    return sp.csr_array((cells.data, (cells.row, kinds + cells.col)), shape=(kinds + sets, kinds + sets))


# Element-centric similarity: how alike the pages are that a random walk from a page reaches over topics and clusters.
# From a page the walk goes to one of its sets, by weight, and on to any page of that set, and returns to its start
# with probability 1 - ALPHA before each step. The walk without its start is known exactly: with U (pages x sets) the
# first half step and V (sets x pages) the second, it is ALPHA (1 - ALPHA) U (I - ALPHA V U)^-1 V, one solve of the
# size of the sets. Its mass is ALPHA on both sides, so a page's similarity is the mass both walks share, over ALPHA.
# Source: Gates, Wood, Hetrick & Ahn, Element-centric clustering comparison unifies overlaps and hierarchy, Scientific
# Reports 9, 2019.

DEPTH_SCALE = 1.0
"""r of the weights exp(r · depth): each step down the hierarchy weighs e times as much."""

BLOCK = 1 << 22
"""Pairs of page groups whose masses are computed at a time; bounds the memory."""
CACHED = 1 << 16
"""Pairs compared at a time: they fit into the processor's cache."""


@measure(
    COVERS,
    key="ecs",
    title="Element-centric similarity",
    family="overlap",
    meaning="Mean over pages of how alike the company is that a page keeps in its topics and in its clusters.",
    formula="mean_d 1 − (1/2α) Σ_{d'} |p_T(d,d') − p_C(d,d')|, p: personalised PageRank over pages and sets, α = 0.9",
    source="gates2019",
    accepts=FLAT_CLUSTERS,
    symmetric=True,
)
def ecs(covers: Covers) -> float:
    return similarity(covers, Walk(covers.topics), Walk(covers.clusters))


@measure(
    ALL_TOPICS,
    key="ecs_hierarchy",
    title="Element-centric similarity (hierarchy)",
    family="overlap",
    meaning="Element-centric similarity of the nested topics of all levels and of clusters that may nest.",
    formula="as ecs, over the topics of all levels; sets at depth l weigh e^(r l), r = 1, "
    "l the number of ever larger sets around it",
    source="gates2019",
    accepts=ANY_CLUSTERS,
    symmetric=True,
)
def ecs_hierarchy(covers: Covers) -> float:
    return similarity(covers, *(Walk(sets, _weights(sets)) for sets in (covers.topics, covers.clusters)))


def _weights(sets: PageSets) -> FloatArray:
    depth = depths(sets.incidence)
    return np.asarray(np.exp(DEPTH_SCALE * (depth - depth.max())))  # only ratios count, and these cannot overflow


def similarity(covers: Covers, topics: Walk, clusters: Walk) -> float:
    """Mean over pages of the mass that both walks share, over ALPHA.

    Two pages share mass only if both walks can go from one to the other, so groups of pages are compared only within
    the same part of the topics and the same part of the clusters that hang together.

    Raises:
        Undefined: more pairs of groups are compared than `PAGE_GROUPS`.
    """
    groups = covers.groups
    topic_kind, cluster_kind = covers.topics.kind_of[groups.page], covers.clusters.kind_of[groups.page]
    part = topics.part_of[topic_kind] * clusters.n_parts + clusters.part_of[cluster_kind]
    order = np.argsort(part, kind="stable")
    bounds = np.concatenate([[0], np.flatnonzero(np.diff(part[order])) + 1, [order.size]])
    counts = np.diff(bounds)
    refuse_too_much(PAGE_GROUPS, int((counts**2).sum()), "topics and clusters")
    masses = []
    single = order[bounds[:-1][counts == 1]]
    if single.size:
        back = np.minimum(topics.returning[topic_kind[single]], clusters.returning[cluster_kind[single]])
        masses.append(math.fsum(groups.weight[single].astype(np.float64) ** 2 * back))
    for number in np.flatnonzero(counts > 1).tolist():
        members = order[bounds[number] : bounds[number + 1]]
        masses.append(
            _shared_mass(topics, clusters, topic_kind[members], cluster_kind[members], groups.weight[members])
        )
    return min(1.0, math.fsum(masses) / ALPHA / covers.n)


def _shared_mass(topics: Walk, clusters: Walk, topic_kind: IntArray, cluster_kind: IntArray, weight: IntArray) -> float:
    """Sum over all pairs of pages of the smaller of both masses, in blocks of rows."""
    step = max(1, BLOCK // weight.size)
    shares = weight.astype(np.float64)
    total = []
    for start in range(0, weight.size, step):
        rows = slice(start, start + step)
        one, row = _from_kinds(topics, topic_kind[rows], topic_kind)
        other, line = _from_kinds(clusters, cluster_kind[rows], cluster_kind)
        for few in np.array_split(np.arange(row.size), row.size * weight.size // CACHED + 1):
            mass = one.take(row[few], axis=0)
            np.minimum(mass, other.take(line[few], axis=0), out=mass)
            total.append(math.fsum(shares[rows][few] * np.einsum("ij,j->i", mass, shares)))
    return math.fsum(total)


def _from_kinds(walk: Walk, start: IntArray, end: IntArray) -> tuple[FloatArray, IntArray]:
    """Mass from each kind that is among the starts to all ends, (kinds, ends), and the row of each start.

    Groups are of fewer kinds on one side than there are groups, so nothing is computed twice.
    """
    starts, row = np.unique(start, return_inverse=True)
    ends, column = np.unique(end, return_inverse=True)
    return walk.mass(starts, ends).take(column, axis=1), row  # in the order of rows, which are taken from it

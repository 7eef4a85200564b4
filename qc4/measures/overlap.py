"""Measures designed for overlap: pages may be in several topics and clusters."""

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
from qc4.inputs.undefined import Undefined, check_bound
from qc4.inputs.view import ANY_CLUSTERS, FLAT_CLUSTERS, cached
from qc4.measures.parameters import BETA, f_measure
from qc4.measures.registry import measure
from qc4.model.bounds import LINKED_SETS, PAGE_GROUPS
from qc4.model.nesting import nesting_depths, shared_pages

# --- Extended BCubed: agreement of each page's cluster mates and topic mates ---
# Every page has the same weight, and is its own mate. Two pages that share v clusters and l topics contribute the
# multiplicity precision min(v, l) / v and the multiplicity recall min(v, l) / l. Source: Amigó et al., A comparison of
# extrinsic clustering evaluation metrics based on formal constraints, Information Retrieval 12, 2009, section 6.


@measure(
    COVERS,
    key="bcubed_precision",
    title="BCubed precision",
    family="overlap",
    meaning="Mean over pages of the fraction of a page's cluster mates that share as many topics with it as clusters.",
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
    meaning="Mean over pages of the fraction of a page's topic mates that share as many clusters with it as topics.",
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
    meaning="Harmonic mean of BCubed precision and recall in which recall has β times the weight, β = {beta}.",
    formula="(1 + β²) · precision · recall / (β² · precision + recall), β = {beta}",
    source="amigo2009; rijsbergen1979, chapter 7",
    accepts=FLAT_CLUSTERS,
    symmetric=True,
    parameters=(BETA,),
    stored={"bcubed_f": 1, "bcubed_f2": 2, "bcubed_f5": 5},
)
def bcubed_f(covers: Covers, beta: float = 1) -> float:
    return f_measure(bcubed_precision(covers), bcubed_recall(covers), beta)


# --- Reliability and sensitivity: agreement of clustering and gold standard on pairs of pages ---
# A clustering, like a gold standard, states that two pages belong together (they share a cluster), or that one has
# priority over the other (one is in a cluster, the other in none; in the gold standard, one is in a topic, the other an
# outlier). For each page, the measures take the fraction of its statements that the other one also makes, and then the
# mean over pages. Each page belongs with itself. Pages that share v clusters and l topics count min(v, l) / v, as in
# extended BCubed, to which this reduces if no page is an outlier or unclustered. Source: Amigó, Gonzalo & Verdejo, A
# general evaluation measure for document organization tasks, SIGIR 2013.

PRIORITY = "A page in a cluster has priority over one in none, and a page in a topic over an outlier."


@cached
def _right_order(sets: GivenSets) -> IntArray:
    """Return (groups,) the number of priorities of a page that clustering and gold standard agree on."""
    kept, dropped = sets.placed & sets.clustered, ~sets.placed & ~sets.clustered
    return _by_group(sets, np.where(kept, dropped.sum(), np.where(dropped, kept.sum(), 0)))


def _order(sets: GivenSets, counted: BoolArray) -> IntArray:
    """Return (groups,) the number of pages with higher or lower priority than a page of the group.

    Args:
        counted: (pages,) True for the pages with the higher priority.
    """
    return _by_group(sets, np.where(counted, (~counted).sum(), counted.sum()))


def _by_group(sets: GivenSets, numbers: IntArray) -> IntArray:
    return numbers[sets.covers.groups.page]


def _mean(sets: GivenSets, shares: FloatArray) -> float:
    """Return the mean over pages of a value that is given for each group."""
    return min(1.0, math.fsum(sets.covers.groups.weight * shares) / sets.n)


@measure(
    GIVEN_SETS,
    key="reliability",
    title="Reliability",
    family="overlap",
    meaning="Fraction of the clustering's statements on a page and others (same cluster, or priority) that "
    "the gold standard also makes.",
    formula="mean_d (Σ_{d' ∈ M(d)} min(v,l) / v + r(d)) / (|M(d)| + o(d)), M(d) the pages in clusters of d, "
    "v the clusters and l the topics that d shares with d', o(d) the number of pages with higher or lower priority in "
    "the clustering, r(d) the number of these where the gold standard agrees",
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
    meaning="Fraction of the gold standard's statements on a page and others (same topic, or priority) that "
    "the clustering also makes.",
    formula="mean_d (Σ_{d' ∈ M(d)} min(v,l) / l + r(d)) / (|M(d)| + o(d)), M(d) the pages in topics of d, "
    "v the clusters and l the topics that d shares with d', o(d) the number of pages with higher or lower priority "
    "in the gold standard, r(d) the number of these where the clustering agrees",
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


# --- F1 of SemEval-2013 task 11 ---
# A cluster is tagged with its most frequent topic; its pages are correct if they have that topic. Precision is over
# memberships in clusters. Recall is over memberships in topics, each counted once even if several clusters with the
# topic contain the page. Unclustered pages lower recall only; outliers in clusters lower precision only. Sources:
# Crabtree, Gao & Andreae, Improving web clustering by cluster selection, WI 2005; Navigli & Vannella, SemEval-2013 task
# 11, section 4.


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
    degenerate="If several topics are equally frequent, each is the tag with the same probability, and recall is the "
    "expected value. Outliers are in no topic, unclustered pages in no cluster. Without overlap, and if every page is "
    "in a topic and in a cluster, this is purity. Without a cluster it is 0.",
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
    """Return the probability that each topic membership is found: some cluster of the page has its topic as tag.

    Args:
        shared: (clusters, topics) the number of common pages.
        largest: (clusters,) the largest number of pages shared with a topic.
    """
    cluster = np.repeat(np.arange(largest.size), np.diff(shared.indptr))
    tags = sp.csr_array(shared.copy())
    tags.data = (shared.data == largest[cluster]).astype(np.int64)
    tags.eliminate_zeros()
    other = 1 - 1 / np.maximum(np.diff(tags.indptr), 1)  # (clusters,) probability that a candidate is not the tag
    place, missed = _tagged(sets, tags, other)
    _, start = np.unique(place, return_index=True)
    return 1 - np.multiply.reduceat(missed, start)


def _tagged(sets: GivenSets, tags: sp.csr_array, other: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the pairs of a cluster membership and a candidate tag that is a topic of the page, sorted by page and
    topic.

    Returns:
        (found,) a number for page and topic, and the probability that the cluster has another tag.
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


# --- Omega: the adjusted Rand index for overlap. Two pages agree if they share equally many topics and clusters. ---


@measure(
    COVERS,
    key="omega",
    title="Omega",
    family="overlap",
    meaning="Fraction of page pairs that share equally many topics and clusters, adjusted for chance.",
    formula="(o − e) / (1 − e), o = Σ_j |P_j(T) ∩ P_j(C)| / N, e = Σ_j |P_j(T)| |P_j(C)| / N², "
    "P_j: the pairs that share exactly j sets, N: all pairs",
    source="collins1988",
    low=-1.0,
    accepts=FLAT_CLUSTERS,
    symmetric=True,
)
def omega(covers: Covers) -> float:
    """All sums are exact integers. It is 1 if every pair agrees, even if chance always gives that."""
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
    """Return (pages,) the number of sets that each page is in."""
    return np.diff(sets.by_page.indptr).astype(np.int64)


def _without_self(counts: list[int], memberships: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    own = np.bincount(memberships, minlength=len(counts)).tolist()
    return [count - alone for count, alone in zip(counts, own, strict=True)]


# --- Overlapping normalised mutual information, by Lancichinetti, Fortunato & Kertész and by McDaid, Greene & Hurley
# ---
# Each topic and each cluster is a binary variable over the pages. The unexplained part of a topic is its entropy given
# the single cluster that explains it best. A cluster that explains it only through its complement is not considered.
# Entropies are in nats.


@measure(
    COVERS,
    key="onmi_lfk",
    title="ONMI (LFK)",
    family="overlap",
    meaning="How well clusters and topics explain each other: the mean of the explained fractions of entropy.",
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
    meaning="How well clusters and topics explain each other, over the larger entropy.",
    formula="I / max(H(T), H(C)), I = (H(T) − H(T|C) + H(C) − H(C|T)) / 2, H(T) = Σ_t H(t), H(T|C) = Σ_t min_c H(t|c)",
    source="mcdaid2011",
    accepts=FLAT_CLUSTERS,
    symmetric=True,
)
def onmi_mgh(covers: Covers) -> float:
    """It is 1 if all topics and clusters contain every page, because they are then equal."""
    sides = [covers, covers.swapped]
    whole = [math.fsum(_entropy(side.topics.sizes, side.n)) for side in sides]
    explained = [total - math.fsum(_unexplained(side)) for total, side in zip(whole, sides, strict=True)]
    return max(0.0, sum(explained)) / (2 * max(whole)) if max(whole) else 1.0


def _unexplained_share(covers: Covers) -> float:
    """Return the mean over topics of H(t|C) / H(t). A topic of all pages (0/0) is explained only by an equal
    cluster."""
    entropy = _entropy(covers.topics.sizes, covers.n)
    share = np.full(entropy.size, 0.0 if (covers.clusters.sizes == covers.n).any() else 1.0)
    np.divide(_unexplained(covers), entropy, out=share, where=covers.topics.sizes < covers.n)
    return math.fsum(share) / share.size


@cached
def _unexplained(covers: Covers) -> FloatArray:
    """Return (topics,) H(t|C), at most H(t)."""
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
    """Return topics and clusters without a common page that may still explain each other.

    This needs both together to contain at least half of the pages, so one of them contains a quarter. There are few
    such sets, and each is compared with all others.
    """
    found = []
    for table, sizes in ((product, topic_sizes), (sp.csr_array(product.T), cluster_sizes)):
        large = np.flatnonzero(4 * sizes >= n)
        one, other = np.nonzero(table[large].toarray() == 0) if large.size else (large, large)
        found.append((large[one], other.astype(np.int64), np.zeros(one.size, dtype=np.int64)))
    by_topic, (cluster, topic, nothing) = found
    return [by_topic, (topic, cluster, nothing)]


def _entropy(sizes: IntArray, n: int) -> FloatArray:
    """Return H of "the page is in the set", for sets of these sizes."""
    return _term(sizes, n) + _term(n - sizes, n)


def _conditional(topic: IntArray, cluster: IntArray, shared: IntArray, n: int, otherwise: FloatArray) -> FloatArray:
    """Return H(t|c) for topics and clusters of these sizes, as a sum without negative terms.

    It is ``otherwise`` if the cluster is closer to the topic's complement.
    """
    only_topic, only_cluster = topic - shared, cluster - shared
    neither = n - topic - only_cluster
    alike = _term(neither, n) + _term(shared, n) >= _term(only_topic, n) + _term(only_cluster, n)
    inside = _term(shared, cluster) + _term(only_cluster, cluster)
    outside = _term(only_topic, n - cluster) + _term(neither, n - cluster)
    return np.where(alike, (cluster * inside + (n - cluster) * outside) / n, otherwise)


def _term(part: IntArray, whole: IntArray | int) -> FloatArray:
    """Return -p ln p for p = part / whole; 0 for p = 0."""
    share = np.asarray(part / np.maximum(whole, 1), dtype=np.float64)
    return -share * np.log(share, out=np.zeros_like(share), where=share > 0)


# --- The random walk over pages and sets behind element-centric similarity, in closed form ---

ALPHA = 0.9
"""The probability that the walk continues instead of returning to its start."""

WALK_BLOCK = 1 << 20
"""The size of a block of rows in numbers, which limits memory."""


class Walk:
    """The distribution of walks from pages, without the walk's own start. Pages in the same sets form a kind.

    Attributes:
        part_of: (kinds,) the connected component, through common pages, that each kind belongs to.
        n_parts: the number of components.

    Raises:
        Undefined: a component has too many sets.
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
        # Several components are checked as one with the same total table size.
        check_bound(LINKED_SETS, math.ceil(math.sqrt((linked**2).sum())), "topics and clusters")
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
        """(kinds,) probability mass from a page of the kind to each page of the same kind."""
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
        """Return (starts, ends) the mass from a page of kind ``start`` to each page of kind ``end``, in one
        component."""
        part = int(self.part_of[start[0]])
        sets = self._sets[part]
        if sets.size == 1:
            return np.full((start.size, end.size), ALPHA / self._sizes[sets[0]])
        leaving = np.asarray(self._out[start][:, sets] @ self._between(part))
        return np.asarray(leaving @ self._back[sets][:, end], dtype=np.float64)

    def _between(self, part: int) -> FloatArray:
        """Return (sets, sets) ALPHA (1 - ALPHA) (I - ALPHA V U)^-1 for the sets of a component."""
        if part not in self._solved:
            sets = self._sets[part]
            step = sp.csr_array(self._back[sets] * self._pages[None, :]) @ self._out[:, sets]
            system = np.eye(sets.size) - ALPHA * sp.csr_array(step).toarray()
            self._solved[part] = ALPHA * (1 - ALPHA) * scipy.linalg.inv(system, overwrite_a=True)
        return self._solved[part]


def _bipartite(member: sp.csr_array) -> sp.csr_array:
    """Return the graph of kinds and sets; kinds come first."""
    kinds, sets = member.shape
    cells = sp.coo_array(member)
    return sp.csr_array((cells.data, (cells.row, kinds + cells.col)), shape=(kinds + sets, kinds + sets))


# --- Element-centric similarity: how similar the pages are that a random walk reaches through topics and clusters ---
# From a page the walk goes to one of its sets, by weight, and on to any page of that set; before each step it returns
# to its start with probability 1 - ALPHA. The walk without its start is known exactly: if U (pages x sets) is the first
# half step and V (sets x pages) the second, it is ALPHA (1 - ALPHA) U (I - ALPHA V U)^-1 V, which needs one solve with
# as many unknowns as sets. Its total mass is ALPHA for topics and for clusters, so a page's similarity is the mass that
# both walks share, divided by ALPHA. Source: Gates, Wood, Hetrick & Ahn, Element-centric clustering comparison unifies
# overlaps and hierarchy, Scientific Reports 9, 2019.

DEPTH_SCALE = 1.0
"""r of the weights exp(r · depth): each step down the hierarchy multiplies the weight by e."""

BLOCK = 1 << 22
"""The number of pairs of page groups whose masses are computed at a time, which limits memory."""
CACHED = 1 << 16
"""The number of pairs compared at a time, which fit into the CPU cache."""


@measure(
    COVERS,
    key="ecs",
    title="Element-centric similarity",
    family="overlap",
    meaning="Mean over pages of the similarity between a page's neighbourhoods in the topics and in the clusters.",
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
    "l the length of the longest chain of larger sets that contain it",
    source="gates2019",
    accepts=ANY_CLUSTERS,
    symmetric=True,
)
def ecs_hierarchy(covers: Covers) -> float:
    return similarity(covers, *(Walk(sets, _weights(sets)) for sets in (covers.topics, covers.clusters)))


def _weights(sets: PageSets) -> FloatArray:
    depth = nesting_depths(sets.incidence)
    return np.asarray(np.exp(DEPTH_SCALE * (depth - depth.max())))  # only ratios matter, and these cannot overflow


def similarity(covers: Covers, topics: Walk, clusters: Walk) -> float:
    """Return the mean over pages of the mass that both walks share, divided by ALPHA.

    Two pages share mass only if both walks can go from one to the other, so groups of pages are compared only within
    the same component of the topics and of the clusters.

    Raises:
        Undefined: more pairs of groups must be compared than `PAGE_GROUPS` allows.
    """
    groups = covers.groups
    topic_kind, cluster_kind = covers.topics.kind_of[groups.page], covers.clusters.kind_of[groups.page]
    part = topics.part_of[topic_kind] * clusters.n_parts + clusters.part_of[cluster_kind]
    order = np.argsort(part, kind="stable")
    bounds = np.concatenate([[0], np.flatnonzero(np.diff(part[order])) + 1, [order.size]])
    counts = np.diff(bounds)
    check_bound(PAGE_GROUPS, int((counts**2).sum()), "topics and clusters")
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
    """Return the sum over all pairs of pages of the smaller of both masses, in blocks of rows."""
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
    """Return (kinds, ends) the mass from each kind among the starts to all ends, and the row of each start.

    There are fewer kinds than groups, so no kind is computed twice.
    """
    starts, row = np.unique(start, return_inverse=True)
    ends, column = np.unique(end, return_inverse=True)
    return walk.mass(starts, ends).take(column, axis=1), row  # in the row order that callers take rows from

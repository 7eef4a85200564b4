"""Measures of cluster labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray
from qc4.inputs.partition import matching
from qc4.inputs.tree import Cells, cells_of, nodes_with_pages, whole_clusters
from qc4.inputs.undefined import Undefined, check_bound
from qc4.inputs.view import ANY_CLUSTERS, CLUSTERS_ALONE, WHOLE_HIERARCHY, Level, View, cached
from qc4.measures.registry import measure
from qc4.model.bounds import LABEL_PAIRS
from qc4.model.case import Case
from qc4.model.gold_document import PAGE_TEXTS, Page
from qc4.model.policies import Policies
from qc4.text import words

# --- Labels of clusters and names of topics as words ---
# A label is the words of the cluster itself; the root, and clusters whose labels have no words, have none. Topics of
# all levels have names; the outlier topic has none. Scoring options have no effect: pages in no cluster have no label.

Phrase = tuple[str, ...]
READ = tuple(name for name in PAGE_TEXTS if name != "url")
"""The fields of a page whose words are compared with labels."""


@dataclass(frozen=True, eq=False)
class LabelledSets:
    """Sets of pages with their labels.

    Attributes:
        pages: (sets, pages) 0/1 CSR without empty rows.
        phrases: one per set: the words of its label in order; () if it has none.
    """

    pages: sp.csr_array
    phrases: tuple[Phrase, ...]

    @cached_property
    def term_counts(self) -> IntArray:
        """(sets,) the number of different words in each label."""
        return np.array([len(set(phrase)) for phrase in self.phrases], dtype=np.int64)

    @property
    def n_labels(self) -> int:
        """The number of sets with a label."""
        return int(np.count_nonzero(self.term_counts))

    def terms(self, columns: dict[str, int]) -> sp.csr_array:
        """Return the (sets, words) 0/1 CSR of the words in labels.

        Args:
            columns: word -> column; other words are ignored.
        """
        return incidence([{columns[word] for word in phrase if word in columns} for phrase in self.phrases], columns)


@dataclass(frozen=True, eq=False)
class NamedTopicsAndClusters:
    """The topics of all levels with their names, and the clusters with their labels."""

    topics: LabelledSets
    clusters: LabelledSets


@dataclass(frozen=True, eq=False)
class LabelledClustersAndTexts:
    """The clusters with their labels, and the pages with their words.

    Attributes:
        page_terms: (pages, words) 0/1 CSR of the words of labels.
        label_terms: (clusters, words) 0/1 CSR.
    """

    clusters: LabelledSets
    page_terms: sp.csr_array
    label_terms: sp.csr_array


def incidence(rows: Sequence[set[int]], columns: dict[str, int]) -> sp.csr_array:
    """(rows, words) 0/1 CSR with sorted indices."""
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.fromiter(chain.from_iterable(map(sorted, rows)), dtype=np.int64, count=int(indptr[-1]))
    return sp.csr_array((np.ones(indices.size, dtype=np.int64), indices, indptr), shape=(len(rows), len(columns)))


def vocabulary(*phrases: Sequence[Phrase]) -> dict[str, int]:
    """Return the column of each word of all phrases."""
    different = dict.fromkeys(word for group in phrases for phrase in group for word in phrase)
    return {word: column for column, word in enumerate(different)}


def _labels(case: Case) -> LabelledSets:
    """Return the clusters with their labels.

    Raises:
        Undefined: no cluster has a label with a word.
    """
    labels = case.forest.labels
    found = LabelledSets(whole_clusters(case).pages, tuple(words(labels[node]) for node in nodes_with_pages(case)))
    if not found.n_labels:
        raise Undefined("no cluster has a label with a word in it")
    return found


def _named(case: Case, level: Level, policies: Policies) -> NamedTopicsAndClusters:
    topics = LabelledSets(case.gold.hierarchy.pages, tuple(words(name) for name in case.gold.topic_names))
    if not topics.n_labels:
        raise Undefined("no topic has a name with a word in it")
    return NamedTopicsAndClusters(topics, _labels(case))


def _alone(case: Case, level: Level, policies: Policies) -> LabelledSets:
    return _labels(case)


def _with_texts(case: Case, level: Level, policies: Policies) -> LabelledClustersAndTexts:
    clusters = _labels(case)
    pages = case.gold.document.pages if case.gold.document else ()
    if not any(getattr(page, name) for page in pages for name in READ):
        raise Undefined(f"no page has a text ({', '.join(READ)})")
    columns = vocabulary(clusters.phrases)
    page_terms = incidence([_columns_of(page, columns) for page in pages], columns)
    return LabelledClustersAndTexts(clusters, page_terms, clusters.terms(columns))


def _columns_of(page: Page, columns: dict[str, int]) -> set[int]:
    texts = (text for name in READ if (text := getattr(page, name)))
    return {columns[word] for text in texts for word in words(text) if word in columns}


NAMED: View[NamedTopicsAndClusters] = View(_named, WHOLE_HIERARCHY)
"""Input of measures that compare labels with names of topics."""

LABELS: View[LabelledSets] = View(_alone, CLUSTERS_ALONE)
"""Input of measures of labels alone."""

WITH_TEXTS: View[LabelledClustersAndTexts] = View(_with_texts, CLUSTERS_ALONE)
"""Input of measures that compare labels with the texts of pages."""


# --- Labels of clusters compared with names of topics ---
# Topics and clusters of all levels are aligned one to one so that aligned pairs share the most pages; ties are broken
# by the agreement of labels. A label is compared with the name of the topic aligned with its cluster. Source: QC4
# Bench. Precision and recall of terms, and exact matches, are used to evaluate generated facets: Hashemi, Zamani &
# Croft, Learning multiple intent representations for search queries, CIKM 2021.

ALIGNED = "M the one-to-one alignment of topics and clusters of all levels with the most common pages"
EDGE = "Undefined if no cluster has a label. Case and order of terms are ignored; words are not stemmed."


@cached
def _cells(named: NamedTopicsAndClusters) -> Cells:
    return cells_of(named.topics.pages, named.clusters.pages)


@cached
def shared_terms(named: NamedTopicsAndClusters) -> int:
    """Return the number of terms that labels share with the names of the topics aligned with their clusters."""
    cells = _cells(named)
    columns = vocabulary(named.topics.phrases, named.clusters.phrases)
    names, labels = named.topics.terms(columns), named.clusters.terms(columns)
    both = names[cells.topic].multiply(labels[cells.cluster])
    return _aligned(named, np.asarray(both.sum(axis=1), dtype=np.int64).reshape(-1))


@cached
def exact_labels(named: NamedTopicsAndClusters) -> int:
    """Return the number of labels that equal, word by word, the name of the topic aligned with their cluster."""
    cells = _cells(named)
    names, labels = named.topics.phrases, named.clusters.phrases
    pairs = zip(cells.topic.tolist(), cells.cluster.tolist(), strict=True)
    same = [bool(labels[cluster]) and names[topic] == labels[cluster] for topic, cluster in pairs]
    return _aligned(named, np.array(same, dtype=np.int64))


def _aligned(named: NamedTopicsAndClusters, agreement: IntArray) -> int:
    """Return the sum of the agreement of aligned pairs, maximised among the alignments with the most common pages.

    Args:
        agreement: (cells,) the agreement of the cluster's label with the topic's name.
    """
    cells = _cells(named)
    shape = (len(named.topics.phrases), len(named.clusters.phrases))
    # The added weights total less than one page, so they only break ties.
    most = int(agreement.max(initial=0)) * (min(shape) + 1)
    weight: FloatArray = cells.shared + agreement / max(most, 1)
    return int(agreement[matching(cells.topic, cells.cluster, weight, shape)].sum())


@measure(
    NAMED,
    key="label_term_p",
    title="Label precision",
    family="labels",
    meaning="Fraction of the terms of labels that are in the name of the topic aligned with their cluster.",
    formula=f"Σ_((t,c) ∈ M) |terms(t) ∩ terms(c)| / Σ_c |terms(c)|, {ALIGNED}",
    source="qc4bench; hashemi2021",
    accepts=ANY_CLUSTERS,
    needs=("gold topics", "cluster labels"),
    degenerate=EDGE,
)
def label_term_p(named: NamedTopicsAndClusters) -> float:
    return shared_terms(named) / int(named.clusters.term_counts.sum())


@measure(
    NAMED,
    key="label_term_r",
    title="Label recall",
    family="labels",
    meaning="Fraction of the terms of topic names that are in the label of the cluster aligned with their topic.",
    formula=f"Σ_((t,c) ∈ M) |terms(t) ∩ terms(c)| / Σ_t |terms(t)|, {ALIGNED}",
    source="qc4bench; hashemi2021",
    accepts=ANY_CLUSTERS,
    needs=("gold topics", "cluster labels"),
    degenerate=EDGE,
)
def label_term_r(named: NamedTopicsAndClusters) -> float:
    return shared_terms(named) / int(named.topics.term_counts.sum())


@measure(
    NAMED,
    key="label_term_f",
    title="Label F",
    family="labels",
    meaning="Harmonic mean of label precision and recall.",
    formula=f"2 Σ_((t,c) ∈ M) |terms(t) ∩ terms(c)| / (Σ_t |terms(t)| + Σ_c |terms(c)|), {ALIGNED}",
    source="qc4bench; hashemi2021",
    accepts=ANY_CLUSTERS,
    needs=("gold topics", "cluster labels"),
    symmetric=True,
    degenerate=EDGE,
)
def label_term_f(named: NamedTopicsAndClusters) -> float:
    return 2 * shared_terms(named) / int(named.topics.term_counts.sum() + named.clusters.term_counts.sum())


@measure(
    NAMED,
    key="label_exact_f",
    title="Exact labels F",
    family="labels",
    meaning="F-measure of labels that equal, word by word, the name of the topic aligned with their cluster.",
    formula=f"2 |{{(t,c) ∈ M: words(t) = words(c)}}| / (|T| + |C|), {ALIGNED}",
    source="qc4bench; hashemi2021",
    accepts=ANY_CLUSTERS,
    needs=("gold topics", "cluster labels"),
    symmetric=True,
    degenerate="Undefined if no cluster has a label. T are the topics with a name, C the clusters with a label.",
)
def label_exact_f(named: NamedTopicsAndClusters) -> float:
    return 2 * exact_labels(named) / (named.topics.n_labels + named.clusters.n_labels)


# --- Labels of clusters alone: do they differ, and do pages contain their terms? ---


@measure(
    LABELS,
    key="label_distinct",
    title="Distinctness of labels",
    family="labels",
    meaning="How different the labels are: 1 if no two share a term, 0 if all have the same terms.",
    formula="1 − mean_{c ≠ c'} |terms(c) ∩ terms(c')| / |terms(c) ∪ terms(c')|",
    source="qc4bench",
    accepts=ANY_CLUSTERS,
    needs=("cluster labels",),
    gold_is_best=False,
    degenerate="Undefined if no cluster has a label; 1 if only one has. Clusters without a label are ignored.",
)
def label_distinct(clusters: LabelledSets) -> float:
    pairs = clusters.n_labels * (clusters.n_labels - 1) // 2
    if not pairs:
        return 1.0
    terms = clusters.terms(vocabulary(clusters.phrases))
    check_bound(LABEL_PAIRS, int((np.bincount(terms.indices) ** 2).sum()), "labels")
    shared = sp.coo_array(sp.triu(terms @ terms.T, k=1))
    either = clusters.term_counts[shared.row] + clusters.term_counts[shared.col] - shared.data
    return max(0.0, 1.0 - math.fsum(shared.data / either) / pairs)


@measure(
    WITH_TEXTS,
    key="label_fit",
    title="Fit of labels",
    family="labels",
    meaning="Fraction of pages in clusters whose title, snippet or text contains a term of the cluster's label.",
    formula="Σ_c |{d ∈ c: terms(d) ∩ terms(c) ≠ ∅}| / Σ_c |c|",
    source="qc4bench",
    accepts=ANY_CLUSTERS,
    needs=("cluster labels", "page texts"),
    gold_is_best=False,
    degenerate="Undefined if no cluster has a label or no page has a text. Clusters without a label are ignored; a "
    "page without a text contains no term.",
)
def label_fit(given: LabelledClustersAndTexts) -> float:
    labelled = np.flatnonzero(given.clusters.term_counts)
    members = sp.csr_array(given.clusters.pages[labelled])
    cluster = np.repeat(labelled, np.diff(members.indptr))
    said = given.label_terms[cluster].multiply(given.page_terms[members.indices])
    return int(np.count_nonzero(said.sum(axis=1))) / members.nnz

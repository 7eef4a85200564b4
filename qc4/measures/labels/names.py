"""Labels of clusters against names of topics.

Topics of all levels and clusters are aligned one to one so that as many pages as possible lie in aligned pairs; of
equally good alignments the one counts whose labels agree most. A label is compared with the name it is aligned with.

Source: QC4 Bench. Precision and recall of terms, and exact matches, are what generated facets are measured by: Hashemi,
Zamani & Croft, Learning multiple intent representations for search queries, CIKM 2021.
"""

from __future__ import annotations

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.measures.labels.labelled import NAMED, Named, vocabulary
from qc4.measures.registry import measure
from qc4.views.matching import matching
from qc4.views.remembered import remembered
from qc4.views.tree import Cells, cells_of
from qc4.views.view import ANY_CLUSTERS

ALIGNED = "M the one-to-one alignment of topics and clusters of all levels that shares most pages"
EDGE = "Undefined where no cluster has a label. Case and order make no difference to terms; words are not reduced."


@remembered
def _cells(named: Named) -> Cells:
    return cells_of(named.topics.pages, named.clusters.pages)


@remembered
def shared_terms(named: Named) -> int:
    """Terms that labels share with the names of the topics aligned with their clusters."""
    cells = _cells(named)
    columns = vocabulary(named.topics.phrases, named.clusters.phrases)
    names, labels = named.topics.terms(columns), named.clusters.terms(columns)
    both = names[cells.topic].multiply(labels[cells.cluster])
    return _aligned(named, np.asarray(both.sum(axis=1), dtype=np.int64).reshape(-1))


@remembered
def exact_labels(named: Named) -> int:
    """Labels that are, word by word, the names of the topics aligned with their clusters."""
    cells = _cells(named)
    names, labels = named.topics.phrases, named.clusters.phrases
    pairs = zip(cells.topic.tolist(), cells.cluster.tolist(), strict=True)
    same = [bool(labels[cluster]) and names[topic] == labels[cluster] for topic, cluster in pairs]
    return _aligned(named, np.array(same, dtype=np.int64))


def _aligned(named: Named, agreement: IntArray) -> int:
    """Sum of the agreement of aligned pairs, the largest there is among the alignments that share most pages.

    Args:
        agreement: (cells,) how far the label of the cell's cluster is the name of its topic.
    """
    cells = _cells(named)
    shape = (len(named.topics.phrases), len(named.clusters.phrases))
    # All that is added stays below one page together, so that it only decides among alignments with equally many.
    most = int(agreement.max(initial=0)) * (min(shape) + 1)
    weight: FloatArray = cells.shared + agreement / max(most, 1)
    return int(agreement[matching(cells.topic, cells.cluster, weight, shape)].sum())


@measure(
    NAMED,
    key="label_term_p",
    title="Label precision",
    family="labels",
    meaning="Share of the terms of labels that are in the name of the topic aligned with their cluster.",
    formula=f"Σ_((t,c) ∈ M) |terms(t) ∩ terms(c)| / Σ_c |terms(c)|, {ALIGNED}",
    source="qc4bench; hashemi2021",
    accepts=ANY_CLUSTERS,
    needs=("gold topics", "cluster labels"),
    degenerate=EDGE,
)
def label_term_p(named: Named) -> float:
    return shared_terms(named) / int(named.clusters.term_counts.sum())


@measure(
    NAMED,
    key="label_term_r",
    title="Label recall",
    family="labels",
    meaning="Share of the terms of topic names that are in the label of the cluster aligned with their topic.",
    formula=f"Σ_((t,c) ∈ M) |terms(t) ∩ terms(c)| / Σ_t |terms(t)|, {ALIGNED}",
    source="qc4bench; hashemi2021",
    accepts=ANY_CLUSTERS,
    needs=("gold topics", "cluster labels"),
    degenerate=EDGE,
)
def label_term_r(named: Named) -> float:
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
def label_term_f(named: Named) -> float:
    return 2 * shared_terms(named) / int(named.topics.term_counts.sum() + named.clusters.term_counts.sum())


@measure(
    NAMED,
    key="label_exact_f",
    title="Exact labels F",
    family="labels",
    meaning="F of labels that are the name of the topic aligned with their cluster, word by word.",
    formula=f"2 |{{(t,c) ∈ M: words(t) = words(c)}}| / (|T| + |C|), {ALIGNED}",
    source="qc4bench; hashemi2021",
    accepts=ANY_CLUSTERS,
    needs=("gold topics", "cluster labels"),
    symmetric=True,
    degenerate="Undefined where no cluster has a label. T and C are the topics and clusters that have one.",
)
def label_exact_f(named: Named) -> float:
    return 2 * exact_labels(named) / (named.topics.n_labels + named.clusters.n_labels)

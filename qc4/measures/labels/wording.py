"""Labels of clusters by themselves: whether they differ, and whether pages say what the labels do."""

from __future__ import annotations

import math

import numpy as np
import scipy.sparse as sp

from qc4.measures.labels.labelled import LABELS, WITH_TEXTS, Labelled, WithTexts, vocabulary
from qc4.measures.registry import measure
from qc4.problems.bounds import LABEL_PAIRS
from qc4.views.undefined import refuse_too_much
from qc4.views.view import ANY_CLUSTERS


@measure(
    LABELS,
    key="label_distinct",
    title="Distinctness of labels",
    family="labels",
    meaning="How different the labels are: 1 where no two share a term, 0 where all say the same.",
    formula="1 − mean_{c ≠ c'} |terms(c) ∩ terms(c')| / |terms(c) ∪ terms(c')|",
    source="qc4bench",
    accepts=ANY_CLUSTERS,
    needs=("cluster labels",),
    gold_is_best=False,
    degenerate="Undefined where no cluster has a label; 1 where only one has. Clusters without a label do not count.",
)
def label_distinct(clusters: Labelled) -> float:
    pairs = clusters.n_labels * (clusters.n_labels - 1) // 2
    if not pairs:
        return 1.0
    terms = clusters.terms(vocabulary(clusters.phrases))
    refuse_too_much(LABEL_PAIRS, int((np.bincount(terms.indices) ** 2).sum()), "labels")
    shared = sp.coo_array(sp.triu(terms @ terms.T, k=1))
    either = clusters.term_counts[shared.row] + clusters.term_counts[shared.col] - shared.data
    return max(0.0, 1.0 - math.fsum(shared.data / either) / pairs)


@measure(
    WITH_TEXTS,
    key="label_fit",
    title="Fit of labels",
    family="labels",
    meaning="Share of the members of clusters whose title, snippet or text holds a term of the cluster's label.",
    formula="Σ_c |{d ∈ c: terms(d) ∩ terms(c) ≠ ∅}| / Σ_c |c|",
    source="qc4bench",
    accepts=ANY_CLUSTERS,
    needs=("cluster labels", "page texts"),
    gold_is_best=False,
    degenerate="Undefined where no cluster has a label or no page a text. Clusters without a label do not count; a "
    "page without a text holds no term.",
)
def label_fit(given: WithTexts) -> float:
    labelled = np.flatnonzero(given.clusters.term_counts)
    members = sp.csr_array(given.clusters.pages[labelled])
    cluster = np.repeat(labelled, np.diff(members.indptr))
    said = given.label_terms[cluster].multiply(given.page_terms[members.indices])
    return int(np.count_nonzero(said.sum(axis=1))) / members.nnz

"""F1 of SemEval-2013 task 11: a cluster is tagged with its most frequent topic, and right where its pages have that.

Precision counts memberships in clusters. Recall counts memberships in topics, each once however many clusters with the
topic hold the page. Unclustered pages lower recall only; outliers in clusters lower precision only.

Sources: Crabtree, Gao & Andreae, Improving web clustering by cluster selection, WI 2005; Navigli & Vannella,
SemEval-2013 task 11, section 4.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray
from qc4.clustering.containment import shared_pages
from qc4.measures.f_measure import f_measure
from qc4.measures.registry import measure
from qc4.views.given_sets import GIVEN_SETS, GivenSets
from qc4.views.undefined import Undefined
from qc4.views.view import FLAT_CLUSTERS


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

"""Reliability and sensitivity: of what a clustering says about two pages, how much does the gold standard say, too?

A clustering, as a gold standard, says of two pages that they belong together (both are in one cluster), or that one
counts and the other does not (one is in a cluster, the other in none; in the gold standard, one is in a topic, the
other an outlier). For each page the share of its statements that the other side makes, too; then the mean over pages.
Each page belongs with itself. Pages that share v clusters and l topics count min(v, l) / v, as in extended BCubed,
which is what this becomes where no page is an outlier or unclustered.

Source: Amigó, Gonzalo & Verdejo, A general evaluation measure for document organization tasks, SIGIR 2013.
"""

from __future__ import annotations

import math

import numpy as np

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.measures.f_measure import f_measure
from qc4.measures.overlap.co_membership import co_membership
from qc4.measures.registry import measure
from qc4.views.given_sets import GIVEN_SETS, GivenSets
from qc4.views.remembered import remembered
from qc4.views.view import FLAT_CLUSTERS

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

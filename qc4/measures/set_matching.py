"""Measures that match each cluster with a class, or each class with a cluster."""

from __future__ import annotations

import math

import numpy as np

from qc4.measures.literature import AMIGO, XIE, ZAKI_MEIRA
from qc4.measures.registry import measure
from qc4.views.assignment import assignment
from qc4.views.contingency import Contingency
from qc4.views.partition import PARTITION


@measure(
    PARTITION,
    key="purity",
    title="Purity",
    family="set-matching",
    meaning="Share of pages that belong to the largest class of their cluster.",
    formula="(1/n) Σ_c max_t n_tc",
    source=f"{ZAKI_MEIRA}, 17.1.1",
)
def purity(table: Contingency) -> float:
    return int(table.largest_in_cluster.sum()) / table.n


@measure(
    PARTITION,
    key="inverse_purity",
    title="Inverse purity",
    family="set-matching",
    meaning="Share of pages that belong to the largest cluster of their class.",
    formula="(1/n) Σ_t max_c n_tc",
    source=AMIGO,
)
def inverse_purity(table: Contingency) -> float:
    return purity(table.transposed)


@measure(
    PARTITION,
    key="f_zaki",
    title="F (majority class)",
    family="set-matching",
    meaning="Unweighted mean over clusters of each one's F with its largest class, which need not be its best F.",
    formula="mean_c 2 n_tc / (n_t + n_c), t the largest class of c; of equally large ones the smaller class",
    source=f"{ZAKI_MEIRA}, 17.1.1",
    degenerate="Of equally large classes in a cluster the smaller one is taken.",
)
def f_zaki(table: Contingency) -> float:
    sizes = table.class_sizes[table.class_of] + table.cluster_sizes[table.cluster_of]
    majority = table.count == table.largest_in_cluster[table.cluster_of]
    best = np.zeros(table.cluster_sizes.size)
    # Of equal overlaps the largest F is that of the smallest class.
    np.maximum.at(best, table.cluster_of[majority], (2 * table.count / sizes)[majority])
    return math.fsum(best) / best.size


@measure(
    PARTITION,
    key="max_matching",
    title="Maximum matching",
    family="set-matching",
    meaning="Share of pages that lie where the best one-to-one matching of classes and clusters puts them.",
    formula="max_M (1/n) Σ_{(t,c) ∈ M} n_tc",
    source=f"{ZAKI_MEIRA}, 17.1.1",
    symmetric=True,
)
def max_matching(table: Contingency) -> float:
    return assignment(table).pages / table.n


@measure(
    PARTITION,
    key="accuracy",
    title="Accuracy",
    family="set-matching",
    meaning="Share of pages whose cluster, aligned with a class, is that of their own class; equals maximum matching.",
    formula="(1/n) Σ_t n_{t c(t)}, c(t) the cluster aligned with class t",
    source=f"{XIE}, section 3.2",
    symmetric=True,
)
def accuracy(table: Contingency) -> float:
    return max_matching(table)


@measure(
    PARTITION,
    key="van_dongen",
    title="Van Dongen",
    family="set-matching",
    meaning="Distance: share of pages to move until each partition's blocks lie in single blocks of the other.",
    formula="(2n − Σ_t max_c n_tc − Σ_c max_t n_tc) / 2n",
    source="van Dongen, Performance criteria for graph clustering and Markov cluster experiments, CWI INS-R0012, 2000",
    better="lower",
    symmetric=True,
)
def van_dongen(table: Contingency) -> float:
    kept = int(table.largest_in_cluster.sum()) + int(table.transposed.largest_in_cluster.sum())
    return (2 * table.n - kept) / (2 * table.n)


@measure(
    PARTITION,
    key="s2",
    title="S2",
    family="set-matching",
    meaning="Mean over aligned classes and clusters of the harmonic mean of sensitivity and specificity.",
    formula="(1 / min(C,K)) Σ 2 · sens · spec / (sens + spec), sens = n_cc / n_c·, "
    "spec = (n − n_c· − n_·c + n_cc) / (n − n_c·); classes and clusters aligned by the best matching",
    source=f"{XIE}, eq. 1–4",
    degenerate="With one class only, specificity is 1. Where sensitivity and specificity are both 0, so is their mean. "
    "Classes or clusters that the matching leaves over do not enter.",
)
def s2(table: Contingency) -> float:
    return assignment(table).s2

"""Measures that match each cluster with a class, or each class with a cluster."""

from __future__ import annotations

import math

import numpy as np

from qc4.inputs.partition import PARTITION, Contingency, assignment, matched_cells
from qc4.inputs.undefined import Undefined
from qc4.measures.parameters import f_measure
from qc4.measures.registry import measure


@measure(
    PARTITION,
    key="purity",
    title="Purity",
    family="set-matching",
    meaning="Fraction of pages that belong to the largest class of their cluster.",
    formula="(1/n) Σ_c max_t n_tc",
    source="zaki2020, 17.1.1",
)
def purity(table: Contingency) -> float:
    return int(table.largest_in_cluster.sum()) / table.n


@measure(
    PARTITION,
    key="inverse_purity",
    title="Inverse purity",
    family="set-matching",
    meaning="Fraction of pages that belong to the largest cluster of their class.",
    formula="(1/n) Σ_t max_c n_tc",
    source="amigo2009",
)
def inverse_purity(table: Contingency) -> float:
    return purity(table.transposed)


@measure(
    PARTITION,
    key="purity_harmonic",
    title="Harmonic purity",
    family="set-matching",
    meaning="Harmonic mean of purity, low for a single cluster, and inverse purity, low for singletons.",
    formula="2 P I / (P + I), P = (1/n) Σ_c max_t n_tc, I = (1/n) Σ_t max_c n_tc",
    source="artiles2007; pham2024",
    symmetric=True,
    degenerate="Different from the F of Amigó et al., which is the mean of the best F of each class.",
)
def purity_harmonic(table: Contingency) -> float:
    return f_measure(purity(table), inverse_purity(table))


@measure(
    PARTITION,
    key="f_zaki",
    title="F (majority class)",
    family="set-matching",
    meaning="Unweighted mean, over clusters, of F with the cluster's largest class, which need not be its best F.",
    formula="mean_c 2 n_tc / (n_t + n_c), t the largest class of c; ties go to the smaller class",
    source="zaki2020, 17.1.1",
    degenerate="If two classes have the same number of pages in a cluster, the smaller class is used.",
)
def f_zaki(table: Contingency) -> float:
    sizes = table.class_sizes[table.class_of] + table.cluster_sizes[table.cluster_of]
    majority = table.count == table.largest_in_cluster[table.cluster_of]
    best = np.zeros(table.cluster_sizes.size)
    # With equal overlap, the smallest class has the largest F.
    np.maximum.at(best, table.cluster_of[majority], (2 * table.count / sizes)[majority])
    return math.fsum(best) / best.size


@measure(
    PARTITION,
    key="max_matching",
    title="Maximum matching",
    family="set-matching",
    meaning="Fraction of pages in matched cells, under the best one-to-one matching of classes and clusters.",
    formula="max_M (1/n) Σ_{(t,c) ∈ M} n_tc",
    source="zaki2020, 17.1.1",
    symmetric=True,
)
def max_matching(table: Contingency) -> float:
    return assignment(table).pages / table.n


@measure(
    PARTITION,
    key="accuracy",
    title="Accuracy",
    family="set-matching",
    meaning="Fraction of pages whose cluster is aligned with their class; equals maximum matching.",
    formula="(1/n) Σ_t n_{t c(t)}, c(t) the cluster aligned with class t",
    source="xie2017, section 3.2",
    symmetric=True,
)
def accuracy(table: Contingency) -> float:
    return max_matching(table)


@measure(
    PARTITION,
    key="nca",
    title="Normalised clustering accuracy",
    family="set-matching",
    meaning="Mean fraction of a class in its cluster of the best one-to-one matching, rescaled so that 0 is the worst.",
    formula="(max_M (1/k) Σ_{(t,c) ∈ M} n_tc / n_t − 1/k) / (1 − 1/k), k the number of classes",
    source="gagolewski2025",
    low=-1.0,
    degenerate="At least 0 if there are no more clusters than classes; otherwise split classes can make it "
    "negative, near −1 for singletons and two large classes. Unmatched classes count 0. With "
    "only one class it is undefined, unless the clustering is that class.",
)
def nca(table: Contingency) -> float:
    if table.identical:
        return 1.0
    k = table.class_sizes.size
    if k == 1:
        raise Undefined("there is only one class, so all matchings of classes and clusters are equal")
    share = table.count / table.class_sizes[table.class_of]
    return (math.fsum(share[matched_cells(table, share)]) - 1) / (k - 1)


@measure(
    PARTITION,
    key="van_dongen",
    title="Van Dongen",
    family="set-matching",
    meaning="Distance: mean fraction of pages to move until classes are within clusters, and clusters within classes.",
    formula="(2n − Σ_t max_c n_tc − Σ_c max_t n_tc) / 2n",
    source="vandongen2000",
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
    source="xie2017, eq. 1–4",
    degenerate="With only one class, specificity is 1. If sensitivity and specificity are both 0, so is their mean. "
    "Unmatched classes and clusters are ignored.",
)
def s2(table: Contingency) -> float:
    return assignment(table).s2

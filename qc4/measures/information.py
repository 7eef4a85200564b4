"""Measures from information theory."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betaln, gammaln

from qc4.arrays import FloatArray, IntArray
from qc4.inputs.partition import PARTITION, Contingency
from qc4.inputs.view import cached
from qc4.measures.hypergeometric import expected_sum
from qc4.measures.registry import measure

# --- Expected variation of information of random partitions ---
# Source: Vinh, Epps & Bailey, Information theoretic measures for clusterings comparison, JMLR 11, 2010.


def expected_variation(class_sizes: IntArray, cluster_sizes: IntArray) -> float:
    """Return the expected variation of information, in nats, of random partitions with these block sizes.

    It is the sum over all classes and clusters of E[(k/n) ln(ab / k^2)], where k is their number of common pages. No
    term is negative, so there is no cancellation.
    """
    n = int(class_sizes.sum())
    return expected_sum(class_sizes, cluster_sizes, n, _variation) / n


def _variation(shared: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Return k ln(ab / k^2)."""
    return shared * np.log(a * b / (shared * shared))


# --- Measures from information theory ---
# Results are in nats, or in bits with the option ``unit``. T is the gold standard's partition, C the clustering. Sums
# have only non-negative terms and are exact (`math.fsum`), so nothing cancels and the order of classes and clusters
# does not matter.

NO_COMPARISON = "Not a comparison by itself; listed because other measures are built from entropies."


def entropy(sizes: IntArray) -> float:
    """Return the entropy, in nats, of a partition into blocks of these sizes."""
    n = int(sizes.sum())
    return math.fsum(sizes / n * np.log(n / sizes))


@cached
def class_information(table: Contingency) -> float:
    """Return H(T) in nats."""
    return entropy(table.class_sizes)


@cached
def conditional(table: Contingency) -> float:
    """Return H(T|C) in nats."""
    within = table.cluster_sizes[table.cluster_of]
    return math.fsum(table.count / table.n * np.log(within / table.count))


@cached
def information(table: Contingency) -> float:
    """Return the mutual information in nats.

    With p = n_tc / n and q = n_t n_c / n^2, the sum of p ln(p/q) equals the sum of q phi(p/q - 1), where phi(d) = (1 +
    d) ln(1 + d) - d is never negative and d comes from exact integers. Empty cells have phi = 1; the sum of their q is
    also computed from an exact integer.
    """
    expected = table.class_sizes[table.class_of] * table.cluster_sizes[table.cluster_of]
    surplus = table.count * table.n - expected
    empty = table.n**2 - int(expected.sum())
    terms = expected * _phi(surplus / expected)
    return (math.fsum(terms) + empty) / table.n**2


def _phi(d: FloatArray) -> FloatArray:
    """Return (1 + d) ln(1 + d) - d for d > -1; near 0, from the series d^2/2 - d^3/6 + d^4/12 .. to avoid
    cancellation."""
    values = (1 + d) * np.log1p(d) - d
    small = np.abs(d) < 0.1
    x = d[small]
    series = np.zeros_like(x)
    for k in range(18, 1, -1):
        series = 1 / (k * (k - 1)) - x * series
    values[small] = x * x * series
    return values


def _ratio(part: float, whole: float) -> float:
    """Return part / whole in [0, 1]; 0/0 is 0."""
    return min(1.0, part / whole) if whole else 0.0


@measure(
    PARTITION,
    key="class_entropy",
    title="Class entropy",
    family="information",
    meaning="How widely classes are spread over clusters: conditional entropy over the log of the number of clusters.",
    formula="H(C|T) / ln(number of clusters)",
    source="song2008, as named by kremer2011, Table 1",
    better="lower",
    degenerate="0 if there is only one cluster. 1 only if every class is spread evenly over all clusters. "
    "Singletons spread classes most but score lower: 0.5 for ten classes of ten pages. The entropy H(T) of "
    "the classes themselves is another measure.",
)
def class_entropy(table: Contingency) -> float:
    return cluster_entropy(table.transposed)


@measure(
    PARTITION,
    key="cluster_entropy",
    title="Cluster entropy",
    family="information",
    meaning="How mixed the clusters are: conditional entropy of the classes over the log of the number of classes.",
    formula="H(T|C) / ln(number of classes)",
    source="zhao2004, as named by kremer2011, Table 1",
    better="lower",
    degenerate="0 if there is only one class. 1 only if all classes are of equal size and mixed evenly in every "
    "cluster; with unequal classes even one cluster of all pages scores below 1. The entropy H(C) of the "
    "clusters themselves is another measure.",
)
def cluster_entropy(table: Contingency) -> float:
    return _ratio(conditional(table), math.log(table.class_sizes.size))


@measure(
    PARTITION,
    key="gold_entropy",
    title="Entropy of the classes (nats)",
    family="information",
    meaning="Uncertainty about a page's class, in nats. It does not depend on the clusters.",
    formula="H(T) = Σ_t (n_t / n) ln(n / n_t)",
    source="zaki2020, 17.1.2",
    high=None,
    better="lower",
    unit="nats",
    degenerate=NO_COMPARISON,
    gold_is_best=False,
)
def gold_entropy(table: Contingency) -> float:
    return class_information(table)


@measure(
    PARTITION,
    key="clustering_entropy",
    title="Entropy of the clusters (nats)",
    family="information",
    meaning="Uncertainty about a page's cluster, in nats.",
    formula="H(C) = Σ_c (n_c / n) ln(n / n_c)",
    source="zaki2020, 17.1.2",
    high=None,
    better="lower",
    unit="nats",
    degenerate=NO_COMPARISON,
    gold_is_best=False,
)
def clustering_entropy(table: Contingency) -> float:
    return class_information(table.transposed)


@measure(
    PARTITION,
    key="joint_entropy",
    title="Joint entropy (nats)",
    family="information",
    meaning="Uncertainty about a page's class and cluster together, in nats.",
    formula="H(C,T) = Σ_t Σ_c (n_tc / n) ln(n / n_tc)",
    source="zaki2020, 17.1.2",
    high=None,
    better="lower",
    symmetric=True,
    unit="nats",
    degenerate=NO_COMPARISON,
    gold_is_best=False,
)
def joint_entropy(table: Contingency) -> float:
    return entropy(table.count)


@measure(
    PARTITION,
    key="conditional_entropy",
    title="Conditional entropy (nats)",
    family="information",
    meaning="Uncertainty about a page's class once its cluster is known, in nats.",
    formula="H(T|C) = Σ_t Σ_c (n_tc / n) ln(n_c / n_tc)",
    source="zaki2020, 17.1.2",
    unit="nats",
    high=None,
    better="lower",
)
def conditional_entropy(table: Contingency) -> float:
    return conditional(table)


@measure(
    PARTITION,
    key="mutual_information",
    title="Mutual information (nats)",
    unit="nats",
    family="information",
    meaning="Information that a page's cluster gives about its class, in nats.",
    formula="I(T;C) = Σ_t Σ_c (n_tc / n) ln(n n_tc / (n_t n_c))",
    source="zaki2020, 17.1.2",
    high=None,
    symmetric=True,
)
def mutual_information(table: Contingency) -> float:
    return information(table)


@measure(
    PARTITION,
    key="nmi_sqrt",
    title="NMI (geometric)",
    family="information",
    meaning="Mutual information over the geometric mean of both entropies.",
    formula="I(T;C) / √(H(T) H(C))",
    source="strehl2002",
    symmetric=True,
)
def nmi_sqrt(table: Contingency) -> float:
    if table.identical:
        return 1.0
    return _ratio(information(table), math.sqrt(class_information(table) * class_information(table.transposed)))


@measure(
    PARTITION,
    key="nmi_arithmetic",
    title="NMI (arithmetic)",
    family="information",
    meaning="Mutual information over the mean of both entropies.",
    formula="2 I(T;C) / (H(T) + H(C))",
    source="kvalseth1987",
    symmetric=True,
)
def nmi_arithmetic(table: Contingency) -> float:
    if table.identical:
        return 1.0
    return _ratio(2 * information(table), class_information(table) + class_information(table.transposed))


@measure(
    PARTITION,
    key="nmi_min",
    title="NMI (minimum)",
    family="information",
    meaning="Mutual information over the smaller entropy.",
    formula="I(T;C) / min(H(T), H(C))",
    source="vinh2010",
    symmetric=True,
    degenerate="1 whenever one partition refines the other: singletons score 1 against any two or more classes.",
)
def nmi_min(table: Contingency) -> float:
    if table.identical:
        return 1.0
    return _ratio(information(table), min(class_information(table), class_information(table.transposed)))


@measure(
    PARTITION,
    key="nmi_max",
    title="NMI (maximum)",
    family="information",
    meaning="Mutual information over the larger entropy.",
    formula="I(T;C) / max(H(T), H(C))",
    source="vinh2010",
    symmetric=True,
)
def nmi_max(table: Contingency) -> float:
    if table.identical:
        return 1.0
    return _ratio(information(table), max(class_information(table), class_information(table.transposed)))


@measure(
    PARTITION,
    key="ami",
    title="Adjusted mutual information",
    family="information",
    meaning="NMI (arithmetic) adjusted for chance: 0 on average for random clusterings, 1 for the gold standard.",
    formula="(I(T;C) − E[I]) / ((H(T) + H(C)) / 2 − E[I]), E over all clusterings with the same sizes",
    source="vinh2010",
    low=None,
    symmetric=True,
)
def ami(table: Contingency) -> float:
    """Computed as 1 − VI / E[VI], which is equal because entropies do not depend on chance, and avoids cancellation."""
    if table.identical:
        return 1.0
    if {1, table.n} & {table.class_sizes.size, table.cluster_sizes.size}:
        return 0.0  # one block or all singletons: every random partition is the same
    return 1.0 - vi(table) / expected_variation(table.class_sizes, table.cluster_sizes)


@measure(
    PARTITION,
    key="vi",
    title="Variation of information (nats)",
    unit="nats",
    family="information",
    meaning="Distance between the partitions: the uncertainty about each given the other, in nats.",
    formula="H(T|C) + H(C|T)",
    source="meila2007",
    high=None,
    better="lower",
    symmetric=True,
)
def vi(table: Contingency) -> float:
    return conditional(table) + conditional(table.transposed)


@measure(
    PARTITION,
    key="homogeneity",
    title="Homogeneity",
    family="information",
    meaning="1 if every cluster contains pages of only one class.",
    formula="1 − H(T|C) / H(T)",
    source="rosenberg2007",
)
def homogeneity(table: Contingency) -> float:
    if table.cluster_sizes.size == table.count.size:  # every cluster is within one class: H(T|C) = 0
        return 1.0
    return _ratio(information(table), class_information(table))


@measure(
    PARTITION,
    key="completeness",
    title="Completeness",
    family="information",
    meaning="1 if every class is within one cluster.",
    formula="1 − H(C|T) / H(C)",
    source="rosenberg2007",
)
def completeness(table: Contingency) -> float:
    return homogeneity(table.transposed)


@measure(
    PARTITION,
    key="v_measure",
    title="V-measure",
    family="information",
    meaning="Harmonic mean of homogeneity and completeness.",
    formula="2 · homogeneity · completeness / (homogeneity + completeness)",
    source="rosenberg2007",
    symmetric=True,
)
def v_measure(table: Contingency) -> float:
    parts = homogeneity(table), completeness(table)
    return _ratio(2 * parts[0] * parts[1], sum(parts))


# --- Reduced mutual information: mutual information minus the cost of describing the contingency table ---
# Random clusterings save nothing. The classes are sent page by page with an adaptive code: a page of a class that r of
# the previous s pages had costs ln((s + qα) / (r + α)), where q is the number of classes. A receiver who knows the
# clusters uses one such code per cluster. The saving is the reduced mutual information, with the best α for each of the
# two codes. (The code lengths of sizes, table and classes in the source sum to this, because their factorials cancel.)
# Source: Jerdee, Kirkley & Newman, Mutual information and the encoding of contingency tables, Physical Review E 110,
# 2024; original idea: Newman, Cantwell & Young, Physical Review E 101, 2020.

SMALLEST, LARGEST = 1e-9, 1e3
"""The search range of α; the upper end is multiplied by the number of pages. Limits are taken outside it."""


@cached
def reduced_information(table: Contingency) -> float:
    """Return the reduction of the classes' code length by the clusters, in nats; it can be negative.

    Exactly 0 if there is only one cluster.
    """
    if table.cluster_sizes.size == 1:
        return 0.0
    q = table.class_sizes.size
    return _code_length(table.class_sizes, np.array([table.n]), q) - _code_length(table.count, table.cluster_sizes, q)


def _code_length(cells: IntArray, blocks: IntArray, q: int) -> float:
    """Return the nats needed to send the classes of pages in these blocks, with the best α > 0 or its best limit.

    Args:
        cells: (cells,) the number of pages in each non-empty pair of class and block.
        blocks: (blocks,) the number of pages in each block.
        q: the number of classes.
    """
    if q == 1:
        return 0.0
    from scipy.optimize import minimize_scalar  # slow to import, and only needed here

    n = int(blocks.sum())
    cell, cell_times = np.unique(cells, return_counts=True)
    block, block_times = np.unique(blocks, return_counts=True)

    def length(log_alpha: float) -> float:
        alpha = math.exp(log_alpha)
        return math.fsum(block_times * _rising(q * alpha, block)) - math.fsum(cell_times * _rising(alpha, cell))

    bounds = math.log(SMALLEST), math.log(LARGEST * n)
    best = minimize_scalar(length, bounds=bounds, method="bounded", options={"xatol": 1e-8})
    never_surprised = cells.size if cells.size == blocks.size else math.inf  # α → 0, each block in one class
    return min(float(best.fun), min(never_surprised, n) * math.log(q))  # α → ∞: all classes equally likely


def _rising(start: float, factors: IntArray) -> FloatArray:
    """Return (numbers,) ln(start (start + 1) .. (start + factors − 1)), without subtracting large logarithms."""
    found: FloatArray = gammaln(factors) - betaln(start, factors)
    return found


@measure(
    PARTITION,
    key="reduced_mutual_information",
    title="Reduced mutual information (nats)",
    unit="nats",
    family="information",
    meaning="Information that a page's cluster gives about its class, minus the cost of describing the contingency "
    "table, in nats per page: about 0 or below for random clusterings.",
    formula="(K(T) − K(T|C)) / n, K(T|C) = min_α (Σ_c R(qα, n_c) − Σ_t Σ_c R(α, n_tc)), "
    "R(a, k) = ln a(a + 1)…(a + k − 1), K(T) the same with all pages in one cluster, q the number of classes",
    source="jerdee2024; newman2020",
    low=None,
    high=None,
    degenerate="Negative if describing the table costs more than the clusters save, as for singletons "
    "of classes of unequal sizes. 0 if there is one class or one cluster.",
)
def reduced_mutual_information(table: Contingency) -> float:
    return reduced_information(table) / table.n


@measure(
    PARTITION,
    key="nrmi",
    title="Normalised reduced mutual information",
    family="information",
    meaning="Reduced mutual information divided by that of the gold standard with itself: about 0 or below for "
    "random clusterings, 1 for the gold standard only.",
    formula="(K(T) − K(T|C)) / (K(T) − q ln q), K as of reduced mutual information, q the number of classes",
    source="jerdee2024; newman2020; jerdee2025",
    low=None,
    degenerate="Negative if describing the table costs more than the clusters save, as for singletons "
    "of classes of unequal sizes. "
    "If there is one class, or if all classes are singletons, it is 1 for the gold standard and 0 otherwise.",
)
def nrmi(table: Contingency) -> float:
    if table.identical:
        return 1.0
    q = table.class_sizes.size
    if q in {1, table.n}:
        return 0.0
    whole = _code_length(table.class_sizes, np.array([table.n]), q) - q * math.log(q)
    return reduced_information(table) / whole

"""Measures that count pairs of pages by whether they share a class and a cluster.

All are ratios of exact integers. TP are pairs that share both class and cluster, FP only a cluster, FN only a class,
and TN neither.
"""

from __future__ import annotations

import math

from qc4.inputs.partition import PARTITION, Contingency
from qc4.inputs.undefined import Undefined
from qc4.measures.parameters import BETA
from qc4.measures.registry import measure


@measure(
    PARTITION,
    key="rand",
    title="Rand",
    family="pair-counting",
    meaning="Fraction of page pairs on which clustering and gold standard agree.",
    formula="(TP + TN) / (TP + FP + FN + TN)",
    source="rand1971",
    symmetric=True,
)
def rand(table: Contingency) -> float:
    if table.identical:
        return 1.0
    pairs = table.pairs
    return (pairs.total - pairs.same_class - pairs.same_cluster + 2 * pairs.both) / pairs.total


@measure(
    PARTITION,
    key="ari",
    title="Adjusted Rand",
    family="pair-counting",
    meaning="Rand index adjusted for chance: 0 on average for random clusterings, 1 for the gold standard.",
    formula="2 (TP · TN − FN · FP) / ((TP + FN)(FN + TN) + (TP + FP)(FP + TN))",
    source="hubert1985",
    low=-1.0,
    symmetric=True,
    degenerate="Identical partitions give 1, even if expected and largest agreement are equal. The minimum "
    "for any two partitions is −0.5.",
)
def ari(table: Contingency) -> float:
    if table.identical:  # includes all tables whose denominator is 0
        return 1.0
    pairs = table.pairs
    expected = pairs.same_class * pairs.same_cluster  # both sides are multiplied by total
    return (2 * (pairs.both * pairs.total - expected)) / (
        (pairs.same_class + pairs.same_cluster) * pairs.total - 2 * expected
    )


@measure(
    PARTITION,
    key="jaccard",
    title="Jaccard",
    family="pair-counting",
    meaning="Fraction of the pairs joined by the clustering or the gold standard that both join.",
    formula="TP / (TP + FP + FN)",
    source="zaki2020, 17.1.3",
    symmetric=True,
)
def jaccard(table: Contingency) -> float:
    if table.identical:
        return 1.0
    pairs = table.pairs
    return pairs.both / (pairs.same_class + pairs.same_cluster - pairs.both)


@measure(
    PARTITION,
    key="fowlkes_mallows",
    title="Fowlkes–Mallows",
    family="pair-counting",
    meaning="Geometric mean of pairwise precision and recall.",
    formula="TP / √((TP + FP)(TP + FN))",
    source="fowlkes1983",
    symmetric=True,
    degenerate="Identical singletons give 1 (scikit-learn gives 0); no pair in one class and one cluster gives 0.",
)
def fowlkes_mallows(table: Contingency) -> float:
    if table.identical:
        return 1.0
    pairs = table.pairs
    return pairs.both / math.sqrt(pairs.same_class * pairs.same_cluster) if pairs.both else 0.0


@measure(
    PARTITION,
    key="hubert_gamma",
    title="Hubert's Γ",
    family="pair-counting",
    meaning="Correlation, over all page pairs, between sharing a class and sharing a cluster.",
    formula="(N · TP − (TP + FN)(TP + FP)) / √((TP + FN)(TP + FP)(N − TP − FN)(N − TP − FP)), N = n(n − 1)/2",
    source="hubert1985; zaki2020, 17.1.4",
    low=-1.0,
    symmetric=True,
)
def hubert_gamma(table: Contingency) -> float:
    if table.identical:
        return 1.0
    pairs = table.pairs
    spread = (pairs.total - pairs.same_class) * (pairs.total - pairs.same_cluster)
    if not (pairs.same_class and pairs.same_cluster and spread):
        return 0.0
    shared = pairs.both * pairs.total - pairs.same_class * pairs.same_cluster
    # Two roots, because the product of all four counts can exceed the exact range of floats.
    return shared / (math.sqrt(pairs.same_class * pairs.same_cluster) * math.sqrt(spread))


@measure(
    PARTITION,
    key="minkowski",
    title="Minkowski",
    family="pair-counting",
    meaning="Distance: pairs on which clustering and gold standard disagree, relative to the pairs within classes.",
    formula="√((FP + FN) / (TP + FN))",
    source="jiang2004",
    high=None,
    better="lower",
    degenerate="If no two pages share a class: 0 if no two pages of different classes share a cluster, else undefined.",
)
def minkowski(table: Contingency) -> float:
    if table.identical:
        return 0.0
    pairs = table.pairs
    if not pairs.same_class:
        raise Undefined("no two pages share a class, so the denominator is 0")
    return math.sqrt((pairs.same_class + pairs.same_cluster - 2 * pairs.both) / pairs.same_class)


@measure(
    PARTITION,
    key="pair_precision",
    title="Pair precision",
    family="pair-counting",
    meaning="Fraction of the pairs within a cluster that share a class.",
    formula="TP / (TP + FP)",
    source="manning2008, 16.3",
)
def pair_precision(table: Contingency) -> float:
    if table.identical:
        return 1.0
    pairs = table.pairs
    return pairs.both / pairs.same_cluster if pairs.same_cluster else 0.0


@measure(
    PARTITION,
    key="pair_recall",
    title="Pair recall",
    family="pair-counting",
    meaning="Fraction of the pairs within a class that share a cluster.",
    formula="TP / (TP + FN)",
    source="manning2008, 16.3",
)
def pair_recall(table: Contingency) -> float:
    return pair_precision(table.transposed)


@measure(
    PARTITION,
    key="pair_f",
    title="Pair F{beta}",
    family="pair-counting",
    meaning="Harmonic mean of pair precision and pair recall in which recall has β times the weight, β = {beta}.",
    formula="(1 + β²) TP / ((1 + β²) TP + FP + β² FN), β = {beta}",
    source="manning2008, 16.3; rijsbergen1979, chapter 7",
    symmetric=True,
    parameters=(BETA,),
    stored={"pair_f1": 1, "pair_f2": 2, "pair_f5": 5},
)
def pair_f(table: Contingency, beta: float = 1) -> float:
    """It is a ratio of exact integers if β is a whole number."""
    if table.identical:
        return 1.0
    pairs = table.pairs
    return (1 + beta**2) * pairs.both / (beta**2 * pairs.same_class + pairs.same_cluster)


@measure(
    PARTITION,
    key="ps2",
    title="PS2",
    family="pair-counting",
    meaning="Harmonic mean of the fractions of same-class pairs joined and of different-class pairs separated.",
    formula="2 · sensitivity · specificity / (sensitivity + specificity), "
    "sensitivity = TP / (TP + FN), specificity = TN / (TN + FP)",
    source="xie2017, eq. 5–8",
    degenerate="Without same-class pairs sensitivity is 1 if FP = 0, else 0; without different-class pairs "
    "specificity is 1 if FN = 0, else 0.",
)
def ps2(table: Contingency) -> float:
    pairs = table.pairs
    together, apart = pairs.same_class, pairs.total - pairs.same_class
    false_positive, false_negative = pairs.same_cluster - pairs.both, pairs.same_class - pairs.both
    # Without such pairs none can be wrong; the errors on the other pairs are the only evidence left.
    sensitivity = pairs.both / together if together else float(not false_positive)
    specificity = (apart - false_positive) / apart if apart else float(not false_negative)
    total = sensitivity + specificity
    return 2 * sensitivity * specificity / total if total else 0.0

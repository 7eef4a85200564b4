"""Measures that count pairs of pages: are two pages of one class in one cluster?

All are ratios of exact integers. TP, FP, FN and TN are pairs in one class and cluster, in one cluster only,
in one class only, and in neither.
"""

from __future__ import annotations

import math

from measures.contingency import PARTITION, Contingency
from measures.registry import measure


@measure(
    PARTITION,
    key="rand",
    title="Rand",
    family="pair-counting",
    meaning="Share of page pairs on which clustering and gold standard agree.",
    formula="(TP + TN) / (TP + FP + FN + TN)",
    source="Rand, Objective criteria for the evaluation of clustering methods, JASA 66, 1971",
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
    meaning="Rand index corrected for chance: 0 on average for random clusterings, 1 for the gold standard.",
    formula="2 (TP · TN − FN · FP) / ((TP + FN)(FN + TN) + (TP + FP)(FP + TN))",
    source="Hubert & Arabie, Comparing partitions, Journal of Classification 2, 1985",
    low=-1.0,
    symmetric=True,
)
def ari(table: Contingency) -> float:
    if table.identical:  # the only tables whose denominator is 0 are among these
        return 1.0
    pairs = table.pairs
    expected = pairs.same_class * pairs.same_cluster  # times 1 / total, which is multiplied out
    return (2 * (pairs.both * pairs.total - expected)) / (
        (pairs.same_class + pairs.same_cluster) * pairs.total - 2 * expected
    )


@measure(
    PARTITION,
    key="jaccard",
    title="Jaccard",
    family="pair-counting",
    meaning="Share of the pairs joined by clustering or gold standard that both join.",
    formula="TP / (TP + FP + FN)",
    source="Zaki & Meira, Data Mining and Machine Learning, 2nd ed., 17.1.3",
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
    source="Fowlkes & Mallows, A method for comparing two hierarchical clusterings, JASA 78, 1983",
    symmetric=True,
)
def fowlkes_mallows(table: Contingency) -> float:
    if table.identical:
        return 1.0
    pairs = table.pairs
    return pairs.both / math.sqrt(pairs.same_class * pairs.same_cluster) if pairs.both else 0.0

"""Mutual information less what it costs to say how classes and clusters meet: clusterings by chance save nothing.

Somebody is sent the classes, page after page, by a code that learns from what was sent before: a page of a class that
r of the last s pages had costs ln((s + qα) / (r + α)), q the number of classes. Who knows the clusters has one such
code for each. What that saves is the reduced mutual information; α is the best for each of the two. (The code lengths
of sizes, table and classes in the source add up to this: its factorials cancel.)

Source: Jerdee, Kirkley & Newman, Mutual information and the encoding of contingency tables, Physical Review E 110,
2024; the idea: Newman, Cantwell & Young, Physical Review E 101, 2020.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betaln, gammaln

from qc4.arrays import FloatArray, IntArray
from qc4.measures.registry import measure
from qc4.views.contingency import Contingency
from qc4.views.partition import PARTITION
from qc4.views.remembered import remembered

SMALLEST, LARGEST = 1e-9, 1e3
"""Between these, the second times the number of pages, the best α is looked for; beyond lie the limits."""


@remembered
def reduced_information(table: Contingency) -> float:
    """What the clusters save of the code length of the classes, in nats; may be negative.

    Exactly 0 where there is one cluster.
    """
    if table.cluster_sizes.size == 1:
        return 0.0
    q = table.class_sizes.size
    return _code_length(table.class_sizes, np.array([table.n]), q) - _code_length(table.count, table.cluster_sizes, q)


def _code_length(cells: IntArray, blocks: IntArray, q: int) -> float:
    """Nats to send the classes of pages that lie in these blocks, for the best α > 0 or, where that is better, a limit.

    Args:
        cells: (cells,) pages of each class and block that meet.
        blocks: (blocks,) pages of each block.
        q: number of classes.
    """
    if q == 1:
        return 0.0
    from scipy.optimize import minimize_scalar  # loads much that no other measure needs

    n = int(blocks.sum())
    cell, cell_times = np.unique(cells, return_counts=True)
    block, block_times = np.unique(blocks, return_counts=True)

    def length(log_alpha: float) -> float:
        alpha = math.exp(log_alpha)
        return math.fsum(block_times * _rising(q * alpha, block)) - math.fsum(cell_times * _rising(alpha, cell))

    bounds = math.log(SMALLEST), math.log(LARGEST * n)
    best = minimize_scalar(length, bounds=bounds, method="bounded", options={"xatol": 1e-8})
    never_surprised = cells.size if cells.size == blocks.size else math.inf  # α → 0, each block in one class
    return min(float(best.fun), min(never_surprised, n) * math.log(q))  # α → ∞: every class as likely as any other


def _rising(start: float, factors: IntArray) -> FloatArray:
    """(numbers,) ln(start (start + 1) .. (start + factors − 1)), without the difference of large logarithms."""
    found: FloatArray = gammaln(factors) - betaln(start, factors)
    return found


@measure(
    PARTITION,
    key="reduced_mutual_information",
    title="Reduced mutual information (nats)",
    unit="nats",
    family="information",
    meaning="What a page's cluster tells of its class, less what it costs to say which classes the clusters hold, "
    "in nats per page: about 0 or below for clusterings by chance.",
    formula="(K(T) − K(T|C)) / n, K(T|C) = min_α (Σ_c R(qα, n_c) − Σ_t Σ_c R(α, n_tc)), "
    "R(a, k) = ln a(a + 1)…(a + k − 1), K(T) the same with all pages in one cluster, q the number of classes",
    source="jerdee2024; newman2020",
    low=None,
    high=None,
    degenerate="Negative where saying which classes the clusters hold costs more than it tells, as for singletons "
    "of classes of unequal sizes. 0 where there is one class or one cluster.",
)
def reduced_mutual_information(table: Contingency) -> float:
    return reduced_information(table) / table.n


@measure(
    PARTITION,
    key="nrmi",
    title="Normalised reduced mutual information",
    family="information",
    meaning="Reduced mutual information as a share of that of the gold standard with itself: about 0 or below for "
    "clusterings by chance, 1 for the gold standard only.",
    formula="(K(T) − K(T|C)) / (K(T) − q ln q), K as of reduced mutual information, q the number of classes",
    source="jerdee2024; newman2020; jerdee2025",
    low=None,
    degenerate="Negative where saying which classes the clusters hold costs more than it tells, as for singletons "
    "of classes of unequal sizes. "
    "Where there is one class, or every page is one, clusters cannot tell anything: 0, or 1 if they are the classes.",
)
def nrmi(table: Contingency) -> float:
    if table.identical:
        return 1.0
    q = table.class_sizes.size
    if q in {1, table.n}:
        return 0.0
    whole = _code_length(table.class_sizes, np.array([table.n]), q) - q * math.log(q)
    return reduced_information(table) / whole

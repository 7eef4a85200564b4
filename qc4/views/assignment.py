"""Classes aligned one to one with clusters so that as many pages as possible lie in aligned cells."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.views.contingency import Contingency
from qc4.views.matching import matching
from qc4.views.remembered import remembered


@dataclass(frozen=True, slots=True)
class Assignment:
    """The best alignment of classes and clusters.

    Attributes:
        pages: pages in aligned cells, the most there can be.
        s2: the largest S2 among the alignments with that many pages.
    """

    pages: int
    s2: float


@remembered
def assignment(table: Contingency) -> Assignment:
    """Align classes and clusters."""
    agreement = _agreement(table)
    smaller_side = min(table.class_sizes.size, table.cluster_sizes.size)
    # All agreements together stay below one page, so that they only decide among equal matchings.
    cells = matched(table, table.count + agreement / (smaller_side + 1))
    return Assignment(int(table.count[cells].sum()), math.fsum(agreement[cells]) / smaller_side)


def _agreement(table: Contingency) -> FloatArray:
    """(cells,) harmonic mean of sensitivity and specificity if the cell's class and cluster are aligned."""
    class_size = table.class_sizes[table.class_of]
    cluster_size = table.cluster_sizes[table.cluster_of]
    outside = table.n - class_size
    sensitivity = table.count / class_size
    kept_out = outside - cluster_size + table.count
    specificity = np.where(outside > 0, kept_out / np.maximum(outside, 1), 1.0)
    found: FloatArray = 2 * sensitivity * specificity / (sensitivity + specificity)
    return found


def matched(table: Contingency, weight: FloatArray) -> IntArray:
    """The cells of the one-to-one matching of classes and clusters with the largest weight, as `matching`."""
    return matching(table.class_of, table.cluster_of, weight, (table.class_sizes.size, table.cluster_sizes.size))

"""What two random partitions with given block sizes have in common on average.

Source: Vinh, Epps & Bailey, Information theoretic measures for clusterings comparison, JMLR 11, 2010.
"""

from __future__ import annotations

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.views.hypergeometric import expected_sum


def expected_variation(class_sizes: IntArray, cluster_sizes: IntArray) -> float:
    """Expected variation of information, in nats, of random partitions with these block sizes.

    It is the sum over all classes and clusters of E[(k/n) ln(ab / k^2)], k the number of pages they share. No term is
    negative, so nothing cancels.
    """
    n = int(class_sizes.sum())
    return expected_sum(class_sizes, cluster_sizes, n, _variation) / n


def _variation(shared: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """k ln(ab / k^2)."""
    return shared * np.log(a * b / (shared * shared))

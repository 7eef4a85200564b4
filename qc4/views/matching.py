"""Rows matched one to one with columns so that as much weight as possible is matched."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from qc4.arrays import FloatArray, IntArray


def matching(row: IntArray, column: IntArray, weight: FloatArray, shape: tuple[int, int]) -> IntArray:
    """The entries of the matching with the largest weight; rows and columns that are matched without one have none.

    The smaller side is matched, and each of its members also with a partner of its own that weighs nothing, so that
    none must be matched. Every weight is raised by 1, which favours no matching because all have as many entries: an
    entry of weight 0 would not be stored.

    Args:
        row, column, weight: (entries,) each pair once, no weight below 0.
        shape: number of rows and columns.
    """
    rows, columns = shape
    if rows > columns:
        return matching(column, row, weight, (columns, rows))
    if not rows:
        return np.empty(0, dtype=np.int64)
    row = np.concatenate([row, np.arange(rows)])
    column = np.concatenate([column, columns + np.arange(rows)])
    raised = np.concatenate([weight, np.zeros(rows)]) + 1
    graph = sp.csr_array((raised, (row, column)), shape=(rows, columns + rows))
    entry = sp.csr_array((np.arange(1, row.size + 1), (row, column)), shape=graph.shape)
    chosen = entry[min_weight_full_bipartite_matching(graph, maximize=True)] - 1
    return np.asarray(chosen[chosen < weight.size], dtype=np.int64)

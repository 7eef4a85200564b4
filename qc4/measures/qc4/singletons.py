"""Clusters of one page: all that hold a page of the same leaves get the same parts, so one of them is measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.measures.qc4.prepared import PreparedGold
from qc4.measures.qc4.sorting import running_count


@dataclass(frozen=True, eq=False)
class AlikeSingletons:
    """Which clusters stand in for which.

    Attributes:
        measured: the clusters to measure, ascending: all but the second and later singletons of a kind.
        others: all other clusters, ascending.
        stand_in: (clusters,) the place in ``measured`` of the cluster itself, or of the first of its kind.
    """

    measured: IntArray
    others: IntArray
    stand_in: IntArray


def alike_singletons(gold: PreparedGold, incidence: sp.csr_array) -> AlikeSingletons | None:
    """The singletons among clusters (clusters x pages) by the leaves of their page; None if no two are alike."""
    rows = np.flatnonzero(np.diff(incidence.indptr) == 1)
    if rows.size < 2:
        return None
    kinds = _kinds(gold, incidence.indices[incidence.indptr[rows]].astype(np.int64))
    first = np.empty(int(kinds.max()) + 1, dtype=np.int64)
    first[kinds[::-1]] = rows[::-1]  # of several values for one place the last stays: the first row of the kind
    same_as = np.arange(incidence.shape[0])
    same_as[rows] = first[kinds]
    is_measured = same_as == np.arange(same_as.size)
    if is_measured.all():
        return None
    place = running_count(is_measured) - 1
    return AlikeSingletons(np.flatnonzero(is_measured), np.flatnonzero(~is_measured), place[same_as])


def _kinds(gold: PreparedGold, pages: IntArray) -> IntArray:
    """A number for the exact set of leaves of each page: the leaf, or the region on the finest level."""
    kinds = gold.leaves.code[pages].astype(np.int64)
    several = np.flatnonzero(kinds < 0)
    kinds[several] = gold.leaves.topics.size + gold.levels[-1].region[-1 - kinds[several]]
    return kinds

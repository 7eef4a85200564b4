"""The random walk over pages and sets behind element-centric similarity, in closed form."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from qc4.arrays import FloatArray, IntArray
from qc4.problems.bounds import LINKED_SETS
from qc4.views.covers import PageSets
from qc4.views.undefined import refuse_too_much

ALPHA = 0.9
"""Probability that the walk goes on instead of returning to its start."""

BLOCK = 1 << 20
"""Numbers in a block of rows; bounds the memory."""


class Walk:
    """Where walks from pages lead, per kind of page (pages in the same sets), apart from the walk's own start.

    Attributes:
        part_of: (kinds,) the part of the sets that hang together by common pages which the kind belongs to.
        n_parts: number of those parts.

    Raises:
        Undefined: too many sets hang together.
    """

    def __init__(self, sets: PageSets, weights: FloatArray | None = None) -> None:
        _, first, pages = np.unique(sets.kind_of, return_index=True, return_counts=True)
        member = sets.by_page[first].astype(np.float64)  # (kinds, sets)
        graph = _bipartite(member)
        self.n_parts, part = connected_components(graph, directed=False)
        self.part_of: IntArray = part[: first.size].astype(np.int64)
        set_part: IntArray = part[first.size :].astype(np.int64)
        self._n_sets = np.bincount(set_part, minlength=self.n_parts)
        linked = self._n_sets[self._n_sets > 1].astype(np.int64)
        # Several parts count as one whose table is as large as theirs together.
        refuse_too_much(LINKED_SETS, math.ceil(math.sqrt((linked**2).sum())), "topics and clusters")
        order = np.argsort(set_part, kind="stable")
        self._sets = np.split(order, np.cumsum(self._n_sets)[:-1])
        self._sizes = sets.sizes
        weighted = member if weights is None else sp.csr_array(member * weights[None, :])
        self._out = sp.csr_array(weighted / weighted.sum(axis=1)[:, None])
        self._back = sp.csr_array(sp.csr_array(member / sets.sizes[None, :]).T)  # (sets, kinds)
        self._pages = pages
        self._solved: dict[int, FloatArray] = {}

    @cached_property
    def returning(self) -> FloatArray:
        """(kinds,) mass that comes from a page of the kind to each page of the same kind."""
        found = np.empty(self.part_of.size)
        order = np.argsort(self.part_of, kind="stable")
        kinds_of_part = np.split(order, np.cumsum(np.bincount(self.part_of, minlength=self.n_parts))[:-1])
        single = self._n_sets == 1
        alone = np.flatnonzero(single[self.part_of])
        found[alone] = ALPHA / self._sizes[self._out[alone].indices]
        for part in np.flatnonzero(~single).tolist():
            sets = self._sets[part]
            for rows in np.array_split(kinds_of_part[part], kinds_of_part[part].size * sets.size // BLOCK + 1):
                arriving = self._out[rows][:, sets] @ self._between(part)
                found[rows] = sp.csr_array(self._back[sets][:, rows].T.multiply(arriving)).sum(axis=1)
        return found

    def mass(self, start: IntArray, end: IntArray) -> FloatArray:
        """(starts, ends) mass from a page of kind ``start`` to each page of kind ``end``, all of one part."""
        part = int(self.part_of[start[0]])
        sets = self._sets[part]
        if sets.size == 1:
            return np.full((start.size, end.size), ALPHA / self._sizes[sets[0]])
        leaving = np.asarray(self._out[start][:, sets] @ self._between(part))
        return np.asarray(leaving @ self._back[sets][:, end], dtype=np.float64)

    def _between(self, part: int) -> FloatArray:
        """(sets, sets) ALPHA (1 - ALPHA) (I - ALPHA V U)^-1 of a part's sets."""
        if part not in self._solved:
            sets = self._sets[part]
            step = sp.csr_array(self._back[sets] * self._pages[None, :]) @ self._out[:, sets]
            system = np.eye(sets.size) - ALPHA * sp.csr_array(step).toarray()
            self._solved[part] = ALPHA * (1 - ALPHA) * scipy.linalg.inv(system, overwrite_a=True)
        return self._solved[part]


def _bipartite(member: sp.csr_array) -> sp.csr_array:
    """The graph of kinds and sets: kinds first."""
    kinds, sets = member.shape
    cells = sp.coo_array(member)
    return sp.csr_array((cells.data, (cells.row, kinds + cells.col)), shape=(kinds + sets, kinds + sets))

"""How deeply sets of pages lie in one another, from their pages alone: names and parents play no part."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray


def shared_pages(sets: sp.csr_array, others: sp.csr_array) -> sp.csr_array:
    """(sets, other sets) how many pages each two of them share; both are (sets, pages) 0/1 matrices."""
    return sp.csr_array(sets.astype(np.int64) @ others.T.astype(np.int64))


def depths(incidence: sp.csr_array) -> IntArray:
    """(sets,) length of the longest chain of ever larger sets that contain the set; 0 for a set in no other.

    Args:
        incidence: (sets, pages) 0/1 CSR, none empty. Equal sets do not contain each other.
    """
    different, which = _without_copies(incidence)
    return _depths(different)[which]


def _without_copies(incidence: sp.csr_array) -> tuple[sp.csr_array, IntArray]:
    """One of each of the equal sets, and (sets,) which of these each set is: every pair is looked at later."""
    ordered = incidence.sorted_indices()
    place: dict[bytes, int] = {}
    bounds = zip(ordered.indptr[:-1], ordered.indptr[1:], strict=True)
    which = np.array([place.setdefault(ordered.indices[a:b].tobytes(), len(place)) for a, b in bounds], dtype=np.int64)
    first = np.unique(which, return_index=True)[1]
    return ordered[first], which


def _depths(incidence: sp.csr_array) -> IntArray:
    sizes = np.diff(incidence.indptr).astype(np.int64)
    shared = sp.coo_array(shared_pages(incidence, incidence))
    inner, outer = shared.row, shared.col
    contained = (shared.data == sizes[inner]) & (sizes[outer] > sizes[inner])
    inner, outer = inner[contained], outer[contained]
    depth = np.zeros(sizes.size, dtype=np.int64)
    while True:
        deeper = depth.copy()
        np.maximum.at(deeper, inner, depth[outer] + 1)
        if np.array_equal(deeper, depth):
            return depth
        depth = deeper

"""The topic hierarchy as arrays: parents, spans of levels, and the pages of every topic, closed upwards.

A `Hierarchy` may break rules R1-R4 (drafts do); `qc4.gold.standard.GoldStandard` may not.
Source: QC4 paper section 3.1; levels and spans as settled in the project's QC4 reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.gold.breaches import Breach, breaches_of
from qc4.problems.references import parents_first


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Topics x levels x pages.

    Attributes:
        parent: (topics,) index of the parent topic, -1 for a root.
        first: (topics,) the smallest level number the topic is on (1 = coarsest).
        last: (topics,) the largest; a topic that is not split further stays on every level below.
        n_levels: Lmax, at least 1.
        pages: (topics, pages) 0/1 CSR incidence, sorted indices; a page of a topic is a page of its ancestors.
        outliers: sorted page indexes of the outlier topic.
    """

    parent: IntArray
    first: IntArray
    last: IntArray
    n_levels: int
    pages: sp.csr_array
    outliers: IntArray

    @classmethod
    def build(
        cls,
        direct: sp.csr_array,
        parent: Sequence[int] | IntArray,
        level: Sequence[int | None] | None = None,
        outliers: Sequence[int] | IntArray = (),
    ) -> Hierarchy:
        """Resolve spans and close memberships upwards.

        Args:
            direct: (topics, pages) incidence of direct memberships.
            parent: index of each topic's parent, -1 for a root; must be a forest.
            level: first level of each topic, None for "parent's plus one".
            outliers: page indexes.

        Raises:
            ValueError: the parents hold a cycle.
        """
        parents = np.asarray(parent, dtype=np.int64)
        first = first_levels(parents, level)
        n_levels = int(first.max(initial=1))
        return cls(
            parent=parents,
            first=first,
            last=_last_levels(parents, first, n_levels),
            n_levels=n_levels,
            pages=close_upwards(direct, parents),
            outliers=np.unique(np.asarray(outliers, dtype=np.int64)),
        )

    @property
    def n_pages(self) -> int:
        return int(self.pages.shape[1])

    @property
    def n_topics(self) -> int:
        return int(self.pages.shape[0])

    @cached_property
    def sizes(self) -> IntArray:
        """(topics,) number of pages of each topic."""
        return np.diff(self.pages.indptr).astype(np.int64)

    @property
    def levels(self) -> range:
        return range(1, self.n_levels + 1)

    def topics_on(self, level: int) -> IntArray:
        """Indexes of the topics whose span contains ``level`` (the outlier topic is not among them)."""
        return np.flatnonzero((self.first <= level) & (level <= self.last))

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """The children of every topic that has some, in file order."""
        return children_of(self.parent)

    @cached_property
    def left_over(self) -> dict[int, IntArray]:
        """Pages of each topic that splits that are in none of its children, where there are any."""
        flags = np.zeros(self.n_pages, dtype=bool)
        found = {topic: _difference(self.pages, [topic], below, flags) for topic, below in self.children.items()}
        return {topic: found[topic] for topic in sorted(found) if found[topic].size}

    @cached_property
    def breaches(self) -> tuple[Breach, ...]:
        """Where it breaks the rules R1-R5."""
        return tuple(breaches_of(self))

    def unplaced(self, level: int) -> IntArray:
        """Pages in no topic on ``level`` that are not outliers either."""
        placed = np.zeros(self.n_pages, dtype=bool)
        placed[self.outliers] = True
        for topic in self.topics_on(level).tolist():
            placed[_entries_of(self.pages, [topic])] = True
        return np.flatnonzero(~placed)


def topological_order(parents: IntArray) -> IntArray:
    """Topic indexes, parents before children; ValueError if the parents hold a cycle."""
    order, cycles = parents_first(parents.tolist())
    if cycles:
        raise ValueError("the parents of the topics hold a cycle")
    return np.array(order, dtype=np.int64)


def children_of(parents: IntArray) -> dict[int, list[int]]:
    """The children of every topic that has some, in file order."""
    found: dict[int, list[int]] = {}
    for topic, parent in enumerate(parents.tolist()):
        if parent >= 0:
            found.setdefault(parent, []).append(topic)
    return found


def first_levels(parents: IntArray, level: Sequence[int | None] | None = None) -> IntArray:
    """(topics,) the level each topic starts on: as given, else one below its parent's.

    Raises:
        ValueError: the parents hold a cycle.
    """
    first = np.ones(parents.size, dtype=np.int64)
    for topic in topological_order(parents).tolist():
        given = level[topic] if level is not None else None
        if given is not None:
            first[topic] = given
        elif parents[topic] >= 0:
            first[topic] = first[parents[topic]] + 1
    return first


def _last_levels(parents: IntArray, first: IntArray, n_levels: int) -> IntArray:
    last = np.full(parents.size, n_levels, dtype=np.int64)
    children = np.flatnonzero(parents >= 0)
    np.minimum.at(last, parents[children], first[children] - 1)
    return last


def close_upwards(direct: sp.csr_array, parents: IntArray) -> sp.csr_array:
    """Add every set's pages to its ancestors: one sparse product with the ancestor-or-self incidence.

    Incidences that are closed already, as most files are, only get sorted.

    Args:
        direct: (sets, pages) incidence of direct memberships.
        parents: (sets,) the set that each lies in, -1 for none; a forest.
    """
    closed = _sorted_incidence(direct)
    flags = np.zeros(direct.shape[1], dtype=bool)
    if not any(
        _difference(closed, children, [parent], flags).size for parent, children in children_of(parents).items()
    ):
        return closed
    n = parents.size
    rows, columns = [np.arange(n)], [np.arange(n)]
    descendant, ancestor = np.arange(n), parents.copy()
    while (alive := ancestor >= 0).any():
        descendant, ancestor = descendant[alive], ancestor[alive]
        rows.append(ancestor)
        columns.append(descendant)
        ancestor = parents[ancestor]
    row, column = np.concatenate(rows), np.concatenate(columns)
    contains = sp.csr_array((np.ones(row.size, dtype=np.int32), (row, column)), shape=(n, n))
    return _sorted_incidence(sp.csr_array(contains @ closed))


def _sorted_incidence(matrix: sp.csr_array) -> sp.csr_array:
    """The non-zero entries of a matrix as ones, each once, with sorted indices; the argument stays as it is."""
    if matrix.has_canonical_format and np.all(matrix.data):
        ones = np.ones(matrix.nnz, dtype=np.int32)
        return sp.csr_array((ones, matrix.indices.copy(), matrix.indptr.copy()), shape=matrix.shape)
    entries: sp.csr_array = matrix.astype(np.int32, copy=True)
    entries.sum_duplicates()
    entries.eliminate_zeros()
    entries.data[:] = 1
    return entries


def _difference(
    incidence: sp.csr_array, rows: Sequence[int], without: Sequence[int], flags: npt.NDArray[np.bool_]
) -> IntArray:
    """Pages of ``rows`` that are in none of the rows ``without``; ``flags`` is one False per page, before and after."""
    pages, others = _entries_of(incidence, rows), _entries_of(incidence, without)
    flags[others] = True
    is_there = flags[pages]
    flags[others] = False
    return np.empty(0, dtype=np.int64) if is_there.all() else pages[~is_there].astype(np.int64)


def _entries_of(incidence: sp.csr_array, rows: Sequence[int]) -> IntArray:
    """The pages of one or more rows, one row after the other: a view where the rows are neighbours."""
    indptr, indices = incidence.indptr, incidence.indices
    if rows[-1] - rows[0] == len(rows) - 1:  # children are in file order, which ascends
        return np.asarray(indices[indptr[rows[0]] : indptr[rows[-1] + 1]])
    return np.concatenate([indices[indptr[row] : indptr[row + 1]] for row in rows])

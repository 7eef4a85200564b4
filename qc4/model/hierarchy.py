"""The topic hierarchy as arrays: parents, ranges of levels, and the pages of each topic with its subtopics.

A `Hierarchy` may break rules R1-R4, as drafts do; a `qc4.model.gold_standard.GoldStandard` may not.
Source: QC4 paper section 3.1; levels and spans follow the project's interpretation of QC4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.problems import parents_first

# --- Where a hierarchy breaks the rules R1-R5 ---
# Messages are in `qc4.model.structure`. R6, on names, is checked on documents (`qc4.model.rules`). Source: the
# project's interpretation of QC4, "The gold standard".


class Placed(Protocol):
    """Topics with their levels and pages: the part of `qc4.model.hierarchy.Hierarchy` that the rules need."""

    @property
    def parent(self) -> IntArray: ...
    @property
    def first(self) -> IntArray: ...
    @property
    def last(self) -> IntArray: ...
    @property
    def sizes(self) -> IntArray: ...
    @property
    def pages(self) -> sp.csr_array: ...
    @property
    def outliers(self) -> IntArray: ...
    @property
    def left_over(self) -> Mapping[int, IntArray]: ...
    def unplaced(self, level: int) -> IntArray: ...


@dataclass(frozen=True, slots=True, eq=False)
class Breach:
    """One place where a rule is broken.

    Attributes:
        rule: "R1" to "R5"; ``code`` is the code of the problem.
        topic: the topic's index; -1 for pages that are in no topic of level 1.
        level: the level of the topic (R5), or the level on which the pages have no topic (R1, R3).
        pages: sorted indexes of the affected pages (R1, R2, R3).
        others: topics with wrong levels, and their levels: the parent or the children of the topic (R5).
    """

    rule: str
    code: str
    topic: int
    level: int = 0
    pages: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    others: tuple[tuple[int, int], ...] = ()


def breaches_of(hierarchy: Placed) -> Iterator[Breach]:
    """Yield every breach of R1-R5. R1 and R3 together assign every page on every level."""
    yield from level_breaches(hierarchy.parent, hierarchy.first)
    yield from outlier_breaches(hierarchy.pages, hierarchy.outliers)
    for topic in np.flatnonzero(hierarchy.sizes == 0).tolist():
        yield Breach("R4", "empty-topic", topic)
    yield from _placement_breaches(hierarchy)


def level_breaches(parent: IntArray, first: IntArray) -> Iterator[Breach]:
    """Yield breaches of R5: roots are on level 1, children are below their parent and all on one level.

    Args:
        parent: (topics,) index of the parent, -1 for a root; a forest.
        first: (topics,) the level each topic starts on.
    """
    is_child = parent >= 0
    above = np.where(is_child, first[parent], 0)
    for topic in np.flatnonzero(np.where(is_child, first <= above, first != 1)).tolist():
        level = int(first[topic])
        if is_child[topic]:
            yield Breach("R5", "bad-level", topic, level, others=((int(parent[topic]), int(above[topic])),))
        else:
            yield Breach("R5", "root-level", topic, level)
    children = np.flatnonzero(is_child)
    lowest, highest = first.copy(), first.copy()
    lowest[parent[children]] = highest[parent[children]] = first[children]
    np.minimum.at(lowest, parent[children], first[children])
    np.maximum.at(highest, parent[children], first[children])
    apart: dict[int, list[int]] = {}
    for child in children[(lowest < highest)[parent[children]]].tolist():
        apart.setdefault(int(parent[child]), []).append(child)
    for topic, below in apart.items():
        others = tuple((child, int(first[child])) for child in below)
        yield Breach("R5", "sibling-levels", topic, int(first[topic]), others=others)


def outlier_breaches(pages: sp.csr_array, outliers: IntArray) -> Iterator[Breach]:
    """Yield breaches of R2: outliers are in no topic.

    Args:
        pages: (topics, pages) incidence of direct or of all memberships.
    """
    if not outliers.size:
        return
    is_outlier = np.zeros(pages.shape[1], dtype=bool)
    is_outlier[outliers] = True
    entries = np.flatnonzero(is_outlier[pages.indices])
    topics = np.searchsorted(pages.indptr, entries, side="right") - 1
    found, begin = np.unique(topics, return_index=True)
    for topic, own in zip(found.tolist(), np.split(entries, begin[1:]), strict=bool(found.size)):
        yield Breach("R2", "outlier-in-topic", topic, pages=np.unique(pages.indices[own]).astype(np.int64))


def _placement_breaches(hierarchy: Placed) -> Iterator[Breach]:
    """Yield breaches of R1 and R3. Below level 1 they are reported at the topic whose children lack the page."""
    unplaced = {1: hierarchy.unplaced(1)}
    if unplaced[1].size:
        yield Breach("R1", "page-without-topic", -1, 1, unplaced[1])
    for topic, left_over in hierarchy.left_over.items():
        level = int(hierarchy.last[topic]) + 1
        if level not in unplaced:
            unplaced[level] = hierarchy.unplaced(level)
        nowhere = np.isin(left_over, unplaced[level])
        if nowhere.any():
            yield Breach("R1", "page-without-topic", topic, level, left_over[nowhere])
        if not nowhere.all():
            yield Breach("R3", "page-without-subtopic", topic, level, left_over[~nowhere])


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A topic hierarchy: topics, levels and pages.

    Attributes:
        parent: (topics,) index of the parent topic, -1 for a root.
        first: (topics,) the coarsest level of the topic (1 = coarsest).
        last: (topics,) the finest level of the topic; a topic without children stays on every level below.
        n_levels: Lmax, at least 1.
        pages: (topics, pages) 0/1 CSR incidence, sorted indices; a page of a topic is also a page of its ancestors.
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
        """Build a hierarchy: set the levels of each topic and add its pages to its ancestors.

        Args:
            direct: (topics, pages) incidence of direct memberships.
            parent: index of each topic's parent, -1 for a root; must be a forest.
            level: first level of each topic, None for "parent's plus one".
            outliers: page indexes.

        Raises:
            ValueError: the parents form a cycle.
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

    @classmethod
    def of_partition(cls, topics: sp.csr_array, outliers: IntArray) -> Hierarchy:
        """Return a hierarchy with one level of disjoint topics. It cannot break a rule, so nothing is checked.

        Args:
            topics: (topics, pages) 0/1 incidence with sorted indices: no empty row, at most one topic per page.
            outliers: the pages in no topic, sorted.
        """
        n_topics = topics.shape[0]
        ones = np.ones(n_topics, dtype=np.int64)
        found = cls(np.full(n_topics, -1, dtype=np.int64), ones, ones, 1, topics, outliers)
        vars(found)["breaches"] = ()
        return found

    @property
    def n_pages(self) -> int:
        return int(self.pages.shape[1])

    @property
    def n_topics(self) -> int:
        return int(self.pages.shape[0])

    @cached_property
    def sizes(self) -> IntArray:
        """(topics,) the number of pages of each topic."""
        return np.diff(self.pages.indptr).astype(np.int64)

    @property
    def levels(self) -> range:
        return range(1, self.n_levels + 1)

    def topics_on(self, level: int) -> IntArray:
        """Return the indexes of the topics on this level, without the outlier topic."""
        return np.flatnonzero((self.first <= level) & (level <= self.last))

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """The children of each topic that has some, in file order."""
        return children_of(self.parent)

    @cached_property
    def left_over(self) -> dict[int, IntArray]:
        """For each topic with children: its pages that are in none of them, if there are any."""
        flags = np.zeros(self.n_pages, dtype=bool)
        found = {topic: _difference(self.pages, [topic], below, flags) for topic, below in self.children.items()}
        return {topic: found[topic] for topic in sorted(found) if found[topic].size}

    @cached_property
    def breaches(self) -> tuple[Breach, ...]:
        """The breaches of the rules R1-R5."""
        return tuple(breaches_of(self))

    def unplaced(self, level: int) -> IntArray:
        """Return the pages that are neither in a topic on ``level`` nor outliers."""
        placed = np.zeros(self.n_pages, dtype=bool)
        placed[self.outliers] = True
        for topic in self.topics_on(level).tolist():
            placed[_entries_of(self.pages, [topic])] = True
        return np.flatnonzero(~placed)


def topological_order(parents: IntArray) -> IntArray:
    """Return topic indexes with parents before children; raise ValueError if the parents form a cycle."""
    order, cycles = parents_first(parents.tolist())
    if cycles:
        raise ValueError("the parents of the topics form a cycle")
    return np.array(order, dtype=np.int64)


def children_of(parents: IntArray) -> dict[int, list[int]]:
    """Return the children of each topic that has some, in file order."""
    found: dict[int, list[int]] = {}
    for topic, parent in enumerate(parents.tolist()):
        if parent >= 0:
            found.setdefault(parent, []).append(topic)
    return found


def first_levels(parents: IntArray, level: Sequence[int | None] | None = None) -> IntArray:
    """Return the (topics,) level that each topic starts on: the given level, or one below that of its parent.

    Raises:
        ValueError: the parents form a cycle.
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
    """Add the pages of each set to its ancestors, by one sparse product with the ancestor-or-self incidence.

    If every ancestor already has the pages, as in most files, the incidence is only sorted.

    Args:
        direct: (sets, pages) incidence of direct memberships.
        parents: (sets,) the parent of each set, -1 for none; a forest.
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
    """Return the non-zero entries of a matrix as ones, each once, with sorted indices. Does not change the argument."""
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
    """Return the pages of ``rows`` that are in no row of ``without``. ``flags`` (pages,) is scratch space, all
    False."""
    pages, others = _entries_of(incidence, rows), _entries_of(incidence, without)
    flags[others] = True
    is_there = flags[pages]
    flags[others] = False
    return np.empty(0, dtype=np.int64) if is_there.all() else pages[~is_there].astype(np.int64)


def _entries_of(incidence: sp.csr_array, rows: Sequence[int]) -> IntArray:
    """Return the pages of one or more rows, one row after the other, as a view if the rows are adjacent."""
    indptr, indices = incidence.indptr, incidence.indices
    if rows[-1] - rows[0] == len(rows) - 1:  # the rows ascend, as children are in file order
        return np.asarray(indices[indptr[rows[0]] : indptr[rows[-1] + 1]])
    return np.concatenate([indices[indptr[row] : indptr[row + 1]] for row in rows])

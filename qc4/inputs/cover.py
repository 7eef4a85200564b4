"""Topics and clusters that may overlap, over the same pages, with every page in at least one topic and one cluster."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from qc4.arrays import BoolArray, IntArray
from qc4.inputs.universe import universe
from qc4.inputs.view import EACH_LEVEL, WHOLE_HIERARCHY, Level, View
from qc4.model.case import Case
from qc4.model.policies import Policies


@dataclass(frozen=True, eq=False)
class PageSets:
    """Sets that together contain every page, and groups of pages that are in exactly the same sets.

    Attributes:
        incidence: (sets, pages) 0/1 CSR without empty rows.
    """

    incidence: sp.csr_array

    @cached_property
    def sizes(self) -> IntArray:
        """(sets,) the number of pages in each set."""
        return np.diff(self.incidence.indptr).astype(np.int64)

    @cached_property
    def by_page(self) -> sp.csr_array:
        """(pages, sets) 0/1 CSR with sorted indices."""
        turned = sp.csr_array(self.incidence.T)
        turned.sort_indices()
        return turned

    @cached_property
    def kind_of(self) -> IntArray:
        """(pages,) the same number for pages that are in exactly the same sets; numbered without gaps."""
        start, memberships = self.by_page.indptr.astype(np.int64), self.by_page.indices.astype(np.int64)
        length = np.diff(start)
        kind, used = np.zeros(length.size, dtype=np.int64), 1
        # Pages are split by their first set, then by their second, and so on. Group numbers are never reused.
        for position in range(int(length.max())):
            longer = np.flatnonzero(length > position)
            key = kind[longer] * self.sizes.size + memberships[start[longer] + position]
            found, number = np.unique(key, return_inverse=True)
            kind[longer] = used + number
            used += found.size
        return np.unique(kind, return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True, eq=False)
class Covers:
    """Topics and clusters of the same pages.

    Attributes:
        topics: sets of pages of the gold standard.
        clusters: sets of the same pages.
    """

    topics: PageSets
    clusters: PageSets

    @classmethod
    def from_incidence(cls, topics: sp.csr_array, clusters: sp.csr_array) -> Covers:
        """Return covers from two (sets, pages) 0/1 matrices; empty sets are removed.

        Raises:
            ValueError: a page is in no topic or in no cluster, or there is no page.
        """
        found = cls(PageSets(_occupied(topics)), PageSets(_occupied(clusters)))
        for sets in (found.topics, found.clusters):
            if not sets.incidence.shape[1] or not np.diff(sets.by_page.indptr).all():
                raise ValueError("every page must be in a topic and in a cluster, and there must be a page")
        return found

    @cached_property
    def swapped(self) -> Covers:
        """Return the covers with topics and clusters exchanged."""
        return Covers(self.clusters, self.topics)

    @property
    def n(self) -> int:
        """The number of pages."""
        return int(self.topics.incidence.shape[1])

    @cached_property
    def groups(self) -> PageGroups:
        kinds = self.clusters.kind_of
        key = self.topics.kind_of * (int(kinds.max()) + 1) + kinds
        _, first, weight = np.unique(key, return_index=True, return_counts=True)
        return PageGroups(self.topics.by_page[first], self.clusters.by_page[first], first, weight.astype(np.int64))


@dataclass(frozen=True, eq=False)
class PageGroups:
    """Groups of pages that are in the same topics and the same clusters, and so are equal to any measure.

    Attributes:
        topics: (groups, topics) 0/1 CSR.
        clusters: (groups, clusters) 0/1 CSR.
        page: (groups,) one page of each group.
        weight: (groups,) the number of pages in each group.
    """

    topics: sp.csr_array
    clusters: sp.csr_array
    page: IntArray
    weight: IntArray


def cover_with(case: Case, topics: sp.csr_array, policies: Policies) -> Covers:
    """Return these topics and the clusters, on the pages that remain under ``outliers`` and ``unclustered``.

    Raises:
        Undefined: no page remains.
    """
    left = universe(case, policies)
    topics = with_rows(topics, np.zeros_like(left.outliers), left.outliers)
    clusters = with_rows(case.clusters, left.extra, left.alone)
    if not left.pages.all():
        topics, clusters = topics[:, left.pages], clusters[:, left.pages]
    return Covers(PageSets(_occupied(topics)), PageSets(_occupied(clusters)))


def with_rows(sets: sp.csr_array, row: IntArray, page: IntArray) -> sp.csr_array:
    """Return the sets with new sets appended: ``page[i]`` is in new set ``row[i]``."""
    if not page.size:
        return sets
    shape = (int(row.max()) + 1, sets.shape[1])
    new = sp.csr_array((np.ones(page.size, dtype=sets.dtype), (row, page)), shape=shape)
    return sp.csr_array(sp.vstack([sets, new], format="csr"))


def _occupied(sets: sp.csr_array) -> sp.csr_array:
    return sp.csr_array(sets[np.diff(sets.indptr) > 0])


def _of_level(case: Case, level: Level, policies: Policies) -> Covers:
    assert isinstance(level, int)
    hierarchy = case.gold.hierarchy
    return cover_with(case, sp.csr_array(hierarchy.pages[hierarchy.topics_on(level)]), policies)


def _of_all_levels(case: Case, level: Level, policies: Policies) -> Covers:
    return cover_with(case, case.gold.hierarchy.pages, policies)


COVERS: View[Covers] = View(_of_level, EACH_LEVEL, ("outliers", "unclustered"))
"""Input of measures for topics and clusters that may overlap, on each level of the gold standard."""

ALL_TOPICS: View[Covers] = View(_of_all_levels, WHOLE_HIERARCHY, ("outliers", "unclustered"))
"""Input of measures for the topics of all levels and the clusters, both of which may overlap and nest."""


# --- The topics of one level and the clusters unchanged: with overlap, outliers and unclustered pages ---


@dataclass(frozen=True, eq=False)
class GivenSets:
    """Topics and clusters of the same pages, to which no scoring option was applied.

    Attributes:
        topics: (topics, pages) 0/1 CSR; outliers are in no topic.
        clusters: (clusters, pages) 0/1 CSR; unclustered pages are in no cluster.
    """

    topics: sp.csr_array
    clusters: sp.csr_array

    @property
    def n(self) -> int:
        """The number of pages."""
        return int(self.clusters.shape[1])

    @cached_property
    def placed(self) -> BoolArray:
        """(pages,) True for pages in a topic."""
        return _is_in_a_set(self.topics)

    @cached_property
    def clustered(self) -> BoolArray:
        """(pages,) True for pages in a cluster."""
        return _is_in_a_set(self.clusters)

    @cached_property
    def covers(self) -> Covers:
        """The same sets as covers; each page in no topic or no cluster becomes a set of its own."""
        return Covers.from_incidence(
            _with_singletons(self.topics, self.placed), _with_singletons(self.clusters, self.clustered)
        )


def _is_in_a_set(sets: sp.csr_array) -> BoolArray:
    return np.bincount(sets.indices, minlength=sets.shape[1]) > 0


def _with_singletons(sets: sp.csr_array, held: BoolArray) -> sp.csr_array:
    others = np.flatnonzero(~held)
    return with_rows(sets, np.arange(others.size), others)


def _given(case: Case, level: Level, policies: Policies) -> GivenSets:
    assert isinstance(level, int)
    hierarchy = case.gold.hierarchy
    return GivenSets(sp.csr_array(hierarchy.pages[hierarchy.topics_on(level)]), case.clusters)


GIVEN_SETS: View[GivenSets] = View(_given, EACH_LEVEL)
"""Input of measures with their own rules for outliers and unclustered pages, on each level of the gold standard."""

"""Topics and clusters that may overlap, both over the same pages, every page in at least one of each."""

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
    """Sets of pages that together hold every page, and the pages that are in exactly the same sets.

    Attributes:
        incidence: (sets, pages) 0/1 CSR, none empty.
    """

    incidence: sp.csr_array

    @cached_property
    def sizes(self) -> IntArray:
        """(sets,) number of pages."""
        return np.diff(self.incidence.indptr).astype(np.int64)

    @cached_property
    def by_page(self) -> sp.csr_array:
        """(pages, sets) 0/1 CSR with sorted indices."""
        turned = sp.csr_array(self.incidence.T)
        turned.sort_indices()
        return turned

    @cached_property
    def kind_of(self) -> IntArray:
        """(pages,) pages with the same number are in exactly the same sets; the numbers have no gaps."""
        start, memberships = self.by_page.indptr.astype(np.int64), self.by_page.indices.astype(np.int64)
        length = np.diff(start)
        kind, used = np.zeros(length.size, dtype=np.int64), 1
        # Told apart by their first set, then by the second where there is one, ..: numbers given out are never reused.
        for position in range(int(length.max())):
            longer = np.flatnonzero(length > position)
            key = kind[longer] * self.sizes.size + memberships[start[longer] + position]
            found, number = np.unique(key, return_inverse=True)
            kind[longer] = used + number
            used += found.size
        return np.unique(kind, return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True, eq=False)
class Covers:
    """Topics against clusters.

    Attributes:
        topics: sets of pages of the gold standard.
        clusters: sets of the same pages.
    """

    topics: PageSets
    clusters: PageSets

    @classmethod
    def from_incidence(cls, topics: sp.csr_array, clusters: sp.csr_array) -> Covers:
        """Covers from two (sets, pages) 0/1 matrices; sets without a page are left out.

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
        """Topics and clusters in each other's place."""
        return Covers(self.clusters, self.topics)

    @property
    def n(self) -> int:
        """Number of pages."""
        return int(self.topics.incidence.shape[1])

    @cached_property
    def groups(self) -> PageGroups:
        kinds = self.clusters.kind_of
        key = self.topics.kind_of * (int(kinds.max()) + 1) + kinds
        _, first, weight = np.unique(key, return_index=True, return_counts=True)
        return PageGroups(self.topics.by_page[first], self.clusters.by_page[first], first, weight.astype(np.int64))


@dataclass(frozen=True, eq=False)
class PageGroups:
    """Pages that no measure can tell apart, because they are in the same topics and the same clusters, as one.

    Attributes:
        topics: (groups, topics) 0/1 CSR.
        clusters: (groups, clusters) 0/1 CSR.
        page: (groups,) one page of each.
        weight: (groups,) number of pages.
    """

    topics: sp.csr_array
    clusters: sp.csr_array
    page: IntArray
    weight: IntArray


def cover_with(case: Case, topics: sp.csr_array, policies: Policies) -> Covers:
    """These topics and the clusters on the pages that the policies for outliers and unclustered pages leave.

    Raises:
        Undefined: the policies leave no page.
    """
    left = universe(case, policies)
    topics = with_rows(topics, np.zeros_like(left.outliers), left.outliers)
    clusters = with_rows(case.clusters, left.extra, left.alone)
    if not left.pages.all():
        topics, clusters = topics[:, left.pages], clusters[:, left.pages]
    return Covers(PageSets(_occupied(topics)), PageSets(_occupied(clusters)))


def with_rows(sets: sp.csr_array, row: IntArray, page: IntArray) -> sp.csr_array:
    """The sets and below them new ones: ``page[i]`` is in new set ``row[i]``."""
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
"""Measures of topics and clusters that may overlap, computed on each level of the gold standard."""

ALL_TOPICS: View[Covers] = View(_of_all_levels, WHOLE_HIERARCHY, ("outliers", "unclustered"))
"""Measures of all topics of all levels against the clusters, both of which may overlap and nest."""


# The topics of one level and the clusters as they are: overlap, outliers and unclustered pages, and no policy.


@dataclass(frozen=True, eq=False)
class GivenSets:
    """Topics against clusters.

    Attributes:
        topics: (topics, pages) 0/1 CSR; outliers are in none.
        clusters: (clusters, pages) 0/1 CSR; unclustered pages are in none.
    """

    topics: sp.csr_array
    clusters: sp.csr_array

    @property
    def n(self) -> int:
        """Number of pages."""
        return int(self.clusters.shape[1])

    @cached_property
    def placed(self) -> BoolArray:
        """(pages,) whether each is in a topic."""
        return _held(self.topics)

    @cached_property
    def clustered(self) -> BoolArray:
        """(pages,) whether each is in a cluster."""
        return _held(self.clusters)

    @cached_property
    def covers(self) -> Covers:
        """The same, each page that is in no topic or in no cluster alone in one."""
        return Covers.from_incidence(_alone(self.topics, self.placed), _alone(self.clusters, self.clustered))


def _held(sets: sp.csr_array) -> BoolArray:
    return np.bincount(sets.indices, minlength=sets.shape[1]) > 0


def _alone(sets: sp.csr_array, held: BoolArray) -> sp.csr_array:
    others = np.flatnonzero(~held)
    return with_rows(sets, np.arange(others.size), others)


def _given(case: Case, level: Level, policies: Policies) -> GivenSets:
    assert isinstance(level, int)
    hierarchy = case.gold.hierarchy
    return GivenSets(sp.csr_array(hierarchy.pages[hierarchy.topics_on(level)]), case.clusters)


GIVEN_SETS: View[GivenSets] = View(_given, EACH_LEVEL)
"""Measures with rules of their own for outliers and unclustered pages, computed on each level of the gold standard."""

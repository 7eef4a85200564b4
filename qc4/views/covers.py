"""Topics and clusters that may overlap, both over the same pages, every page in at least one of each."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.clustering.case import Case
from qc4.gold.standard import GoldStandard
from qc4.views.contingency import nothing_left
from qc4.views.policies import Policies
from qc4.views.view import Kind, Level, Undefined, View

ANY_COVER: tuple[Kind, ...] = ("partition", "overlap", "outliers")


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
        shared: what several measures are made of; filled by the functions that own it.
    """

    topics: PageSets
    clusters: PageSets
    shared: dict[Hashable, Any] = field(default_factory=dict, repr=False)

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


def covers(case: Case, level: Level, policies: Policies) -> Covers:
    """Topics of one level against the clusters, as the policies for outliers and unclustered pages say; once per case.

    Raises:
        Undefined: the policies leave no page.
    """
    assert isinstance(level, int)
    key = ("covers", level, policies.outliers, policies.unclustered)
    if key not in case.counts:
        hierarchy = case.gold.hierarchy
        case.counts[key] = cover_with(case, sp.csr_array(hierarchy.pages[hierarchy.topics_on(level)]), policies)
    found: Covers | None = case.counts[key]
    if found is None:
        raise Undefined(nothing_left(policies))
    return found


def cover_with(case: Case, topics: sp.csr_array, policies: Policies) -> Covers | None:
    """These topics and the clusters on the pages the policies leave; None if they leave none."""
    universe = np.ones(case.n_pages, dtype=bool)
    outliers = case.gold.hierarchy.outliers
    if policies.outliers == "topic":
        topics = _with_rows(topics, np.zeros(outliers.size, dtype=np.int64), outliers)
    else:
        universe[outliers] = False
    clusters = case.clusters
    alone = np.flatnonzero(np.bincount(clusters.indices, minlength=case.n_pages) == 0)
    if policies.unclustered == "drop":
        universe[alone] = False
    else:
        together = policies.unclustered == "together"
        clusters = _with_rows(clusters, np.zeros_like(alone) if together else np.arange(alone.size), alone)
    if not universe.any():
        return None
    if not universe.all():
        topics, clusters = topics[:, universe], clusters[:, universe]
    return Covers(PageSets(_occupied(topics)), PageSets(_occupied(clusters)))


def _with_rows(sets: sp.csr_array, row: IntArray, page: IntArray) -> sp.csr_array:
    """The sets and below them new ones: ``page[i]`` is in new set ``row[i]``."""
    if not page.size:
        return sets
    shape = (int(row.max()) + 1, sets.shape[1])
    new = sp.csr_array((np.ones(page.size, dtype=sets.dtype), (row, page)), shape=shape)
    return sp.csr_array(sp.vstack([sets, new], format="csr"))


def _occupied(sets: sp.csr_array) -> sp.csr_array:
    return sp.csr_array(sets[np.diff(sets.indptr) > 0])


def _levels(gold: GoldStandard) -> tuple[Level, ...]:
    return tuple(gold.hierarchy.levels)


COVERS: View[Covers] = View("each level", _levels, covers, uses_policies=True)
"""Measures of topics and clusters that may overlap, computed on each level of the gold standard."""

"""Two partitions of the pages, as the policies say: the topics of one level as classes, and the clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.inputs.undefined import Undefined, pages_are
from qc4.inputs.universe import universe
from qc4.inputs.view import EACH_LEVEL, Level, View, remembered
from qc4.model.case import Case
from qc4.model.labels import Labels, label_codes
from qc4.model.policies import Policies

# Pages counted by class and cluster: the one pass that every measure of two partitions shares.


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Unordered pairs of pages, as exact Python integers (their products pass 2^63 from 60,000 pages on).

    Attributes:
        total: all pairs.
        same_class: pairs in one class.
        same_cluster: pairs in one cluster.
        both: pairs in one class and in one cluster (true positives).
    """

    total: int
    same_class: int
    same_cluster: int
    both: int


@dataclass(frozen=True, eq=False)
class Contingency:
    """The cells of classes x clusters that hold a page. No class and no cluster is empty.

    Attributes:
        class_of: (cells,) class of the cell, 0-based.
        cluster_of: (cells,) cluster of the cell, 0-based.
        count: (cells,) pages in the cell, at least 1.
        class_sizes: (classes,) pages of each class.
        cluster_sizes: (clusters,) pages of each cluster.
        flattened: whether a page in several topics or clusters was counted for its first one only.
    """

    class_of: IntArray
    cluster_of: IntArray
    count: IntArray
    class_sizes: IntArray
    cluster_sizes: IntArray
    flattened: bool = False

    @classmethod
    def from_labels(cls, classes: Labels, clusters: Labels) -> Contingency:
        """Count two labellings of the same pages; labels may be anything that can be told apart.

        Every label is a cluster here, -1 too: `qc4.model.labels.Labelling` decides which labels mean noise.

        Raises:
            ValueError: the labellings differ in length or are empty.
            InputError: labels that `label_codes` refuses.
        """
        if len(classes) != len(clusters) or not len(classes):
            raise ValueError(f"two labellings of the same pages are needed, not of {len(classes)} and {len(clusters)}")
        return cls.from_codes(label_codes(classes, "classes"), label_codes(clusters, "clusters"))

    @classmethod
    def from_codes(cls, classes: IntArray, clusters: IntArray, flattened: bool = False) -> Contingency:
        """Count integer codes >= 0; codes no page has are left out."""
        columns = int(clusters.max()) + 1
        cells = (int(classes.max()) + 1) * columns
        keys = classes * columns + clusters
        if cells <= 4 * keys.size:
            table = np.bincount(keys, minlength=cells)
            occupied = np.flatnonzero(table)
            count = table[occupied]
        else:
            occupied, count = np.unique(keys, return_counts=True)
        class_of, cluster_of = np.divmod(occupied, columns)
        return cls.from_cells(class_of, cluster_of, count.astype(np.int64), flattened)

    @classmethod
    def from_cells(
        cls, class_of: IntArray, cluster_of: IntArray, count: IntArray, flattened: bool = False
    ) -> Contingency:
        """A table from its cells, each named once, every ``count`` at least 1."""
        class_of, class_sizes = _compact(class_of, count)
        cluster_of, cluster_sizes = _compact(cluster_of, count)
        return cls(class_of, cluster_of, count, class_sizes, cluster_sizes, flattened)

    @cached_property
    def transposed(self) -> Contingency:
        """Classes and clusters in each other's place."""
        return Contingency(
            self.cluster_of, self.class_of, self.count, self.cluster_sizes, self.class_sizes, self.flattened
        )

    @cached_property
    def n(self) -> int:
        """Number of pages."""
        return int(self.count.sum())

    @cached_property
    def identical(self) -> bool:
        """Whether both partitions have the same blocks."""
        return self.count.size == self.class_sizes.size == self.cluster_sizes.size

    @cached_property
    def pairs(self) -> PairCounts:
        return PairCounts(
            self.n * (self.n - 1) // 2, _pairs(self.class_sizes), _pairs(self.cluster_sizes), _pairs(self.count)
        )

    @cached_property
    def largest_in_cluster(self) -> IntArray:
        """(clusters,) pages of each cluster's largest class."""
        largest = np.zeros(self.cluster_sizes.size, dtype=np.int64)
        np.maximum.at(largest, self.cluster_of, self.count)
        return largest


def _pairs(sizes: IntArray) -> int:
    """Pairs inside blocks of these sizes. The sum is at most n^2 / 2, exact in int64 up to 4 * 10^9 pages."""
    return int((sizes * (sizes - 1) // 2).sum())


def _compact(codes: IntArray, count: IntArray) -> tuple[IntArray, IntArray]:
    """Codes renumbered so that none is unused, and the pages of each."""
    cells = np.bincount(codes)
    used = cells > 0
    # bincount's weights are floats, exact for counts below 2^53.
    sizes = np.bincount(codes, weights=count).astype(np.int64)[used]
    return (np.cumsum(used) - 1)[codes], sizes


@dataclass(frozen=True, slots=True, eq=False)
class PageCodes:
    """Two partitions, page by page.

    Attributes:
        universe: (pages,) whether each page counts.
        classes, clusters: (pages,) codes of any values; without meaning where a page does not count.
        flattened: whether a page in several topics or clusters was counted for its first one only.
    """

    universe: BoolArray
    classes: IntArray
    clusters: IntArray
    flattened: bool


def page_codes(case: Case, level: Level, policies: Policies) -> PageCodes:
    """Topic of one level and cluster of each page, as the policies say; nested clusters are to be cut before.

    Raises:
        Undefined: pages overlap and the policy refuses that, or the policies leave no page.
    """
    assert isinstance(level, int)
    hierarchy = case.gold.hierarchy
    topics = sp.csr_array(hierarchy.pages[hierarchy.topics_on(level)])
    classes, topics_of_page = first_row(topics)
    clusters, clusters_of_page = first_row(case.clusters)
    left = universe(case, policies)
    classes[left.outliers] = topics.shape[0]
    clusters[left.alone] = case.n_clusters + left.extra
    reasons = [
        f"{pages_are(number)} in more than one {what}"
        for what, number in (
            (f"topic on level {level}", int((topics_of_page[left.pages] > 1).sum())),
            ("cluster", int((clusters_of_page[left.pages] > 1).sum())),
        )
        if number
    ]
    if reasons and policies.overlap == "refuse":
        raise Undefined("; ".join(reasons))
    return PageCodes(left.pages, classes, clusters, bool(reasons))


def first_row(incidence: sp.csr_array) -> tuple[IntArray, IntArray]:
    """(columns,) the first row each column is in, -1 for none, and in how many rows it is."""
    rows = np.repeat(np.arange(incidence.shape[0]), np.diff(incidence.indptr))
    first = np.full(incidence.shape[1], -1, dtype=np.int64)
    first[incidence.indices[::-1]] = rows[::-1]  # the last assignment stays, so go backwards
    return first, np.bincount(incidence.indices, minlength=incidence.shape[1])


def _count(case: Case, level: Level, policies: Policies) -> Contingency:
    codes = page_codes(case, level, policies)
    if codes.universe.all():
        return Contingency.from_codes(codes.classes, codes.clusters, codes.flattened)
    return Contingency.from_codes(codes.classes[codes.universe], codes.clusters[codes.universe], codes.flattened)


ON_PAGES = ("outliers", "unclustered", "overlap")
"""The policies that decide which pages count, for which topic and which cluster."""

PARTITION: View[Contingency] = View(_count, EACH_LEVEL, ON_PAGES, cuts=True)
"""Measures of two partitions, computed on each level of the gold standard. Undefined as of `page_codes`.

Nested clusters are cut at a depth first."""


# Rows matched one to one with columns so that as much weight as possible is matched.


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


# Classes aligned one to one with clusters so that as many pages as possible lie in aligned cells.


@dataclass(frozen=True, slots=True)
class Assignment:
    """The best alignment of classes and clusters.

    Attributes:
        pages: pages in aligned cells, the most there can be.
        s2: the largest S2 among the alignments with that many pages.
    """

    pages: int
    s2: float


@remembered
def assignment(table: Contingency) -> Assignment:
    """Align classes and clusters."""
    agreement = _agreement(table)
    smaller_side = min(table.class_sizes.size, table.cluster_sizes.size)
    # All agreements together stay below one page, so that they only decide among equal matchings.
    cells = matched(table, table.count + agreement / (smaller_side + 1))
    return Assignment(int(table.count[cells].sum()), math.fsum(agreement[cells]) / smaller_side)


def _agreement(table: Contingency) -> FloatArray:
    """(cells,) harmonic mean of sensitivity and specificity if the cell's class and cluster are aligned."""
    class_size = table.class_sizes[table.class_of]
    cluster_size = table.cluster_sizes[table.cluster_of]
    outside = table.n - class_size
    sensitivity = table.count / class_size
    kept_out = outside - cluster_size + table.count
    specificity = np.where(outside > 0, kept_out / np.maximum(outside, 1), 1.0)
    found: FloatArray = 2 * sensitivity * specificity / (sensitivity + specificity)
    return found


def matched(table: Contingency, weight: FloatArray) -> IntArray:
    """The cells of the one-to-one matching of classes and clusters with the largest weight, as `matching`."""
    return matching(table.class_of, table.cluster_of, weight, (table.class_sizes.size, table.cluster_sizes.size))

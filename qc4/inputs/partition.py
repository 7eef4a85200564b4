"""Two partitions of the pages, made with the scoring options: the topics of one level as classes, and the clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.inputs.undefined import Undefined, number_of_pages_are
from qc4.inputs.universe import universe
from qc4.inputs.view import EACH_LEVEL, Level, View, cached
from qc4.model.case import Case
from qc4.model.labels import Labels, label_codes
from qc4.model.policies import Policies

# --- Counts of pages by class and cluster, computed once for all measures of two partitions ---


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Numbers of unordered pairs of pages, as Python integers because their products exceed 2^63 from 60,000 pages.

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
    """The non-empty cells of classes x clusters. No class and no cluster is empty.

    Attributes:
        class_of: (cells,) the class of each cell, counted from 0.
        cluster_of: (cells,) the cluster of each cell, counted from 0.
        count: (cells,) the number of pages in each cell, at least 1.
        class_sizes: (classes,) the number of pages in each class.
        cluster_sizes: (clusters,) the number of pages in each cluster.
        flattened: True if pages in several topics or clusters were counted for the first one only.
    """

    class_of: IntArray
    cluster_of: IntArray
    count: IntArray
    class_sizes: IntArray
    cluster_sizes: IntArray
    flattened: bool = False

    @classmethod
    def from_labels(cls, classes: Labels, clusters: Labels) -> Contingency:
        """Count two labellings of the same pages; labels may be any hashable values.

        Every label is a cluster here, including -1. `qc4.model.labels.Labelling` decides which labels mean noise.

        Raises:
            ValueError: the labellings differ in length or are empty.
            InputError: invalid labels; see `label_codes`.
        """
        if len(classes) != len(clusters) or not len(classes):
            raise ValueError(
                f"two labellings must be equally long and not empty, not {len(classes)} and {len(clusters)}"
            )
        return cls.from_codes(label_codes(classes, "classes"), label_codes(clusters, "clusters"))

    @classmethod
    def from_codes(cls, classes: IntArray, clusters: IntArray, flattened: bool = False) -> Contingency:
        """Count integer codes >= 0; unused codes are removed."""
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
        """Return a table from its cells; each cell occurs once and every ``count`` is at least 1."""
        class_of, class_sizes = _compact(class_of, count)
        cluster_of, cluster_sizes = _compact(cluster_of, count)
        return cls(class_of, cluster_of, count, class_sizes, cluster_sizes, flattened)

    @cached_property
    def transposed(self) -> Contingency:
        """Return the table with classes and clusters exchanged."""
        return Contingency(
            self.cluster_of, self.class_of, self.count, self.cluster_sizes, self.class_sizes, self.flattened
        )

    @cached_property
    def n(self) -> int:
        """The number of pages."""
        return int(self.count.sum())

    @cached_property
    def identical(self) -> bool:
        """True if both partitions have the same blocks."""
        return self.count.size == self.class_sizes.size == self.cluster_sizes.size

    @cached_property
    def pairs(self) -> PairCounts:
        return PairCounts(
            self.n * (self.n - 1) // 2,
            _pairs_within(self.class_sizes),
            _pairs_within(self.cluster_sizes),
            _pairs_within(self.count),
        )

    @cached_property
    def largest_in_cluster(self) -> IntArray:
        """(clusters,) the number of pages of each cluster's largest class."""
        largest = np.zeros(self.cluster_sizes.size, dtype=np.int64)
        np.maximum.at(largest, self.cluster_of, self.count)
        return largest


def _pairs_within(sizes: IntArray) -> int:
    """Return the number of pairs inside blocks of these sizes: at most n^2 / 2, exact in int64 to 4 * 10^9 pages."""
    return int((sizes * (sizes - 1) // 2).sum())


def _compact(codes: IntArray, count: IntArray) -> tuple[IntArray, IntArray]:
    """Return codes renumbered without gaps, and the number of pages of each code."""
    cells = np.bincount(codes)
    used = cells > 0
    # bincount's weights are floats, exact for counts below 2^53.
    sizes = np.bincount(codes, weights=count).astype(np.int64)[used]
    return (np.cumsum(used) - 1)[codes], sizes


@dataclass(frozen=True, slots=True, eq=False)
class PageCodes:
    """Two partitions as one code per page.

    Attributes:
        universe: (pages,) True for pages that are counted.
        classes, clusters: (pages,) arbitrary codes; meaningless for pages that are not counted.
        flattened: True if pages in several topics or clusters were counted for the first one only.
    """

    universe: BoolArray
    classes: IntArray
    clusters: IntArray
    flattened: bool


def page_codes(case: Case, level: Level, policies: Policies) -> PageCodes:
    """Return the topic on one level and the cluster of each page. Nested clusters must already be flattened.

    Raises:
        Undefined: pages overlap and the option ``overlap`` is ``refuse``, or no page remains.
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
        f"{number_of_pages_are(number)} in more than one {what}"
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
    """Return (columns,) the first row with each column, -1 for none, and the number of rows with it."""
    rows = np.repeat(np.arange(incidence.shape[0]), np.diff(incidence.indptr))
    first = np.full(incidence.shape[1], -1, dtype=np.int64)
    first[incidence.indices[::-1]] = rows[::-1]  # the last assignment wins, so go backwards
    return first, np.bincount(incidence.indices, minlength=incidence.shape[1])


def _count(case: Case, level: Level, policies: Policies) -> Contingency:
    codes = page_codes(case, level, policies)
    if codes.universe.all():
        return Contingency.from_codes(codes.classes, codes.clusters, codes.flattened)
    return Contingency.from_codes(codes.classes[codes.universe], codes.clusters[codes.universe], codes.flattened)


ON_PAGES = ("outliers", "unclustered", "overlap")
"""The scoring options that decide which pages are counted, and in which topic and cluster."""

PARTITION: View[Contingency] = View(_count, EACH_LEVEL, ON_PAGES, cuts=True)
"""Input of measures of two partitions, on each level of the gold standard. For undefined cases see `page_codes`.

Nested clusters are first flattened at a depth."""


# --- One-to-one matching of rows and columns with the largest total weight ---


def matching(row: IntArray, column: IntArray, weight: FloatArray, shape: tuple[int, int]) -> IntArray:
    """Return the entries of the matching with the largest weight. Rows and columns may stay unmatched.

    Every member of the smaller side also gets a private partner of weight 0, so that it need not be matched. Weights
    are raised by 1 because entries of weight 0 would not be stored. This favours no matching, as all have the same
    number of entries.

    Args:
        row, column, weight: (entries,) each pair once, with weights of at least 0.
        shape: the numbers of rows and columns.
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


# --- One-to-one alignment of classes and clusters with the most pages in aligned cells ---


@dataclass(frozen=True, slots=True)
class Assignment:
    """The best alignment of classes and clusters.

    Attributes:
        pages: the number of pages in aligned cells, which is the maximum.
        s2: the largest S2 among the alignments with this number of pages.
    """

    pages: int
    s2: float


@cached
def assignment(table: Contingency) -> Assignment:
    """Align classes and clusters, so that aligned cells contain the most pages."""
    agreement = _agreement(table)
    smaller_side = min(table.class_sizes.size, table.cluster_sizes.size)
    # All agreements together are less than one page, so they only break ties.
    cells = matched_cells(table, table.count + agreement / (smaller_side + 1))
    return Assignment(int(table.count[cells].sum()), math.fsum(agreement[cells]) / smaller_side)


def _agreement(table: Contingency) -> FloatArray:
    """Return (cells,) the harmonic mean of sensitivity and specificity if class and cluster are aligned."""
    class_size = table.class_sizes[table.class_of]
    cluster_size = table.cluster_sizes[table.cluster_of]
    outside = table.n - class_size
    sensitivity = table.count / class_size
    kept_out = outside - cluster_size + table.count
    specificity = np.where(outside > 0, kept_out / np.maximum(outside, 1), 1.0)
    found: FloatArray = 2 * sensitivity * specificity / (sensitivity + specificity)
    return found


def matched_cells(table: Contingency, weight: FloatArray) -> IntArray:
    """Return the cells of the one-to-one matching of classes and clusters with the largest weight; see `matching`."""
    return matching(table.class_of, table.cluster_of, weight, (table.class_sizes.size, table.cluster_sizes.size))

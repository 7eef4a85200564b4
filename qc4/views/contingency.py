"""Pages counted by class and cluster: the one pass that every measure of two partitions shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.clustering.case import Case
from qc4.gold.standard import GoldStandard
from qc4.views.policies import Policies
from qc4.views.view import Level, Undefined, View

Labels = Sequence[Any] | npt.NDArray[Any]


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
        shared: numbers several measures are made of; filled by the functions that own them.
    """

    class_of: IntArray
    cluster_of: IntArray
    count: IntArray
    class_sizes: IntArray
    cluster_sizes: IntArray
    flattened: bool = False
    shared: dict[str, float] = field(default_factory=dict, repr=False)

    @classmethod
    def from_labels(
        cls, classes: Sequence[Any] | npt.NDArray[Any], clusters: Sequence[Any] | npt.NDArray[Any]
    ) -> Contingency:
        """Count two labellings of the same pages; labels may be anything that can be told apart.

        Raises:
            ValueError: the labellings differ in length or are empty.
        """
        if len(classes) != len(clusters) or not len(classes):
            raise ValueError(f"two labellings of the same pages are needed, not of {len(classes)} and {len(clusters)}")
        return cls.from_codes(_codes(classes), _codes(clusters))

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


def _codes(labels: Labels) -> IntArray:
    """Integer codes >= 0 of any labels. Integers in a range not much wider than the pages are only shifted."""
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu":
        low, high = int(labels.min()), int(labels.max())
        if high - low <= 4 * labels.size:
            shifted: IntArray = (
                labels.astype(np.int64, copy=False) - low if low else labels.astype(np.int64, copy=False)
            )
            return shifted
        return np.unique(labels, return_inverse=True)[1].astype(np.int64)
    numbers: dict[Any, int] = {}
    values = labels.tolist() if isinstance(labels, np.ndarray) else labels
    return np.fromiter((numbers.setdefault(label, len(numbers)) for label in values), np.int64, len(labels))


def contingency(case: Case, level: Level, policies: Policies) -> Contingency:
    """Topics of one level as classes against the clusters, as the policies say; counted once per case.

    Raises:
        Undefined: pages overlap and the policy refuses that, or the policies leave no page.
    """
    key = ("contingency", level, policies)
    if key not in case.counts:
        try:
            case.counts[key] = _count(case, level, policies)
        except Undefined as reason:
            case.counts[key] = str(reason)  # not the exception, which would keep every array of its frames alive
    found: Contingency | str = case.counts[key]
    if isinstance(found, str):
        raise Undefined(found)
    return found


def _count(case: Case, level: Level, policies: Policies) -> Contingency:
    codes = page_codes(case, level, policies)
    if codes.universe.all():
        return Contingency.from_codes(codes.classes, codes.clusters, codes.flattened)
    universe = codes.universe
    return Contingency.from_codes(codes.classes[universe], codes.clusters[universe], codes.flattened)


@dataclass(frozen=True, slots=True, eq=False)
class PageCodes:
    """Two partitions, page by page.

    Attributes:
        universe: (pages,) whether each page counts.
        classes, clusters: (pages,) codes of any values; without meaning where a page does not count.
        flattened: whether a page in several topics or clusters was counted for its first one only.
    """

    universe: npt.NDArray[np.bool_]
    classes: IntArray
    clusters: IntArray
    flattened: bool


def page_codes(case: Case, level: Level, policies: Policies) -> PageCodes:
    """Topic of one level and cluster of each page, as the policies say.

    Raises:
        Undefined: pages overlap and the policy refuses that, or the policies leave no page.
    """
    assert isinstance(level, int)
    hierarchy = case.gold.hierarchy
    topics = sp.csr_array(hierarchy.pages[hierarchy.topics_on(level)])
    classes, topics_of_page = first_row(topics)
    clusters, clusters_of_page = first_row(case.clusters)
    universe = np.ones(case.n_pages, dtype=bool)
    if policies.outliers == "topic":
        classes[hierarchy.outliers] = topics.shape[0]
    else:
        universe[hierarchy.outliers] = False
    alone = clusters_of_page == 0
    if policies.unclustered == "drop":
        universe &= ~alone
    elif policies.unclustered == "together":
        clusters[alone] = case.n_clusters
    else:
        clusters[alone] = case.n_clusters + np.arange(int(alone.sum()))
    if not universe.any():
        raise Undefined(nothing_left(policies))
    reasons = [
        f"{pages(number)} in more than one {what}"
        for what, number in (
            (f"topic on level {level}", int((topics_of_page[universe] > 1).sum())),
            ("cluster", int((clusters_of_page[universe] > 1).sum())),
        )
        if number
    ]
    if reasons and policies.overlap == "refuse":
        raise Undefined("; ".join(reasons))
    return PageCodes(universe, classes, clusters, bool(reasons))


def first_row(incidence: sp.csr_array) -> tuple[IntArray, IntArray]:
    """(columns,) the first row each column is in, -1 for none, and in how many rows it is."""
    rows = np.repeat(np.arange(incidence.shape[0]), np.diff(incidence.indptr))
    first = np.full(incidence.shape[1], -1, dtype=np.int64)
    first[incidence.indices[::-1]] = rows[::-1]  # the last assignment stays, so go backwards
    return first, np.bincount(incidence.indices, minlength=incidence.shape[1])


def pages(number: int) -> str:
    """The beginning of a reason: "1 page is", "31 pages are"."""
    return "1 page is" if number == 1 else f"{number} pages are"


def nothing_left(policies: Policies) -> str:
    if policies.unclustered == "drop":
        dropped = "unclustered pages are" if policies.outliers == "topic" else "outliers and unclustered pages are"
        return f"no page is left when {dropped} dropped"
    return "every page is an outlier, and outliers are dropped"


def _levels(gold: GoldStandard) -> tuple[Level, ...]:
    return tuple(gold.hierarchy.levels)


def _flattens(case: Case, level: Level, policies: Policies) -> bool:
    return contingency(case, level, policies).flattened


PARTITION: View[Contingency] = View("each level", _levels, contingency, uses_policies=True, flattens=_flattens)
"""Measures of two partitions, computed on each level of the gold standard."""

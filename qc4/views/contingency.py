"""Pages counted by class and cluster: the one pass that every measure of two partitions shares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qc4.arrays import IntArray
from qc4.labels import Labels, label_codes


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

        Every label is a cluster here, -1 too: `qc4.labels.Labelling` decides which labels mean noise.

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

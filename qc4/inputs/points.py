"""The input of internal measures: the vectors of the pages, grouped by cluster."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from qc4.arrays import FloatArray, IntArray
from qc4.inputs.partition import first_row
from qc4.inputs.undefined import Undefined, number_of_pages_are
from qc4.inputs.universe import universe
from qc4.inputs.view import CLUSTERS_AND_VECTORS, Level, View
from qc4.model.case import Case
from qc4.model.labels import checked_labels
from qc4.model.policies import Policies

NO_VECTORS = "no vectors: internal measures need one vector per page, uploaded or made from the pages' text"


@dataclass(frozen=True, eq=False)
class ClusteredPoints:
    """Points in non-empty clusters.

    Attributes:
        points: (n, dimensions) the points, sorted by cluster.
        sizes: (clusters,) the number of points in each cluster.
        flattened: True if pages in several clusters were counted for the first one only.
    """

    points: FloatArray
    sizes: IntArray
    flattened: bool = False

    @classmethod
    def from_labels(cls, points: npt.ArrayLike, labels: npt.ArrayLike, flattened: bool = False) -> ClusteredPoints:
        """Return points grouped by label; labels must be sortable. Every label is a cluster, including -1.

        Raises:
            ValueError: the numbers of labels and points differ, or there are none.
            InputError: invalid labels; see `checked_labels`.
        """
        rows = np.asarray(points, dtype=np.float64)
        names = np.asarray(labels)
        checked_labels(names)
        if not names.size or rows.shape[0] != names.size:
            raise ValueError(f"{rows.shape[0]} points with {names.size} labels")
        codes, sizes = np.unique(names, return_inverse=True, return_counts=True)[1:]
        return cls(rows[np.argsort(codes, kind="stable")], sizes.astype(np.int64), flattened)

    @property
    def n(self) -> int:
        return int(self.points.shape[0])

    @property
    def k(self) -> int:
        """The number of clusters."""
        return int(self.sizes.size)

    @cached_property
    def starts(self) -> IntArray:
        """(clusters,) the index of each cluster's first point in ``points``."""
        return np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.int64)

    @cached_property
    def labels(self) -> IntArray:
        """(n,) the cluster of each point."""
        return np.repeat(np.arange(self.k), self.sizes)

    def cluster(self, number: int) -> FloatArray:
        """Return (size, dimensions) the points of one cluster."""
        start = int(self.starts[number])
        return self.points[start : start + int(self.sizes[number])]

    @cached_property
    def centres(self) -> FloatArray:
        """(clusters, dimensions) the mean of each cluster."""
        return self._centres_and_scatter[0]

    @cached_property
    def scatter(self) -> FloatArray:
        """(clusters,) sum of squared distances from the cluster's mean; exactly 0 if all of its points are equal."""
        return self._centres_and_scatter[1]

    @cached_property
    def _centres_and_scatter(self) -> tuple[FloatArray, FloatArray]:
        # Computed relative to a point of the cluster, so that equal points give exactly 0.
        first = self.points[self.starts]
        offsets = self.points - first[self.labels]
        means = np.add.reduceat(offsets, self.starts, axis=0) / self.sizes[:, None]
        offsets -= means[self.labels]
        return first + means, np.add.reduceat(np.einsum("ij,ij->i", offsets, offsets), self.starts)

    @cached_property
    def mean(self) -> FloatArray:
        """(dimensions,) the mean of all points."""
        first = self.points[0]
        mean: FloatArray = first + (self.points - first).mean(axis=0)
        return mean

    def require_clusters(self) -> None:
        """Raise Undefined unless there are at least 2 clusters and fewer clusters than points."""
        if self.k < 2:
            raise Undefined("all pages are in one cluster; this measure compares clusters")
        if self.k == self.n:
            raise Undefined("every page is alone in its cluster; this measure needs clusters of several pages")


def _group(case: Case, level: Level, policies: Policies) -> ClusteredPoints:
    """Return the pages of the case by cluster, with the options ``unclustered`` and ``overlap``.

    All pages are included: an outlier of the gold standard has a vector too, so the option ``outliers`` has no effect.

    Raises:
        Undefined: no vectors; clusters overlap and the option ``overlap`` is ``refuse``; no page remains.
    """
    if case.vectors is None:
        raise Undefined(NO_VECTORS)
    clusters, clusters_of_page = first_row(case.clusters)
    overlapping = int((clusters_of_page > 1).sum())
    if overlapping and policies.overlap == "refuse":
        raise Undefined(f"{number_of_pages_are(overlapping)} in more than one cluster")
    left = universe(case, policies, of_gold=False)
    clusters[left.alone] = case.n_clusters + left.extra
    points = case.vectors.points
    if not left.pages.all():
        points, clusters = points[left.pages], clusters[left.pages]
    return ClusteredPoints.from_labels(points, clusters, bool(overlapping))


VECTORS: View[ClusteredPoints] = View(_group, CLUSTERS_AND_VECTORS, ("unclustered", "overlap"), cuts=True)
"""Input of measures of vectors and clusters without a gold standard. Nested clusters are first flattened."""

"""The topics of one level and the clusters as they are: overlap, outliers and unclustered pages, and no policy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from qc4.arrays import BoolArray
from qc4.clustering.case import Case
from qc4.views.covers import Covers, with_rows
from qc4.views.policies import Policies
from qc4.views.view import EACH_LEVEL, Level, View


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

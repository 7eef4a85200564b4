"""The ranked list of a query, and its clusters as a user reads them from the top.

Pages are read by rank; if no page has a rank, the page list is the ranked list. A clustering becomes a list in turns:
the first page of each cluster in file order, then the second of each, and so on. Repeated pages are skipped, and pages
in no cluster come last.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.inputs.undefined import Undefined, number_of_pages_are
from qc4.inputs.view import EACH_LEVEL, WHOLE_HIERARCHY, Level, View, cached
from qc4.model.case import Case
from qc4.model.gold_standard import GoldStandard
from qc4.model.policies import Policies


@dataclass(frozen=True, eq=False)
class ResultList:
    """Pages renumbered by rank (0 is the top result), with their topics and clusters.

    Attributes:
        topics: (topics, pages) 0/1 CSR with sorted indices and no empty row.
        clusters: (clusters, pages) 0/1 CSR in file order with sorted indices.
    """

    topics: sp.csr_array
    clusters: sp.csr_array

    @property
    def n_pages(self) -> int:
        return int(self.clusters.shape[1])

    @property
    def n_topics(self) -> int:
        return int(self.topics.shape[0])

    @cached_property
    def topics_by_page(self) -> sp.csr_array:
        """(pages, topics) 0/1 CSR."""
        return sp.csr_array(self.topics.T)

    @cached_property
    def cluster_sizes(self) -> IntArray:
        return np.diff(self.clusters.indptr).astype(np.int64)

    @cached_property
    def cluster_of(self) -> IntArray:
        """(memberships,) the cluster of each membership."""
        return np.repeat(np.arange(self.cluster_sizes.size), self.cluster_sizes)

    @cached_property
    def place(self) -> IntArray:
        """(memberships,) the position of the page in its cluster, from 0."""
        return np.arange(self.cluster_of.size) - np.repeat(self.clusters.indptr[:-1], self.cluster_sizes)

    @cached_property
    def clustered_order(self) -> IntArray:
        """(pages,) the pages in the order in which a user reads the clustering."""
        taken = self.clusters.indices[np.lexsort((self.cluster_of, self.place))].astype(np.int64)
        _, first = np.unique(taken, return_index=True)
        given = taken[np.sort(first)]
        unclustered = np.setdiff1d(np.arange(self.n_pages), given, assume_unique=True)
        return np.concatenate([given, unclustered]).astype(np.int64)


@cached
def rank_order(gold: GoldStandard) -> IntArray:
    """Return (pages,) page indexes from the top result down.

    Raises:
        Undefined: only some pages have a rank, or two pages have the same rank.
    """
    ranks = [page.rank for page in gold.document.pages] if gold.document else []
    known = np.array([rank for rank in ranks if rank is not None], dtype=np.int64)
    if not known.size:
        return np.arange(gold.n_pages)
    if known.size < len(ranks):
        raise Undefined(f"{number_of_pages_are(len(ranks) - known.size)} without a rank, though others have one")
    order = np.argsort(known).astype(np.int64)
    repeated = np.flatnonzero(np.diff(known[order]) == 0)
    if repeated.size:
        raise Undefined(f"several pages have the rank {known[order[repeated[0]]]}")
    return order


def _result_list(case: Case, level: Level, policies: Policies) -> ResultList:
    """Return the topics of one level and the clusters, by rank. Outliers stay in the list without a topic.

    Raises:
        Undefined: ranks are missing or repeated, or no topic of the level has a page.
    """
    assert isinstance(level, int)
    order = rank_order(case.gold)
    hierarchy = case.gold.hierarchy
    topics = sp.csr_array(hierarchy.pages[hierarchy.topics_on(level)])
    topics = sp.csr_array(topics[np.diff(topics.indptr) > 0])
    if not topics.shape[0]:
        raise Undefined(f"no topic on level {level} has a page")
    return ResultList(_by_rank(topics, order), _by_rank(case.clusters, order))


def _by_rank(sets: sp.csr_array, order: IntArray) -> sp.csr_array:
    ranked = sp.csr_array(sets[:, order])
    ranked.sort_indices()
    return ranked


RESULT_LIST: View[ResultList] = View(_result_list, EACH_LEVEL)
"""Input of measures of the pages read until the topics of a level are found."""


def _of_each_level(case: Case, level: Level, policies: Policies) -> tuple[ResultList, ...]:
    return tuple(RESULT_LIST.of(case, each, policies) for each in RESULT_LIST.levels(case.gold))


RESULT_LISTS: View[tuple[ResultList, ...]] = View(_of_each_level, WHOLE_HIERARCHY)
"""The same for measures of all levels, the coarsest level first."""

"""Two partitions of the pages, as the policies say: the topics of one level as classes, and the clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from qc4.arrays import BoolArray, IntArray
from qc4.clustering.case import Case
from qc4.views.contingency import Contingency
from qc4.views.policies import Policies
from qc4.views.reasons import pages_are
from qc4.views.undefined import Undefined
from qc4.views.universe import universe
from qc4.views.view import EACH_LEVEL, Level, View


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

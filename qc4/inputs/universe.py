"""Which pages count, as the policies for outliers and unclustered pages say, and what becomes of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qc4.arrays import BoolArray, IntArray
from qc4.inputs.undefined import Undefined
from qc4.model.case import Case
from qc4.model.policies import Policies


@dataclass(frozen=True, slots=True, eq=False)
class Universe:
    """The pages that count.

    Attributes:
        pages: (pages,) whether each counts.
        outliers: the outliers that count: one more topic.
        alone: the pages in no cluster that count.
        extra: (alone,) the extra cluster of each, from 0.
    """

    pages: BoolArray
    outliers: IntArray
    alone: IntArray
    extra: IntArray


def universe(case: Case, policies: Policies, *, of_gold: bool = True) -> Universe:
    """What the policies leave of a case.

    Args:
        of_gold: whether what the gold standard calls an outlier is one; measures that look at no gold standard know
            pages only.

    Raises:
        Undefined: no page is left.
    """
    pages = np.ones(case.n_pages, dtype=bool)
    outliers = case.gold.hierarchy.outliers
    if of_gold and policies.outliers == "drop":
        pages[outliers] = False
        outliers = outliers[:0]
    alone = np.flatnonzero(np.bincount(case.clusters.indices, minlength=case.n_pages) == 0)
    if policies.unclustered == "drop":
        pages[alone] = False
        alone = alone[:0]
    if not pages.any():
        raise Undefined(_nothing_left(policies, of_gold))
    extra = np.zeros_like(alone) if policies.unclustered == "together" else np.arange(alone.size)
    return Universe(pages, outliers, alone, extra)


def _nothing_left(policies: Policies, of_gold: bool) -> str:
    drops_outliers = of_gold and policies.outliers == "drop"
    if policies.unclustered == "drop":
        return f"no page is left when {'outliers and ' if drops_outliers else ''}unclustered pages are dropped"
    return "every page is an outlier, and outliers are dropped"

"""The pages that are counted under the options ``outliers`` and ``unclustered``, and how the others are treated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qc4.arrays import BoolArray, IntArray
from qc4.inputs.undefined import Undefined
from qc4.model.case import Case
from qc4.model.policies import Policies


@dataclass(frozen=True, slots=True, eq=False)
class Universe:
    """The pages that are counted.

    Attributes:
        pages: (pages,) True for counted pages.
        outliers: the counted outliers, which form one more topic.
        alone: the counted pages in no cluster.
        extra: (alone,) the extra cluster of each of these pages, from 0.
    """

    pages: BoolArray
    outliers: IntArray
    alone: IntArray
    extra: IntArray


def universe(case: Case, policies: Policies, *, of_gold: bool = True) -> Universe:
    """Return the pages of a case that remain under the scoring options.

    Args:
        of_gold: True to treat the outliers of the gold standard as outliers; False for measures without a gold
            standard.

    Raises:
        Undefined: no page remains.
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
        raise Undefined(_no_page_reason(policies, of_gold))
    extra = np.zeros_like(alone) if policies.unclustered == "together" else np.arange(alone.size)
    return Universe(pages, outliers, alone, extra)


def _no_page_reason(policies: Policies, of_gold: bool) -> str:
    drops_outliers = of_gold and policies.outliers == "drop"
    if policies.unclustered == "drop":
        return f"no page is left when {'outliers and ' if drops_outliers else ''}unclustered pages are dropped"
    return "every page is an outlier, and outliers are dropped"

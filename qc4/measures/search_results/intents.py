"""D♯-measures: how soon a list shows every subtopic, and how much of the list is about any of them.

A page is worth the share of the subtopics that it is in (all subtopics are equally likely, and a page is about a
subtopic or not). D-nDCG is the discounted worth of the list over that of the pages by worth; D♯-nDCG its mean with
intent recall, which is S-recall.

Sources: Sakai & Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011; for
hierarchies of subtopics Wang, Dou, Sakai & Wen, Evaluating search result diversity using intent hierarchies, SIGIR
2016.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from qc4.measures.registry import measure
from qc4.measures.search_results.diversity import CUTS, discounted, s_recall
from qc4.views.result_list import RESULT_LIST, RESULT_LISTS, ResultList
from qc4.views.view import FLAT_CLUSTERS, View

GAMMA = 0.5
"""How much intent recall counts in D♯-nDCG; what is left is for D-nDCG."""

SAKAI = "Sakai & Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011"
WANG = "Wang, Dou, Sakai & Wen, Evaluating search result diversity using intent hierarchies, SIGIR 2016"
WORTH = "DCG / DCG(pages by worth), DCG = Σ_(i ≤ {k}) (|T(d_i)| / |T|) / log₂(1 + i)"

Lists = TypeVar("Lists")


def d_ndcg(results: ResultList, k: int) -> float:
    """Discounted worth of the first k pages over that of the k pages of most worth."""
    topics = np.diff(results.topics_by_page.indptr)
    best = np.sort(topics)[::-1][:k]
    return min(1.0, discounted(topics[results.clustered_order[:k]].tolist()) / discounted(best.tolist()))


def d_sharp_ndcg(results: ResultList, k: int) -> float:
    """Mean of intent recall and D-nDCG."""
    return GAMMA * s_recall(results, k) + (1 - GAMMA) * d_ndcg(results, k)


def hd_sharp_ndcg(levels: tuple[ResultList, ...], k: int) -> float:
    """Mean of D♯-nDCG over the levels."""
    return sum(d_sharp_ndcg(results, k) for results in levels) / len(levels)


def _declare(
    view: View[Lists],
    key: str,
    title: str,
    meaning: str,
    formula: str,
    source: str,
    function: Callable[[Lists, int], float],
    k: int,
) -> None:
    @measure(
        view,
        key=f"{key}_{k}",
        title=f"{title}@{k}",
        family="search-results",
        meaning=meaning.format(k=k),
        formula=formula.format(k=k),
        source=source,
        accepts=FLAT_CLUSTERS,
        needs=("gold topics", "page ranks"),
    )
    def declared(lists: Lists) -> float:
        return function(lists, k)


for _k in CUTS:
    _declare(
        RESULT_LIST,
        "d_ndcg",
        "D-nDCG",
        "Worth of the first {k} pages, a page being worth the share of the subtopics it is in, over the best list.",
        WORTH,
        SAKAI,
        d_ndcg,
        _k,
    )
for _k in CUTS:
    _declare(
        RESULT_LIST,
        "d_sharp_ndcg",
        "D♯-nDCG",
        "Mean of intent recall (S-recall) and D-nDCG of the first {k} pages.",
        "γ · S-recall + (1 − γ) · D-nDCG, γ = 0.5, both of the first {k} pages",
        SAKAI,
        d_sharp_ndcg,
        _k,
    )
for _k in CUTS:
    _declare(
        RESULT_LISTS,
        "hd_sharp_ndcg",
        "HD♯-nDCG",
        "Mean over the levels of the hierarchy of D♯-nDCG of the first {k} pages; every level weighs alike.",
        "mean_l (γ · S-recall + (1 − γ) · D-nDCG), γ = 0.5, both of the first {k} pages on level l",
        f"{SAKAI}; {WANG}",
        hd_sharp_ndcg,
        _k,
    )

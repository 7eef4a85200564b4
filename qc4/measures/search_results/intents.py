"""D♯-measures: how soon a list shows every subtopic, and how much of the list is about any of them.

A page is worth the share of the subtopics that it is in (all subtopics are equally likely, and a page is about a
subtopic or not). D-nDCG is the discounted worth of the list over that of the pages by worth; D♯-nDCG its mean with
intent recall, which is S-recall.

Sources: Sakai & Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011; for
hierarchies of subtopics Wang, Dou, Sakai & Wen, Evaluating search result diversity using intent hierarchies, SIGIR
2016.
"""

from __future__ import annotations

import numpy as np

from qc4.measures.parameters import Parameter
from qc4.measures.registry import measure
from qc4.measures.search_results.diversity import AT, CUTS, discounted, s_recall
from qc4.views.result_list import RESULT_LIST, RESULT_LISTS, ResultList
from qc4.views.view import FLAT_CLUSTERS

GAMMA = Parameter("gamma", "how much intent recall counts; what is left is for D-nDCG", 0, 1, 0.5, symbol="γ")


@measure(
    RESULT_LIST,
    key="d_ndcg",
    title="D-nDCG@{cutoff}",
    family="search-results",
    meaning="Worth of the first {cutoff} pages, a page being worth the share of the subtopics it is in, over the best "
    "list.",
    formula="DCG / DCG(pages by worth), DCG = Σ_(i ≤ {cutoff}) (|T(d_i)| / |T|) / log₂(1 + i)",
    source="sakai2011",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(AT,),
    stored={f"d_ndcg_{k}": k for k in CUTS},
)
def d_ndcg(results: ResultList, cutoff: int) -> float:
    topics = np.diff(results.topics_by_page.indptr)
    best = np.sort(topics)[::-1][:cutoff]
    return min(1.0, discounted(topics[results.clustered_order[:cutoff]].tolist()) / discounted(best.tolist()))


@measure(
    RESULT_LIST,
    key="d_sharp_ndcg",
    title="D♯-nDCG@{cutoff}",
    family="search-results",
    meaning="Mean of intent recall (S-recall) and D-nDCG of the first {cutoff} pages, with weights γ = {gamma} and "
    "1 − γ.",
    formula="γ · S-recall + (1 − γ) · D-nDCG, γ = {gamma}, both of the first {cutoff} pages",
    source="sakai2011",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(AT, GAMMA),
    stored={f"d_sharp_ndcg_{k}": k for k in CUTS},
)
def d_sharp_ndcg(results: ResultList, cutoff: int, gamma: float = 0.5) -> float:
    return min(1.0, gamma * s_recall(results, cutoff) + (1 - gamma) * d_ndcg(results, cutoff))


@measure(
    RESULT_LISTS,
    key="hd_sharp_ndcg",
    title="HD♯-nDCG@{cutoff}",
    family="search-results",
    meaning="Mean over the levels of the hierarchy of D♯-nDCG of the first {cutoff} pages; every level weighs alike.",
    formula="mean_l (γ · S-recall + (1 − γ) · D-nDCG), γ = {gamma}, both of the first {cutoff} pages on level l",
    source="sakai2011; wang2016",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(AT, GAMMA),
    stored={f"hd_sharp_ndcg_{k}": k for k in CUTS},
)
def hd_sharp_ndcg(levels: tuple[ResultList, ...], cutoff: int, gamma: float = 0.5) -> float:
    return sum(d_sharp_ndcg(results, cutoff, gamma) for results in levels) / len(levels)

"""How soon a list shows every subtopic, for a clustering read as a list (see `result_list`)."""

from __future__ import annotations

import heapq
import math
from dataclasses import replace

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.measures.parameters import CUTOFF, Parameter
from qc4.measures.registry import measure
from qc4.views.covers import PageSets
from qc4.views.result_list import RESULT_LIST, ResultList
from qc4.views.view import FLAT_CLUSTERS

CUTS = (5, 10, 20)
"""The cut-offs of the catalogue's measures of lists."""
TIES = 12
"""Decimals in which gains are compared: sums of the same worths in another order are equal."""
AT = Parameter(CUTOFF, "how many pages of the list count", 1, 1_000, whole=True, symbol="k")


@measure(
    RESULT_LIST,
    key="s_recall",
    title="S-recall@{cutoff}",
    family="search-results",
    meaning="Share of the subtopics shown by the first {cutoff} pages, one from each cluster in turn: intent recall "
    "(I-rec).",
    formula="|⋃_(i ≤ {cutoff}) T(d_i)| / |T|",
    source="zhai2003",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(AT,),
    stored={f"s_recall_{k}": k for k in CUTS},
)
def s_recall(results: ResultList, cutoff: int) -> float:
    return np.unique(results.topics_by_page[results.clustered_order[:cutoff]].indices).size / results.n_topics


@measure(
    RESULT_LIST,
    key="s_precision",
    title="S-precision at {percent} %",
    family="search-results",
    meaning="Length of the shortest list that shows {percent} % of the subtopics, over that of this list.",
    formula="minrank(best list, {percent} %) / minrank(list, {percent} %), at most 1; the best list is found greedily",
    source="zhai2003",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(
        Parameter("percent", "how many percent of the subtopics are to be shown", 1, 100, whole=True, symbol="p"),
    ),
    stored={f"s_precision_{percent}": percent for percent in (50, 75, 100)},
)
def s_precision(results: ResultList, percent: int) -> float:
    needed = -(-percent * results.n_topics // 100)
    page_at = np.empty(results.n_pages, dtype=np.int64)
    page_at[results.clustered_order] = np.arange(1, results.n_pages + 1)
    first = np.minimum.reduceat(page_at[results.topics.indices], results.topics.indptr[:-1])
    read = int(np.sort(first)[needed - 1])
    return min(1.0, _shortest_cover(results, needed) / read)


def _shortest_cover(results: ResultList, needed: int) -> int:
    """Pages a list needs for so many topics when each next page is one of most new topics, of those the best ranked.

    Finding the shortest list is NP-hard; this is the approximation of the source. Gains only shrink, so a page whose
    gain was just computed and still leads is best. Of pages in the same topics only the first can gain anything.
    """
    members, start = results.topics_by_page, results.topics_by_page.indptr
    _, first_alike = np.unique(PageSets(results.topics).kind_of, return_index=True)
    queue = [(int(start[page] - start[page + 1]), int(page)) for page in first_alike]
    heapq.heapify(queue)
    seen = np.zeros(results.n_topics, dtype=bool)
    length, found = 0, 0
    while found < needed:
        _, page = heapq.heappop(queue)
        topics = members.indices[start[page] : start[page + 1]]
        gain = int((~seen[topics]).sum())
        if queue and (-gain, page) > queue[0]:
            heapq.heappush(queue, (-gain, page))
            continue
        seen[topics] = True
        length, found = length + 1, found + gain
    return length


@measure(
    RESULT_LIST,
    key="alpha_ndcg",
    title="α-nDCG@{cutoff}",
    family="search-results",
    meaning="Gain of the first {cutoff} pages over the best; each time a subtopic was seen before, it is worth 1 − α "
    "times as much, α = {alpha}.",
    formula="DCG / DCG(best list), at most 1, DCG = Σ_(i ≤ {cutoff}) Σ_(t ∈ T(d_i)) (1 − α)^(times t was seen) "
    "/ log₂(1 + i), α = {alpha}; the best list is found greedily",
    source="clarke2008",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(
        replace(AT, high=100),
        Parameter("alpha", "the worth a subtopic loses each time it is seen", 0, 1, 0.5, symbol="α"),
    ),
    stored={f"alpha_ndcg_{k}": k for k in CUTS},
)
def alpha_ndcg(results: ResultList, cutoff: int, alpha: float = 0.5) -> float:
    k = min(cutoff, results.n_pages)
    gains = _gains(results, results.clustered_order[:k], 1 - alpha)
    return min(1.0, discounted(gains) / discounted(_ideal_gains(results, k, 1 - alpha)))


def _gains(results: ResultList, order: IntArray, left: float) -> list[float]:
    """The gain of each page; what a subtopic has left of its worth each time it is seen."""
    worth = np.ones(results.n_topics)
    members = results.topics_by_page
    gains = []
    for page in order:
        topics = members.indices[members.indptr[page] : members.indptr[page + 1]]
        gains.append(math.fsum(worth[topics]))
        worth[topics] *= left
    return gains


def _ideal_gains(results: ResultList, k: int, left: float) -> list[float]:
    """Each next page is one of the largest gain; of those the best ranked."""
    members = results.topics_by_page.astype(np.float64)
    worth, unread = np.ones(results.n_topics), np.ones(results.n_pages, dtype=bool)
    gains = []
    for _ in range(k):
        gain: FloatArray = np.where(unread, np.asarray(members @ worth), -1.0)
        page = int(gain.round(TIES).argmax())
        gains.append(float(gain[page]))
        unread[page] = False
        worth[members.indices[members.indptr[page] : members.indptr[page + 1]]] *= left
    return gains


def discounted(gains: list[float]) -> float:
    """The sum of gains, the later the less: each over the binary logarithm of its rank plus 1."""
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))

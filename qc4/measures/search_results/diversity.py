"""How soon a list shows every subtopic, for a clustering read as a list (see `result_list`)."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from qc4.arrays import IntArray
from qc4.measures.registry import measure
from qc4.views.covers import PageSets
from qc4.views.result_list import RESULT_LIST, ResultList
from qc4.views.view import FLAT_CLUSTERS

CUTS = (5, 10, 20)
RECALLS = (50, 75, 100)
ALPHA = 0.5
"""What a subtopic already seen once is still worth in alpha-nDCG, for each time it was seen."""

ZHAI = "Zhai, Cohen & Lafferty, Beyond independent relevance, SIGIR 2003"
CLARKE = "Clarke et al., Novelty and diversity in information retrieval evaluation, SIGIR 2008"


def s_recall(results: ResultList, k: int) -> float:
    """Share of the topics that the first k pages are in."""
    return np.unique(results.topics_by_page[results.clustered_order[:k]].indices).size / results.n_topics


def s_precision(results: ResultList, percent: int) -> float:
    """Shortest list that reaches the recall, over the pages this one needs for it."""
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


def alpha_ndcg(results: ResultList, k: int) -> float:
    """Discounted gain of the first k pages over that of the best list, found greedily as in the source."""
    k = min(k, results.n_pages)
    return min(1.0, discounted(_gains(results, results.clustered_order[:k])) / discounted(_ideal_gains(results, k)))


def _gains(results: ResultList, order: IntArray) -> list[float]:
    worth = np.ones(results.n_topics)
    members = results.topics_by_page
    gains = []
    for page in order:
        topics = members.indices[members.indptr[page] : members.indptr[page + 1]]
        gains.append(math.fsum(worth[topics]))
        worth[topics] *= 1 - ALPHA
    return gains


def _ideal_gains(results: ResultList, k: int) -> list[float]:
    """Each next page is one of the largest gain; of those the best ranked."""
    members = results.topics_by_page.astype(np.float64)
    worth, left = np.ones(results.n_topics), np.ones(results.n_pages, dtype=bool)
    gains = []
    for _ in range(k):
        gain: npt.NDArray[np.float64] = np.where(left, np.asarray(members @ worth), -1.0)
        page = int(gain.argmax())
        gains.append(float(gain[page]))
        left[page] = False
        worth[members.indices[members.indptr[page] : members.indptr[page + 1]]] *= 1 - ALPHA
    return gains


def discounted(gains: list[float]) -> float:
    """The sum of gains, the later the less: each over the binary logarithm of its rank plus 1."""
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _declare(
    key: str, title: str, meaning: str, formula: str, source: str, function: Callable[[ResultList, int], float], at: int
) -> None:
    @measure(
        RESULT_LIST,
        key=f"{key}_{at}",
        title=title,
        family="search-results",
        meaning=meaning,
        formula=formula,
        source=source,
        accepts=FLAT_CLUSTERS,
        needs=("gold topics", "page ranks"),
    )
    def declared(results: ResultList) -> float:
        return function(results, at)


for _k in CUTS:
    _declare(
        "s_recall",
        f"S-recall@{_k}",
        f"Share of the subtopics shown by the first {_k} pages, one from each cluster in turn: intent recall (I-rec).",
        f"|⋃_(i ≤ {_k}) T(d_i)| / |T|",
        ZHAI,
        s_recall,
        _k,
    )
for _percent in RECALLS:
    _declare(
        "s_precision",
        f"S-precision at {_percent} %",
        f"Length of the shortest list that shows {_percent} % of the subtopics, over that of this list.",
        f"minrank(best list, {_percent} %) / minrank(list, {_percent} %), at most 1; the best list is found greedily",
        ZHAI,
        s_precision,
        _percent,
    )
for _k in CUTS:
    _declare(
        "alpha_ndcg",
        f"α-nDCG@{_k}",
        f"Gain of the first {_k} pages, where a subtopic seen before is worth half as much each time, over the best.",
        f"DCG / DCG(best list), at most 1, DCG = Σ_(i ≤ {_k}) Σ_(t ∈ T(d_i)) (1 − α)^(times t was seen) / log₂(1 + i), "
        "α = 0.5; the best list is found greedily",
        CLARKE,
        alpha_ndcg,
        _k,
    )

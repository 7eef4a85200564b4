"""kSSL, subtopic search length: how much is read until k pages of a subtopic were seen, mean over the subtopics.

A subtopic with fewer than k pages counts at its last one. In the list, each page read costs 1. With clusters, labels
are read from the top; every cluster that holds a page of the subtopic is opened and read from its top until k such
pages were seen; what is still missing then is looked for in the plain list. Each label and each page read costs 1.
"""

from __future__ import annotations

import math

import numpy as np

from qc4.arrays import IntArray
from qc4.measures.parameters import Parameter
from qc4.measures.registry import measure
from qc4.views.result_list import RESULT_LIST, ResultList
from qc4.views.view import FLAT_CLUSTERS

SEEN = Parameter("k", "how many pages of a subtopic are to be seen", 1, 1_000, whole=True)
PAGES = (1, 2, 3, 4)


@measure(
    RESULT_LIST,
    key="kssl",
    title="{k}SSL",
    family="search-results",
    meaning="Labels and pages read until page number {k} of a subtopic was seen, mean over the subtopics.",
    formula="mean_t labels read + pages read until min({k}, |t|) pages of t were seen, in clusters and then in the "
    "list",
    source="bernardini2009",
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(SEEN,),
    stored={f"kssl_{k}": k for k in PAGES},
)
def kssl(results: ResultList, k: int) -> float:
    member = _members_by_topic(results)
    lengths = []
    for topic in range(results.n_topics):
        pages = results.topics.indices[results.topics.indptr[topic] : results.topics.indptr[topic + 1]]
        lengths.append(_search_length(results, pages.astype(np.int64), member[topic], min(k, pages.size)))
    return math.fsum(lengths) / results.n_topics


@measure(
    RESULT_LIST,
    key="kssl_list",
    title="{k}SSL of the list",
    family="search-results",
    meaning="Pages of the ranked list read until page number {k} of a subtopic was seen: what clusters have to beat.",
    formula="mean_t rank of t's page number min({k}, |t|)",
    source="bernardini2009",
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(SEEN,),
    stored={f"kssl_list_{k}": k for k in PAGES},
)
def kssl_list(results: ResultList, k: int) -> float:
    start = results.topics.indptr
    ranks = results.topics.indices[np.minimum(start[:-1] + k, start[1:]) - 1]
    return int(ranks.sum() + ranks.size) / results.n_topics


def _members_by_topic(results: ResultList) -> list[IntArray]:
    """For each topic, the memberships of its pages in clusters, in the order of reading."""
    topics_of = results.topics_by_page[results.clusters.indices]
    counts = np.diff(topics_of.indptr)
    membership = np.repeat(np.arange(counts.size), counts)
    order = np.argsort(topics_of.indices, kind="stable")
    bounds = np.cumsum(np.bincount(topics_of.indices, minlength=results.n_topics))[:-1]
    return np.split(membership[order], bounds)


def _search_length(results: ResultList, pages: IntArray, members: IntArray, wanted: int) -> int:
    """Labels and pages read until ``wanted`` of the pages (sorted by rank) were seen.

    Args:
        members: the pages' memberships in clusters, in the order of reading.
    """
    page, cluster = results.clusters.indices[members], results.cluster_of[members]
    _, first = np.unique(page, return_index=True)
    new = np.sort(first)
    if new.size >= wanted:
        last = new[wanted - 1]
        opened = np.unique(cluster[:last])
        before = opened[opened < cluster[last]]
        return int(cluster[last] + 1 + results.cluster_sizes[before].sum() + results.place[members[last]] + 1)
    read = int(results.cluster_sizes.size + results.cluster_sizes[np.unique(cluster)].sum())
    missing = np.setdiff1d(pages, page)
    return read + int(missing[wanted - new.size - 1]) + 1

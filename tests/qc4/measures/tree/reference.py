"""The tree measures written literally from their definitions, with sets, loops and recursion, without engine code."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, permutations
from statistics import fmean

from qc4.model.case import Case
from tests.qc4.measures.tree.trees import Sets

Tree = tuple[frozenset[int], Sets]
"""The counted pages, and the sets."""


def trees(case: Case) -> tuple[Sets, Sets, frozenset[int]]:
    """Return topics, clusters and pages with the default options: outliers are dropped, unclustered pages are
    singletons."""
    hierarchy, names = case.gold.hierarchy, case.gold.page_ids
    counted = frozenset(range(len(names))) - set(hierarchy.outliers.tolist())
    topics = [
        (frozenset(hierarchy.pages[[row]].indices.tolist()), int(hierarchy.parent[row]))
        for row in range(hierarchy.n_topics)
    ]
    forest = case.forest
    own = [frozenset(case.clusters[[row]].indices.tolist()) if row >= 0 else frozenset() for row in forest.row.tolist()]
    found = [(with_below(node, own, forest.parent.tolist()), int(up)) for node, up in enumerate(forest.parent)]
    alone = counted - frozenset().union(*(pages for pages, _ in found))
    clusters = [(pages & counted, up) for pages, up in found] + [(frozenset([page]), -1) for page in sorted(alone)]
    return topics, without_empty(clusters), counted


def with_below(node: int, own: list[frozenset[int]], parents: list[int]) -> frozenset[int]:
    pages = own[node]
    for child, up in enumerate(parents):
        if up == node:
            pages |= with_below(child, own, parents)
    return pages


def without_empty(sets: Sets) -> Sets:
    kept = [number for number, (pages, _) in enumerate(sets) if pages]
    return [(sets[old][0], kept.index(sets[old][1]) if sets[old][1] >= 0 else -1) for old in kept]


def tree_f(case: Case) -> float:
    topics, clusters, _ = trees(case)
    best = [max(2 * len(t & c) / (len(t) + len(c)) for c, _ in clusters) for t, _ in topics]
    return sum(len(t) * f for (t, _), f in zip(topics, best, strict=True)) / sum(len(t) for t, _ in topics)


def dendrogram_purity(case: Case, level: int) -> float:
    topics, clusters, counted = trees(case)
    rows = case.gold.hierarchy.topics_on(level).tolist()
    purities = [
        purity_of_pair({one, other}, topics[row][0], clusters, counted)
        for row in rows
        for one, other in combinations(sorted(topics[row][0]), 2)
    ]
    return fmean(purities) if purities else float(all(len(pages) == 1 for pages, _ in clusters))


def purity_of_pair(pair: set[int], topic: frozenset[int], clusters: Sets, counted: frozenset[int]) -> float:
    around = [pages for pages, _ in clusters if pair <= pages] or [counted]
    smallest = min(map(len, around))
    return max(len(pages & topic) / len(pages) for pages in around if len(pages) == smallest)


def alignments(topics: Sets, clusters: Sets) -> Iterator[dict[int, int]]:
    """Yield every one-to-one alignment of topics with clusters that share a page with them."""

    def extended(topic: int, taken: dict[int, int]) -> Iterator[dict[int, int]]:
        if topic == len(topics):
            yield dict(taken)
            return
        yield from extended(topic + 1, taken)
        for cluster, (pages, _) in enumerate(clusters):
            if cluster not in taken.values() and pages & topics[topic][0]:
                yield from extended(topic + 1, {**taken, topic: cluster})

    return extended(0, {})


def shared_pages(aligned: dict[int, int], topics: Sets, clusters: Sets) -> int:
    return sum(len(topics[topic][0] & clusters[cluster][0]) for topic, cluster in aligned.items())


def f(one: frozenset[int], other: frozenset[int]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))


def edge_agreement(topics: Sets, clusters: Sets) -> float:
    """Return the largest sum over all alignments of edges."""
    found = [edges(sets) for sets in (topics, clusters)]
    rows, columns = sorted(found, key=len)
    agreement = {
        (row, column): f(row[0], column[0]) * f(row[1], column[1]) for row in set(rows) for column in set(columns)
    }
    return max(
        sum(agreement[pair] for pair in zip(rows, chosen, strict=True)) for chosen in permutations(columns, len(rows))
    )


def edges(sets: Sets) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Return pairs of parent and child."""
    return [(sets[up][0], pages) for pages, up in sets if up >= 0]


def parts_of(sets: Sets, parent: int, pages: frozenset[int]) -> list[tuple[frozenset[int], int]]:
    """Return the children of a set, and each page in none of them as a part; no parts if there are no children."""
    below = [(part, number) for number, (part, up) in enumerate(sets) if up == parent]
    left = pages - frozenset().union(*(part for part, _ in below))
    return [*below, *((frozenset([page]), len(sets)) for page in left)] if below else []


def information(
    topics: Sets, clusters: Sets, both: frozenset[int], t: tuple[frozenset[int], int], s: tuple[frozenset[int], int]
) -> float:
    """Return I(t, s) of Perotti et al.: the mutual information of the parts on the common pages, plus that of the
    parts."""
    us, vs = parts_of(topics, t[1], t[0]), parts_of(clusters, s[1], s[0])
    if not us or not vs:
        return 0.0
    total = 0.0
    for u in us:
        for v in vs:
            p = len(u[0] & v[0] & both) / len(both)
            if p:
                total += p * math.log(p / (len(u[0] & both) / len(both)) / (len(v[0] & both) / len(both)))
                total += p * information(topics, clusters, u[0] & v[0] & both, u, v)
    return total


def hmi(topics: Sets, clusters: Sets, pages: frozenset[int]) -> float:
    return information(topics, clusters, pages, (pages, root(topics, pages)), (pages, root(clusters, pages)))


def root(sets: Sets, pages: frozenset[int], at: int = -1) -> int:
    """Return the deepest set that contains every page; -1 if there is none."""
    below = [number for number, (part, up) in enumerate(sets) if up == at and part == pages]
    return root(sets, pages, below[0]) if below else at


def mean_hmi(topics: Sets, clusters: Sets, pages: frozenset[int]) -> float:
    """Return the mean over all permutations of the pages."""
    order = sorted(pages)
    found = []
    for places in permutations(order):
        to = dict(zip(order, places, strict=True))
        found.append(hmi(topics, [(frozenset(map(to.get, part)), up) for part, up in clusters], pages))
    return fmean(found)


def joined(sets: Sets, one: int, other: int) -> int:
    """Return the depth of the deepest set that contains both pages."""
    return max((depth(sets, number) for number, (pages, _) in enumerate(sets) if {one, other} <= pages), default=0)


def depth(sets: Sets, number: int) -> int:
    return 0 if number < 0 else 1 + depth(sets, sets[number][1])


def resolved(sets: Sets, pages: frozenset[int]) -> set[tuple[frozenset[int], int]]:
    """Return triples: two pages, and a third that is joined less deeply with either."""
    return {
        (frozenset([one, other]), third)
        for one, other in combinations(pages, 2)
        for third in pages - {one, other}
        if joined(sets, one, other) > max(joined(sets, one, third), joined(sets, other, third))
    }


def triplet_agreement(case: Case) -> float:
    topics, clusters, counted = trees(case)
    by_topics, by_clusters = resolved(topics, counted), resolved(clusters, counted)
    return len(by_topics & by_clusters) / len(by_topics) if by_topics else float(not by_clusters)

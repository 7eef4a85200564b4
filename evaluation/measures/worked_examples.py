"""Worked examples: small cases on which any measure can be computed by hand, and degenerate cases.

A measure's declaration determines its example, so that a family shares one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

import numpy as np

from qc4.inputs.partition import PARTITION, PairCounts
from qc4.measures.qc4.measures import HIERARCHY
from qc4.measures.registry import Measure
from qc4.model.case import Case
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_document import GoldDocument, Page, Topic
from qc4.model.gold_standard import GoldStandard
from qc4.model.policies import Policies
from qc4.model.rules import prepare
from qc4.model.vectors import Vectors
from qc4.scoring.results import Score
from qc4.scoring.scoring import score, score_case

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A gold standard and a clustering of a few pages.

    Attributes:
        key: permanent name.
        title: description.
        gold: a valid gold standard.
        clustering: clusters of the same pages.
        points: one (x, y) per page, for measures of vectors; None for others.
    """

    key: str
    title: str
    gold: GoldDocument
    clustering: Clustering
    points: Points | None = None

    @property
    def vectors(self) -> Vectors | None:
        return None if self.points is None else Vectors.of(self.points, {"example": self.key})

    def case(self) -> Case:
        """Return the example as engine input."""
        return Case.build(_prepared(self.gold), self.clustering, self.vectors)


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A measure computed on its example.

    Attributes:
        scores: one per level of the measure.
        pairs: number of page pairs in the same class, cluster, or both; None unless the measure uses two partitions.
        parts: QC4's parts per cluster; None unless the measure uses QC4's.
    """

    example: Example
    scores: tuple[Score, ...]
    pairs: PairCounts | None = None
    parts: tuple[Mapping[str, Any], ...] | None = None


@dataclass(frozen=True, slots=True)
class DegenerateCase:
    """A degenerate case and a measure's score on it."""

    title: str
    score: Score


def example_for(measure: Measure) -> Example:
    """Return the example of a measure: points, nested clusters with labels, overlap and levels, or two partitions."""
    if "vectors" in measure.needs:
        return POINTS
    if measure.family in ("tree", "labels"):
        return TREE
    return NESTED if "overlap" in measure.accepts else FLAT


@lru_cache(maxsize=256)
def compute_example(measure: Measure) -> WorkedExample:
    """Compute a measure on its example, with default scoring options, and the counts it is computed from.

    Cached, because the page of a measure shows it beside all others of its family.
    """
    example = example_for(measure)
    result = score(_prepared(example.gold), example.clustering, [measure.key], vectors=example.vectors, explain=True)
    pairs = PARTITION.of(example.case(), 1, Policies()).pairs if measure.view is PARTITION else None
    return WorkedExample(example, result.scores, pairs, result.clusters if measure.view is HIERARCHY else None)


def degenerate_cases(measure: Measure) -> tuple[DegenerateCase, ...]:
    """Return the measure's scores on degenerate cases, on its first level and with default scoring options."""
    found = []
    for title, case in _edge_cases("vectors" in measure.needs):
        level = measure.view.levels(case.gold)[0]
        found.append(DegenerateCase(title, score_case(case, [(measure, level)], Policies())[0]))
    return tuple(found)


@lru_cache(maxsize=2)
def _edge_cases(with_points: bool) -> tuple[tuple[str, Case], ...]:
    gold, points = FLAT.gold, POINTS.points if with_points else None
    pages = [page.id for page in gold.pages]
    one = replace(gold, pages=gold.pages[:1], topics=(replace(gold.topics[0], pages=(pages[0],)),))
    topics = [topic.pages for topic in gold.topics]
    halves = [pages[:6], pages[5:]]
    cases: list[tuple[str, GoldDocument, Sequence[Sequence[str]], Points | None]] = [
        ("The clusters are the topics", gold, topics, points),
        ("Every page is a cluster of its own", gold, [[page] for page in pages], points),
        ("All pages are in one cluster", gold, [pages], points),
        ("There is no cluster", gold, [], points),
        ("One page is in two clusters", gold, halves, points),
        ("There is one page only, in a cluster", one, [pages[:1]], points and points[:1]),
    ]
    if points:
        cases.append(("All pages are at one place", gold, topics, points[:1] * len(pages)))
    return tuple(
        (title, Example("edge", title, document, _clustering(document, clusters), places).case())
        for title, document, clusters, places in cases
    )


@lru_cache(maxsize=8)
def _prepared(gold: GoldDocument) -> GoldStandard:
    return prepare(gold)


def _clustering(
    gold: GoldDocument,
    clusters: Sequence[Sequence[str]],
    labels: Sequence[str] = (),
    parents: Mapping[str, str] = MappingProxyType({}),
) -> Clustering:
    """Make clusters named by their labels; ``parents`` maps a label to the label of the parent cluster."""
    names = labels or [f"cluster {number}" for number, _ in enumerate(clusters, 1)]
    pairs = zip(names, clusters, strict=True)
    return Clustering(
        gold.query_id, tuple(Cluster(name, tuple(pages), name, parents.get(name)) for name, pages in pairs)
    )


def _pages(*numbers: int) -> tuple[str, ...]:
    return tuple(map(str, numbers))


def _document(
    n_pages: int, topics: Sequence[Topic], outliers: Sequence[str] = (), titles: Sequence[str] = ()
) -> GoldDocument:
    named = zip_longest(range(1, n_pages + 1), titles)
    pages = tuple(Page(str(number), rank=number, title=title) for number, title in named)
    return GoldDocument("python", "python", pages, tuple(topics), tuple(outliers))


_FLAT_GOLD = _document(
    10,
    [
        Topic("language", "Language", pages=_pages(1, 2, 3, 4, 5)),
        Topic("snake", "Snake", pages=_pages(6, 7, 8)),
        Topic("film", "Film", pages=_pages(9, 10)),
    ],
)
_FLAT_CLUSTERS = _clustering(
    _FLAT_GOLD,
    [_pages(1, 2, 3, 4), _pages(5, 6), _pages(7, 8, 9), _pages(10)],
    ["code", "beginners", "animals", "comedy"],
)
_NESTED_GOLD = _document(
    12,
    [
        Topic("language", "Language"),
        Topic("courses", "Courses", "language", pages=_pages(1, 2, 3)),
        Topic("libraries", "Libraries", "language", pages=_pages(3, 4, 5)),
        Topic("snake", "Snake"),
        Topic("keeping", "Keeping", "snake", pages=_pages(6, 7)),
        Topic("wild", "In the wild", "snake", pages=_pages(8, 9)),
        Topic("film", "Film", pages=_pages(9, 10, 11)),
    ],
    outliers=_pages(12),
)
_NESTED_CLUSTERS = _clustering(
    _NESTED_GOLD,
    [_pages(1, 2, 3, 4, 5), _pages(1, 2), _pages(6, 7, 8), _pages(9, 10, 12)],
    ["code", "beginners", "animals", "watch"],
)
_TREE_GOLD = _document(
    12,
    [
        Topic("language", "Language"),
        Topic("courses", "Courses", "language", pages=_pages(1, 2, 3)),
        Topic("libraries", "Libraries", "language", pages=_pages(4, 5)),
        Topic("snake", "Snake"),
        Topic("keeping", "Keeping snakes", "snake", pages=_pages(6, 7)),
        Topic("wild", "In the wild", "snake", pages=_pages(8, 9)),
        Topic("film", "Film", pages=_pages(10, 11)),
    ],
    outliers=_pages(12),
    titles=(
        *("Python courses", "Learn the language", "A course of code", "Code libraries", "Language of libraries"),
        *("Keeping snakes", "A snake at home", "Snakes in the wild", "The wild python", "A film of 1983", "The film"),
        "Nothing",
    ),
)
_TREE_CLUSTERS = _clustering(
    _TREE_GOLD,
    [_pages(1, 2, 3, 4), _pages(1, 2), _pages(3, 4), _pages(5, 6, 7, 8, 9), _pages(6, 7), _pages(8, 9), _pages(10, 12)],
    ["language", "courses", "code", "snakes", "keeping snakes", "wild", "film"],
    {"courses": "language", "code": "language", "keeping snakes": "snakes", "wild": "snakes"},
)
FLAT = Example("flat", "Two partitions of ten pages", _FLAT_GOLD, _FLAT_CLUSTERS)
NESTED = Example(
    "nested", "Topics on two levels that overlap, nested clusters, an outlier", _NESTED_GOLD, _NESTED_CLUSTERS
)
POINTS = Example(
    "points",
    "Ten pages as points in the plane",
    _FLAT_GOLD,
    _FLAT_CLUSTERS,
    ((1, 1), (2, 1), (1, 2), (2, 2), (4, 2), (5, 2), (7, 1), (8, 2), (6, 4), (5, 6)),
)
TREE = Example("tree", "Clusters in clusters, with labels", _TREE_GOLD, _TREE_CLUSTERS)
EXAMPLES = (FLAT, NESTED, TREE, POINTS)


def page_table(example: Example) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return (topics, clusters) numbers of pages shared by a topic, including its subtopics, and a cluster."""
    case = example.case()
    table: np.ndarray[Any, np.dtype[np.int64]] = (case.gold.hierarchy.pages @ case.clusters.T).toarray()
    return table

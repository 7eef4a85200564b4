"""The cases of the study: a gold standard, clusterings, and their correct order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from math import gcd
from typing import Literal

from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_document import GoldDocument, Page, Topic
from qc4.records import Record

Pages = Iterable[int]
SideName = Literal["quality", "coverage", "overall"]
Origin = Literal["table 1", "amigó", "limits"]
"""Source of a group: Table 1 of the QC4 paper, the constraints of Amigó et al., or the cases that QC4 fails."""


@dataclass(frozen=True, slots=True)
class StudyClustering(Record):
    """One clustering of a case. Its clusters contain page ids.

    Attributes:
        labels: one label per cluster; empty if labels do not matter.
        parents: the name of each cluster's parent cluster; empty if no cluster has a parent.
    """

    key: str
    title: str
    clusters: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...] = ()
    parents: tuple[str | None, ...] = ()

    def as_clustering(self, query: str) -> Clustering:
        """Return the engine's clustering, with clusters named 1, 2, .."""
        rows = zip_longest(self.clusters, self.labels, self.parents)
        clusters = (
            Cluster(str(number), pages, label or "", parent) for number, (pages, label, parent) in enumerate(rows, 1)
        )
        return Clustering(query, tuple(clusters), algorithm=self.title)


@dataclass(frozen=True, slots=True)
class StudyTopic(Record):
    """A topic with its own pages and those of its subtopics, for the picture of the case."""

    id: str
    name: str
    parent: str | None
    pages: list[str]


@dataclass(frozen=True, slots=True)
class StudyCase:
    """A gold standard, two or more clusterings, and their correct order.

    Attributes:
        key: permanent name, unique in the study.
        title: title for readers.
        expected: an explanation of the correct order.
        gold: the gold standard, which breaks no rule.
        clusterings: the clusterings, best first.
        order: keys of clusterings, best first. Clusterings in the same inner tuple are equally good.
        only: the one component that may differ while the other stays the same; None if either may.
    """

    key: str
    title: str
    expected: str
    gold: GoldDocument
    clusterings: tuple[StudyClustering, ...]
    order: tuple[tuple[str, ...], ...]
    only: SideName | None = None

    @property
    def pages(self) -> list[str]:
        return [page.id for page in self.gold.pages]

    @property
    def topics(self) -> list[StudyTopic]:
        return [
            StudyTopic(topic.id, topic.name, topic.parent, _with_subtopics(self.gold, topic))
            for topic in self.gold.topics
        ]


@dataclass(frozen=True, slots=True)
class StudyGroup:
    """Cases that test one property. A measure passes a group if it passes all its cases."""

    key: str
    title: str
    origin: Origin
    tests: str
    cases: tuple[StudyCase, ...]


def span(first: int, last: int) -> range:
    """Return the page numbers from ``first`` to ``last``, both included."""
    return range(first, last + 1)


def clustering(key: str, title: str, clusters: Iterable[Pages]) -> StudyClustering:
    """Build a clustering from page numbers."""
    return StudyClustering(key, title, tuple(tuple(map(str, pages)) for pages in clusters))


def gold(n_pages: int, topics: Mapping[str, Pages]) -> GoldDocument:
    """Build a gold standard over the pages 0 .. n_pages - 1.

    Args:
        n_pages: number of pages.
        topics: name -> pages. The name of a subtopic is "Parent/Child", and it comes after its parent.
    """
    ranks = _spread_ranks(n_pages)
    return GoldDocument(
        query_id="study",
        query_text="behaviour study",
        pages=tuple(Page(str(number), rank) for number, rank in enumerate(ranks)),
        topics=tuple(
            Topic(path, path.rpartition("/")[2], path.rpartition("/")[0] or None, pages=tuple(map(str, pages)))
            for path, pages in topics.items()
        ),
    )


def ranked_case(key: str, title: str, expected: str, document: GoldDocument, *best_first: StudyClustering) -> StudyCase:
    """Build a case from clusterings in their correct order, best first, with no ties."""
    return StudyCase(key, title, expected, document, best_first, tuple((found.key,) for found in best_first))


def _with_subtopics(document: GoldDocument, topic: Topic) -> list[str]:
    """Return the pages of a topic and all its descendants, each once, in the order of the page list."""
    below = (found for found in document.topics if found.id == topic.id or found.id.startswith(f"{topic.id}/"))
    pages = {page for found in below for page in found.pages}
    return [page.id for page in document.pages if page.id in pages]


def _spread_ranks(n_pages: int) -> list[int]:
    """Return the ranks 1 .. n_pages in an order that spreads pages with adjacent numbers, as in a result list."""
    step = next(step for step in range(int(0.618 * n_pages) or 1, 2 * n_pages + 1) if gcd(step, n_pages) == 1)
    return [number * step % n_pages + 1 for number in range(n_pages)]

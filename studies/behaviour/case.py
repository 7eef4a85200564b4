"""What a case is: a gold standard, clusterings, and the order they should come in."""

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
"""Whose group it is: Table 1 of the QC4 paper, the constraints of Amigó et al., or what QC4 does not pass."""


@dataclass(frozen=True, slots=True)
class StudyClustering(Record):
    """One clustering of a case; clusters hold pages by id.

    Attributes:
        labels: one per cluster; none where nothing depends on them.
        parents: per cluster the name of the one that it lies in; none where none lies in another.
    """

    key: str
    title: str
    clusters: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...] = ()
    parents: tuple[str | None, ...] = ()

    def as_clustering(self, query: str) -> Clustering:
        """The same for the engine; clusters are named 1, 2, .."""
        rows = zip_longest(self.clusters, self.labels, self.parents)
        clusters = (
            Cluster(str(number), pages, label or "", parent) for number, (pages, label, parent) in enumerate(rows, 1)
        )
        return Clustering(query, tuple(clusters), algorithm=self.title)


@dataclass(frozen=True, slots=True)
class StudyTopic(Record):
    """A topic with its pages and those of its subtopics, as a picture of the case needs it."""

    id: str
    name: str
    parent: str | None
    pages: list[str]


@dataclass(frozen=True, slots=True)
class StudyCase:
    """A gold standard, two or more clusterings, and their right order.

    Attributes:
        key: permanent name, unique in the study.
        title: for people.
        expected: what the order should be and why, in words.
        gold: breaks no rule.
        clusterings: the best first.
        order: keys of clusterings, best first; those in one inner tuple are equally good.
        only: the one side that may tell them apart while the other stays; None if either may.
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
    """Cases that test one thing; a measure passes a group if it passes all of them."""

    key: str
    title: str
    origin: Origin
    tests: str
    cases: tuple[StudyCase, ...]


def span(first: int, last: int) -> range:
    """Pages ``first`` to ``last``, both included."""
    return range(first, last + 1)


def clustering(key: str, title: str, clusters: Iterable[Pages]) -> StudyClustering:
    """A clustering from page numbers."""
    return StudyClustering(key, title, tuple(tuple(map(str, pages)) for pages in clusters))


def gold(n_pages: int, topics: Mapping[str, Pages]) -> GoldDocument:
    """A gold standard over the pages 0 .. n_pages - 1.

    Args:
        topics: name -> pages; the name of a subtopic is "Parent/Child", after its parent.
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


def ordered(key: str, title: str, expected: str, document: GoldDocument, *best_first: StudyClustering) -> StudyCase:
    """A case whose clusterings are given best first, no two equally good."""
    return StudyCase(key, title, expected, document, best_first, tuple((found.key,) for found in best_first))


def _with_subtopics(document: GoldDocument, topic: Topic) -> list[str]:
    """Pages of a topic and of all below it, each once, in the order of the page list."""
    below = (found for found in document.topics if found.id == topic.id or found.id.startswith(f"{topic.id}/"))
    pages = {page for found in below for page in found.pages}
    return [page.id for page in document.pages if page.id in pages]


def _spread_ranks(n_pages: int) -> list[int]:
    """Ranks 1 .. n_pages in which pages of one topic, neighbours by number, lie far apart, as in a result list."""
    step = next(step for step in range(int(0.618 * n_pages) or 1, 2 * n_pages + 1) if gcd(step, n_pages) == 1)
    return [number * step % n_pages + 1 for number in range(n_pages)]

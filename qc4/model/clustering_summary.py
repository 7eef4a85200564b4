"""Summary of a clustering as it was read: its pages, clusters and nesting, as numbers and as one line of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from qc4.model.clustering import Cluster, ClusterColumns, Clustering
from qc4.model.nesting import depths_of_clusters
from qc4.model.noise import NoiseLabel, describe_noise
from qc4.records import Record
from qc4.wording import counted, percentage

OTHER_TOPICS = "other_topics"
"""The field of a clustering from Carrot2 that lists the pages of its group "other topics"."""


@dataclass(frozen=True, slots=True)
class ClusteringSummary(Record):
    """One query's clustering in numbers.

    Attributes:
        query: the key of the query; ``text`` is its text in the collection.
        pages: pages in the page list; covered: pages in at least one cluster; overlapping: pages in several clusters,
            none of which contains another.
        clusters: clusters with pages; empty: clusters without pages.
        smallest, median, largest: cluster sizes; 0 if there is no cluster.
        unclustered: pages in no cluster.
        noise: the labels that were read as "in no cluster", each with its number of pages.
        other_topics: pages in no cluster that the file lists in a group "other topics", as Carrot2 does.
        nested: clusters inside another one; levels: depth of the nesting, 1 if no cluster is nested.
    """

    KEYS = (
        "query text pages clusters empty covered overlapping memberships smallest median largest unclustered noise "
        "other_topics nested levels reasons nesting sentence"
    )

    query: str
    text: str
    pages: int
    clusters: int
    empty: int
    covered: int
    overlapping: int
    memberships: int
    smallest: int
    median: int
    largest: int
    unclustered: int = 0
    noise: tuple[NoiseLabel, ...] = ()
    other_topics: int = 0
    nested: int = 0
    levels: int = 1

    @classmethod
    def of(cls, answer: Clustering, n_pages: int | None = None, text: str = "") -> ClusteringSummary:
        """Summarise one clustering.

        Args:
            n_pages: number of pages in the query's page list; None to use the pages that the clustering knows.
            text: the text of the query in the collection.

        >>> print(ClusteringSummary.of(Clustering.from_labels(["a", "a", "b", "c"])).sentence)
        4 pages; 3 clusters; every page in a cluster; no page in several clusters; no nesting
        """
        clusters = answer.clusters
        sizes = sorted(len(cluster.pages) for cluster in clusters if cluster.pages)
        counts = Counter(page for pages in _pages_outside_children(clusters) for page in pages)
        left_out = sum(each.pages for each in answer.noise)
        aside = _count_other_topics(answer, counts)
        known = len(answer.pages) if answer.pages is not None else len(counts) + left_out + aside
        pages = known if n_pages is None else n_pages
        depths = depths_of_clusters(clusters)
        return cls(
            query=answer.query,
            text=text,
            pages=pages,
            clusters=len(sizes),
            empty=len(clusters) - len(sizes),
            covered=len(counts),
            overlapping=sum(count > 1 for count in counts.values()),
            memberships=sum(sizes),
            smallest=sizes[0] if sizes else 0,
            median=sizes[len(sizes) // 2] if sizes else 0,
            largest=sizes[-1] if sizes else 0,
            unclustered=max(pages - len(counts), 0),
            noise=answer.noise,
            other_topics=aside,
            nested=sum(depth > 1 for depth in depths),
            levels=max(depths, default=1),
        )

    @property
    def sentence(self) -> str:
        """The summary in one line."""
        several = f"{counted(self.overlapping, 'page') if self.overlapping else 'no page'} in several clusters"
        if self.unclustered:
            share = percentage(self.unclustered, self.pages)
            outside = f"{counted(self.unclustered, 'page')} in no cluster ({share}): {self.reasons}"
        else:
            outside = "every page in a cluster"
        return "; ".join(
            [counted(self.pages, "page"), counted(self.clusters, "cluster"), outside, several, self.nesting]
        )

    @property
    def nesting(self) -> str:
        """The nesting of the clusters, in words."""
        if not self.nested:
            return "no nesting"
        lie = "lies" if self.nested == 1 else "lie"
        return f"{counted(self.nested, 'cluster')} {lie} in another ({self.levels} levels)"

    @property
    def reasons(self) -> str:
        """The reasons why pages are in no cluster, in words; empty if there are none."""
        ways = [describe_noise(self.noise)] if self.noise else []
        if self.other_topics:
            ways.append(f"{counted(self.other_topics, 'page')} in a group of other topics")
        rest = self.unclustered - sum(each.pages for each in self.noise) - self.other_topics
        if rest > 0:
            ways.append(f"{counted(rest, 'page')} not in the file")
        return ", ".join(ways)


def _pages_outside_children(clusters: Sequence[Cluster]) -> list[set[str] | tuple[str, ...]]:
    """Return the pages of each cluster that are not in one of its children."""
    columns = ClusterColumns.of(clusters)
    if columns.are_flat:
        return list(columns.pages)
    inside: dict[str, set[str]] = {}
    for parent, pages in zip(columns.parents or (), columns.pages, strict=True):
        if parent is not None:
            inside.setdefault(parent, set()).update(pages)
    return [set(pages) - inside.get(id, set()) for id, pages in zip(columns.ids, columns.pages, strict=True)]


def _count_other_topics(answer: Clustering, clustered: Counter[str]) -> int:
    listed = answer.extra.get(OTHER_TOPICS, ())
    pages = {page for page in listed if isinstance(page, str)} if isinstance(listed, list | tuple) else set()
    return sum(page not in clustered for page in pages)

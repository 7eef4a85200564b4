"""What is shown of why a clustering of one query scores as it does: records, as they are stored."""

from __future__ import annotations

from dataclasses import dataclass

from qc4.measures.qc4 import ClusterMatch, ClusterQuality
from qc4.model.clustering import Cluster
from qc4.model.gold_document import Page
from qc4.wording import decimals


@dataclass(frozen=True, slots=True)
class Share:
    """``pages`` of a cluster are of this topic (or outliers), which is the part ``share`` of the cluster."""

    path: str
    pages: int
    share: float


@dataclass(frozen=True, slots=True)
class PageLink:
    """What lists show of a page."""

    id: str
    rank: int | None
    url: str | None
    title: str | None

    @classmethod
    def of(cls, page: Page) -> PageLink:
        return cls(page.id, page.rank, page.url, page.title)


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page and the topics it belongs to."""

    page: PageLink
    topics: tuple[str, ...]
    is_outlier: bool


@dataclass(frozen=True, slots=True)
class ClusterLink:
    """What lists show of a cluster."""

    id: str
    name: str
    size: int

    @classmethod
    def of(cls, cluster: Cluster) -> ClusterLink:
        return cls(cluster.id, cluster.label or cluster.id, len(cluster.pages))


@dataclass(frozen=True, slots=True)
class ClusterView:
    """A remaining cluster with everything that made its quality.

    Attributes:
        steps: (what, before, after) from 1 down to the quality.
        match: how it matches its best topic.
        best: path of the topic with the largest F, of ``best_size`` pages, ``in_best`` of them here.
        runner_up: (path, F) of the second.
        mix: the first of the ``n_mix`` topics of the cluster's level that share pages with it, outliers too, largest
            first.
        foreign: the first of its ``n_foreign`` pages outside the best topic.
    """

    cluster: ClusterLink
    quality: ClusterQuality
    match: ClusterMatch
    steps: tuple[tuple[str, float, float], ...]
    best: str
    runner_up: tuple[str, float] | None
    mix: tuple[Share, ...]
    n_mix: int
    foreign: tuple[PlacedPage, ...]
    n_foreign: int
    sentence: str = ""

    @property
    def best_name(self) -> str:
        """The last part of its best topic's path."""
        return self.best.rpartition(" › ")[2]

    @property
    def best_size(self) -> int:
        return self.match.best_size

    @property
    def in_best(self) -> int:
        return self.match.common

    @property
    def n_other_shares(self) -> int:
        """Topics beside those in ``mix``."""
        return self.n_mix - len(self.mix)

    @property
    def s_random_words(self) -> str:
        """Random scaling as it enters the quality: anything from 1 on changes nothing."""
        return "1.000" if self.quality.s_random >= 1 else decimals(self.quality.s_random)


@dataclass(frozen=True, slots=True)
class RemovedView:
    """A cluster QC4 leaves out: more than half of its pages are outliers."""

    cluster: ClusterLink
    n_outliers: int

    @property
    def sentence(self) -> str:
        size = self.cluster.size
        if size == 1:
            return "Its only page is an outlier, so it does not count."
        part = f"All {size}" if self.n_outliers == size else f"{self.n_outliers} of its {size}"
        return f"{part} pages are outliers, so it does not count."


@dataclass(frozen=True, slots=True)
class TopicView:
    """A topic and its coverage. ``best_cluster`` holds most of its pages (``in_best`` of them)."""

    id: str
    name: str
    depth: int
    size: int
    coverage: float
    best_cluster: str
    in_best: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """All of it. Of a stored one the lists are read in parts, by their lengths."""

    quality: float
    coverage: float
    qc4_f: float
    aq: float
    wq: float
    ac: float
    wc: float
    depth: int
    n_clusters: int
    n_removed: int
    n_topics: int
    n_unclustered: int
    clusters: tuple[ClusterView, ...]
    removed: tuple[RemovedView, ...]
    topics: tuple[TopicView, ...]
    unclustered: tuple[PlacedPage, ...]

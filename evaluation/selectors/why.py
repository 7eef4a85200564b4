"""Why a clustering of one query scores as it does: every cluster, topic and page behind the QC4 numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.selectors.gold_tree import Tree, tree_of
from evaluation.selectors.topic_coverage import topic_coverage
from evaluation.selectors.why_words import OUTLIERS, sentence
from measures.case import Case
from measures.clustering import Cluster, Clustering
from measures.gold import GoldDocument, Page
from measures.hierarchy import IntArray
from measures.qc4 import ClusterQuality, QC4Result, qc4


@dataclass(frozen=True, slots=True)
class Share:
    """A topic's part in a cluster: ``common`` of the cluster's pages, of the ``size`` the topic has."""

    path: str
    common: int
    size: int
    f: float
    share: float


@dataclass(frozen=True, slots=True)
class Foreign:
    """A page of a cluster that is not in its best topic, and where it belongs instead."""

    page: Page
    topics: tuple[str, ...]
    is_outlier: bool


@dataclass(frozen=True, slots=True)
class ClusterView:
    """A remaining cluster with everything that made its quality.

    Attributes:
        steps: (what, before, after) from 1 down to the quality.
        best, runner_up: the topics with the largest and second largest F.
        mix: the topics of the cluster's level that share pages with it, outliers too, largest first.
        foreign: its pages outside the best topic.
    """

    cluster: Cluster
    quality: ClusterQuality
    steps: tuple[tuple[str, float, float], ...]
    best: Share
    runner_up: Share | None
    mix: tuple[Share, ...]
    foreign: tuple[Foreign, ...]
    sentence: str

    @property
    def s_random_words(self) -> str:
        """Random scaling as it enters the quality: anything from 1 on changes nothing."""
        return "1.000" if self.quality.s_random >= 1 else f"{self.quality.s_random:.3f}".removeprefix("0")


@dataclass(frozen=True, slots=True)
class RemovedView:
    """A cluster QC4 leaves out: more than half of its pages are outliers."""

    cluster: Cluster
    n_outliers: int


@dataclass(frozen=True, slots=True)
class TopicView:
    """A topic's coverage. ``best_cluster`` holds most of its pages (``in_best`` of them)."""

    name: str
    depth: int
    size: int
    coverage: float
    best_cluster: str
    in_best: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """All of it, for one page of the site."""

    result: QC4Result
    clusters: tuple[ClusterView, ...]
    removed: tuple[RemovedView, ...]
    topics: tuple[TopicView, ...]
    unclustered: tuple[Foreign, ...]
    tree: Tree


def explain(case: Case, clustering: Clustering, document: GoldDocument) -> Explanation:
    """Explain QC4 of a case built from this clustering and this gold document."""
    result = qc4(case)
    view = _Pages(case, document)
    by_id = {cluster.id: cluster for cluster in clustering.clusters}
    rows = {cluster_id: row for row, cluster_id in enumerate(case.cluster_ids)}
    covered = np.unique(case.clusters.indices)
    return Explanation(
        result=result,
        clusters=tuple(_cluster_view(view, by_id, rows[part.id], part) for part in result.clusters),
        removed=tuple(
            RemovedView(by_id[key], int(case.gold.is_outlier[view.members(rows[key])].sum())) for key in result.removed
        ),
        topics=_topic_views(view, by_id),
        unclustered=tuple(view.foreign(page) for page in np.setdiff1d(np.arange(case.n_pages), covered).tolist()),
        tree=view.tree,
    )


class _Pages:
    """The case's arrays with their names at hand."""

    def __init__(self, case: Case, document: GoldDocument) -> None:
        self.case, self.document, self.tree = case, document, tree_of(document)
        self.hierarchy = case.gold.hierarchy
        self.names = _topic_paths(document)
        # (topics, clusters) pages in common; small: this is one query on one page of the site.
        self.common = (self.hierarchy.pages.astype(np.int64) @ case.clusters.astype(np.int64).T).toarray()

    def members(self, row: int) -> IntArray:
        start, end = self.case.clusters.indptr[row : row + 2]
        return self.case.clusters.indices[start:end]

    def foreign(self, page: int) -> Foreign:
        found = self.document.pages[page]
        return Foreign(found, self.tree.paths.get(found.id, ()), found.id in self.tree.outliers)

    def share(self, topic: int, row: int) -> Share:
        common, size = int(self.common[topic, row]), int(self.hierarchy.sizes[topic])
        n = int(self.case.sizes[row])
        return Share(self.names[topic], common, size, 2 * common / (n + size), common / n)


def _cluster_view(view: _Pages, by_id: dict[str, Cluster], row: int, part: ClusterQuality) -> ClusterView:
    best = view.case.gold.topic_ids.index(part.best_topic)
    shares = [view.share(topic, row) for topic in range(view.hierarchy.n_topics) if topic != best]
    runner_up = max(shares, key=lambda share: share.f, default=None)
    in_best = np.isin(view.members(row), view.hierarchy.pages[[best]].indices)
    foreign = tuple(view.foreign(page) for page in view.members(row)[~in_best].tolist())
    shown = ClusterView(
        cluster=by_id[part.id],
        quality=part,
        steps=_steps(part),
        best=view.share(best, row),
        runner_up=runner_up if runner_up and runner_up.common else None,
        mix=_mix(view, row, part.level),
        foreign=foreign,
        sentence="",
    )
    missing = np.setdiff1d(view.hierarchy.pages[[best]].indices, view.members(row))
    elsewhere, n_elsewhere = _where(view, missing, row)
    label = label_of(by_id[elsewhere]) if elsewhere else ""
    return replace(shown, sentence=sentence(shown, len(missing), label, n_elsewhere))


def _where(view: _Pages, pages: IntArray, row: int) -> tuple[str, int]:
    """The other cluster that holds most of these pages, and how many."""
    counts = np.asarray(view.case.clusters[:, pages].sum(axis=1)).ravel() if pages.size else np.zeros(0)
    if not counts.size:
        return "", 0
    counts[row] = 0
    other = int(counts.argmax())
    return view.case.cluster_ids[other], int(counts[other])


def _steps(part: ClusterQuality) -> tuple[tuple[str, float, float], ...]:
    pure = 1 - part.entropy
    scaled = pure * min(1.0, part.s_recall)
    return ("entropy", 1.0, pure), ("recall", pure, scaled), ("random", scaled, min(scaled, part.quality))


def _mix(view: _Pages, row: int, level: int) -> tuple[Share, ...]:
    shares = [view.share(topic, row) for topic in view.hierarchy.topics_on(level).tolist()]
    outliers = int(view.case.gold.is_outlier[view.members(row)].sum())
    n = int(view.case.sizes[row])
    size = len(view.hierarchy.outliers)
    shares.append(Share(OUTLIERS, outliers, size, 2 * outliers / (n + size), outliers / n))
    return tuple(sorted((share for share in shares if share.common), key=lambda share: -share.common))


def _topic_views(view: _Pages, by_id: dict[str, Cluster]) -> tuple[TopicView, ...]:
    coverage = topic_coverage(view.case)
    index = {topic_id: topic for topic, topic_id in enumerate(view.case.gold.topic_ids)}
    removed = set(qc4(view.case).removed)
    kept = np.array([cluster_id not in removed for cluster_id in view.case.cluster_ids], dtype=bool)
    found = []
    for node in view.tree.nodes:
        topic = index[node.id]
        common = np.where(kept, view.common[topic], 0)
        best = int(common.argmax()) if common.any() else -1
        name = "" if best < 0 else label_of(by_id[view.case.cluster_ids[best]])
        found.append(
            TopicView(
                node.name, node.depth, node.n_pages, float(coverage[topic]), name, int(common[best]) if best >= 0 else 0
            )
        )
    return tuple(found)


def label_of(cluster: Cluster) -> str:
    """What a cluster is called on pages."""
    return cluster.label or cluster.id


def _topic_paths(document: GoldDocument) -> Sequence[str]:
    topics = {topic.id: topic for topic in document.topics}
    paths = []
    for topic in document.topics:
        names, above = [topic.name or topic.id], topic.parent
        while above is not None:
            names.append(topics[above].name or above)
            above = topics[above].parent
        paths.append(" › ".join(reversed(names)))
    return paths

"""Why a clustering of one query scores as it does: every cluster, topic and page behind the QC4 numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from annotations.gold.selectors import Node, Tree, gold_tree, read, tree_of
from evaluation import cases
from evaluation.limits import LISTED_FOREIGN, LISTED_SHARES
from evaluation.selectors.explanation import (
    ClusterLink,
    ClusterView,
    Explanation,
    PageLink,
    PlacedPage,
    RemovedView,
    Share,
    TopicView,
)
from evaluation.selectors.why_asked import READ, Explained
from evaluation.selectors.why_words import OUTLIERS, sentence
from qc4.arrays import IntArray
from qc4.measures.qc4 import (
    ClusterExplanation,
    ClusterQuality,
    cluster_matches,
    common_pages,
    explain_cluster,
    page_coverage,
    qc4,
)
from qc4.model.case import Case
from qc4.model.clustering import Clustering
from qc4.model.gold_document import GoldDocument
from qc4.model.policies import Policies
from work.answers import Answer

FloatArray = npt.NDArray[np.float64]


def explain(
    case: Case,
    clustering: Clustering,
    document: GoldDocument,
    policies: Policies | None = None,
    tree: Tree | None = None,
) -> Explanation:
    """Explain QC4 of a case built from this clustering and this gold document, under policies or their defaults.

    Args:
        tree: the document's, where somebody has it.
    """
    return _Explainer(case, clustering, document, policies or Policies(), tree or tree_of(document)).explanation()


class _Explainer:
    """The case's arrays with the names people know at hand."""

    def __init__(
        self, case: Case, clustering: Clustering, document: GoldDocument, policies: Policies, tree: Tree
    ) -> None:
        self.case, self.document = case, document
        self.result = qc4(case, policies.recall)
        self.matches = cluster_matches(case, self.result)
        self.tree = tree
        self.clusters = {cluster.id: cluster for cluster in clustering.clusters}
        self.rows = {cluster_id: row for row, cluster_id in enumerate(case.cluster_ids)}
        self.topics = {topic_id: topic for topic, topic_id in enumerate(case.gold.topic_ids)}
        self.paths = {node.id: node.path for node in self.tree.nodes}
        # (clusters, topics + 1) pages in common, topic by topic.
        self.common = sp.csc_array(common_pages(case, case.clusters))
        self.common.sort_indices()
        self.clusters_of = sp.csr_array(case.clusters.T.tocsr())

    def explanation(self) -> Explanation:
        result, topics = self.result, self._topics()
        unclustered = np.setdiff1d(np.arange(self.case.n_pages), np.unique(self.case.clusters.indices))
        return Explanation(
            quality=result.quality,
            coverage=result.coverage,
            qc4_f=result.qc4_f,
            aq=result.aq,
            wq=result.wq,
            ac=result.ac,
            wc=result.wc,
            depth=max((topic.depth for topic in topics), default=0),
            n_clusters=len(result.clusters),
            n_removed=len(result.removed),
            n_topics=len(topics),
            n_unclustered=unclustered.size,
            clusters=tuple(self._cluster(number) for number in range(len(result.clusters))),
            removed=tuple(self._removed(cluster_id) for cluster_id in result.removed),
            topics=topics,
            unclustered=tuple(map(self._placed, unclustered.tolist())),
        )

    def _cluster(self, number: int) -> ClusterView:
        part = self.result.clusters[number]
        found = explain_cluster(self.case, self.result, number)
        best = self.topics[part.best_topic]
        view = ClusterView(
            cluster=ClusterLink.of(self.clusters[part.id]),
            quality=part,
            match=self.matches[number],
            steps=_steps(part),
            best=self.paths[part.best_topic],
            runner_up=(self.paths[found.runner_up.topic], found.runner_up.f) if found.runner_up else None,
            mix=tuple(Share(self._path(one.topic), one.pages, one.precision) for one in found.mix[:LISTED_SHARES]),
            n_mix=len(found.mix),
            foreign=self._foreign(found),
            n_foreign=len(found.foreign_pages),
        )
        return replace(view, sentence=sentence(view, *self._elsewhere(best, self.rows[part.id])))

    def _foreign(self, found: ClusterExplanation) -> tuple[PlacedPage, ...]:
        pages = self.case.gold.page_index
        return tuple(
            PlacedPage(
                PageLink.of(self.document.pages[pages[one.page]]), tuple(map(self._path, one.topics)), one.outlier
            )
            for one in found.foreign_pages[:LISTED_FOREIGN]
        )

    def _elsewhere(self, topic: int, row: int) -> tuple[str, int]:
        """The other cluster that holds most of the topic's pages that are missing here, and how many it holds."""
        missing = np.setdiff1d(self.case.gold.hierarchy.pages[[topic]].indices, self._members(row))
        if not missing.size:
            return "", 0
        others, counts = np.unique(self.clusters_of[missing].indices, return_counts=True)
        most = int(counts.argmax()) if counts.size else None
        return ("", 0) if most is None else (self._label(int(others[most])), int(counts[most]))

    def _removed(self, cluster_id: str) -> RemovedView:
        outliers = self.case.gold.is_outlier[self._members(self.rows[cluster_id])]
        return RemovedView(ClusterLink.of(self.clusters[cluster_id]), int(outliers.sum()))

    def _topics(self) -> tuple[TopicView, ...]:
        coverage = page_coverage(self.case, self.result).topics
        removed = np.zeros(self.case.n_clusters, dtype=bool)
        removed[[self.rows[cluster_id] for cluster_id in self.result.removed]] = True
        return tuple(self._topic(node, removed, coverage) for node in self.tree.nodes)

    def _topic(self, node: Node, removed: npt.NDArray[np.bool_], coverage: FloatArray) -> TopicView:
        topic = self.topics[node.id]
        own = slice(*self.common.indptr[topic : topic + 2])
        counted = np.where(removed[self.common.indices[own]], 0, self.common.data[own])
        best = int(counted.argmax()) if counted.any() else None
        label, in_best = "", 0
        if best is not None:
            label, in_best = self._label(int(self.common.indices[own][best])), int(counted[best])
        covered = float(coverage[topic])
        return TopicView(node.id, node.name, node.depth, node.n_pages, covered, label, in_best)

    def _placed(self, page: int) -> PlacedPage:
        link = PageLink.of(self.document.pages[page])
        return PlacedPage(link, self.tree.paths(page), page in self.tree.outliers)

    def _members(self, row: int) -> IntArray:
        start, end = self.case.clusters.indptr[row : row + 2]
        return self.case.clusters.indices[start:end].astype(np.int64)

    def _label(self, row: int) -> str:
        cluster = self.clusters[self.case.cluster_ids[row]]
        return cluster.label or cluster.id

    def _path(self, topic_id: str | None) -> str:
        return OUTLIERS if topic_id is None else self.paths[topic_id]


def _steps(part: ClusterQuality) -> tuple[tuple[str, float, float], ...]:
    pure = 1 - part.entropy
    scaled = pure * min(1.0, part.s_recall)
    return ("entropy", 1.0, pure), ("recall", pure, scaled), ("random", scaled, min(scaled, part.quality))


def _work_out(asked: Explained) -> Explanation:
    row, gold = asked.read()
    return explain(cases.case(row, gold), cases.clustering(row), read(gold), asked.policies, gold_tree(gold))


EXPLANATION = Answer(
    "explanation",
    Explained,
    Explanation,
    _work_out,
    cost=lambda asked: asked.rows + 25 * asked.n_clusters,  # half a millisecond for each, however small
    cheap=READ,
    parts={"clusters": 50, "removed": 50, "topics": 100, "unclustered": 100},
)

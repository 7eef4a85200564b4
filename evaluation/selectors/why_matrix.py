"""Gold tree and clusters side by side: how many pages each topic and each cluster have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotations.selectors.gold_tree import Node, tree_of
from evaluation.selectors.why_words import OUTLIERS
from qc4.clustering.case import Case
from qc4.clustering.clustering import Clustering
from qc4.gold.document import GoldDocument, Page
from qc4.measures.qc4 import common_pages, qc4
from qc4.records import Record

SHADES = {
    "f": "F",
    "recall": "recall (share of the topic)",
    "precision": "precision (share of the cluster)",
    "pages": "pages in common",
}
"""What the cells of the matrix can show; the first at first."""


@dataclass(frozen=True, slots=True)
class MatrixTopic(Record):
    """A row. ``id`` is None for the outliers, which come last; ``depth`` is 0 for roots."""

    KEYS = "id name path depth pages"

    id: str | None
    name: str
    path: str
    depth: int
    pages: int


@dataclass(frozen=True, slots=True)
class MatrixCluster(Record):
    """A column. ``best_topic`` is None where QC4 leaves the cluster out."""

    KEYS = "id label pages best_topic"

    id: str
    label: str
    pages: int
    best_topic: str | None

    @property
    def name(self) -> str:
        return self.label or self.id


@dataclass(frozen=True, slots=True)
class MatrixCell(Record):
    """A topic and a cluster with pages in common, by their places in ``topics`` and ``clusters``."""

    KEYS = "topic cluster pages recall precision f"

    topic: int
    cluster: int
    pages: int
    recall: float
    precision: float

    @property
    def f(self) -> float:
        return 2 * self.recall * self.precision / (self.recall + self.precision)


@dataclass(frozen=True, slots=True)
class Matrix(Record):
    """Topics in the order of the tree, clusters by the place of their best topic, and every cell that is not empty."""

    topics: tuple[MatrixTopic, ...]
    clusters: tuple[MatrixCluster, ...]
    cells: tuple[MatrixCell, ...]


def matrix(case: Case, clustering: Clustering, document: GoldDocument, depth: int | None = None) -> Matrix:
    """Topics down, clusters across.

    Args:
        depth: leave out topics that lie deeper; None for all.
    """
    nodes = tree_of(document).nodes
    numbers = {topic_id: number for number, topic_id in enumerate(case.gold.topic_ids)}
    rows = [(_topic(node), numbers[node.id]) for node in nodes if _is_shown(node, depth)]
    n_outliers = len(case.gold.hierarchy.outliers)
    if n_outliers:
        rows.append((MatrixTopic(None, OUTLIERS, OUTLIERS, 0, n_outliers), case.gold.hierarchy.n_topics))
    columns = _ordered(case, {node.id: place for place, node in enumerate(nodes)})
    best = {part.id: part.best_topic for part in qc4(case).clusters}
    labels = {cluster.id: cluster.label for cluster in clustering.clusters}
    topics = tuple(topic for topic, _ in rows)
    clusters = tuple(
        MatrixCluster(id, labels[id], int(case.sizes[row]), best.get(id))
        for row, id in ((row, case.cluster_ids[row]) for row in columns)
    )
    common = common_pages(case, case.clusters)[columns][:, [place for _, place in rows]].T.tocsr()
    common.sort_indices()
    across = np.repeat(np.arange(common.shape[0]), np.diff(common.indptr))
    cells = tuple(
        MatrixCell(t, c, pages, pages / topics[t].pages, pages / clusters[c].pages)
        for t, c, pages in zip(across.tolist(), common.indices.tolist(), common.data.tolist(), strict=True)
    )
    return Matrix(topics, clusters, cells)


def in_common(case: Case, document: GoldDocument, topic: str | None, cluster: str) -> tuple[Page, ...]:
    """The pages that a topic (None: the outliers) and a cluster share, in the order of the page list.

    Raises:
        KeyError: there is no such topic or cluster.
    """
    if cluster not in case.cluster_ids:
        raise KeyError(cluster)
    row = case.cluster_ids.index(cluster)
    members = np.sort(case.clusters[[row]].indices)
    if topic is None:
        held = members[case.gold.is_outlier[members]]
    elif topic in case.gold.topic_ids:
        held = np.intersect1d(members, case.gold.hierarchy.pages[[case.gold.topic_ids.index(topic)]].indices)
    else:
        raise KeyError(topic)
    return tuple(document.pages[page] for page in held.tolist())


def _topic(node: Node) -> MatrixTopic:
    return MatrixTopic(node.id, node.name, node.path, node.depth, node.n_pages)


def _is_shown(node: Node, depth: int | None) -> bool:
    return depth is None or node.depth < depth


def _ordered(case: Case, places: dict[str, int]) -> list[int]:
    """Rows of the clusters by the place of their best topic in the tree, then by F; those without one come last."""
    parts = {part.id: (places[part.best_topic], -part.f) for part in qc4(case).clusters}
    return sorted(range(case.n_clusters), key=lambda row: parts.get(case.cluster_ids[row], (len(places), 0.0)))

"""Matrix of topics and clusters: the number of pages that each topic and each cluster have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from annotations.gold.selectors import Node, Tree, gold_tree, load_gold_document
from evaluation.explanations.clusters import OUTLIERS, PageLink
from evaluation.explanations.pair import CHEAP_ROWS, ExplanationInputs, OfExplanation
from evaluation.limits import DRAWN_CELLS, DRAWN_LINES, LISTED_CELLS, MATRIX_CELLS
from evaluation.scoring import cases
from qc4.arrays import IntArray
from qc4.measures.qc4 import common_pages, qc4
from qc4.model.case import Case
from qc4.model.clustering import Clustering
from qc4.problems import InputError, Problem
from qc4.records import Record, to_plain
from work.answers import Answer

SHADES = {
    "f": "F",
    "recall": "recall (share of the topic)",
    "precision": "precision (share of the cluster)",
    "pages": "common pages",
}
"""The values that the cells of the matrix can show; the first is the default."""


@dataclass(frozen=True, slots=True)
class MatrixTopic(Record):
    """A row of the matrix. ``id`` is None for the outliers, which come last; ``depth`` is 0 for roots."""

    KEYS = "id name path depth pages"

    id: str | None
    name: str
    path: str
    depth: int
    pages: int


@dataclass(frozen=True, slots=True)
class MatrixCluster(Record):
    """A column of the matrix; ``best_topic`` is None if QC4 removes the cluster."""

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
    """A topic and a cluster with common pages, by their indices in ``topics`` and ``clusters``."""

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
    """Topics in the order of the tree, clusters in the order of their best topics, and every cell that is not empty."""

    topics: tuple[MatrixTopic, ...]
    clusters: tuple[MatrixCluster, ...]
    cells: tuple[MatrixCell, ...]


def matrix(case: Case, clustering: Clustering, tree: Tree, depth: int | None = None) -> Matrix:
    """Return the matrix with a row per topic and a column per cluster.

    Args:
        depth: number of levels to show; None for all.
    """
    nodes = tree.nodes
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


def _topic(node: Node) -> MatrixTopic:
    return MatrixTopic(node.id, node.name, node.path, node.depth, node.n_pages)


def _is_shown(node: Node, depth: int | None) -> bool:
    return depth is None or node.depth < depth


def _ordered(case: Case, places: dict[str, int]) -> list[int]:
    """Return the clusters' rows in the order of their best topics in the tree, then by F; removed clusters are last."""
    parts = {part.id: (places[part.best_topic], -part.f) for part in qc4(case).clusters}
    return sorted(range(case.n_clusters), key=lambda row: parts.get(case.cluster_ids[row], (len(places), 0.0)))


@dataclass(frozen=True, slots=True)
class MatrixInputs(OfExplanation):
    """Request for a matrix.

    Attributes:
        depth: number of levels to show; None for all.
    """

    of: ExplanationInputs
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class MatrixResult:
    """A stored matrix, as JSON.

    Attributes:
        fullest: the cells with the largest F, in the order of the rows, each with its topic and its cluster.
        cells: all cells; empty if there are more than `MATRIX_CELLS`.
    """

    n_topics: int
    n_clusters: int
    n_cells: int
    fullest: tuple[tuple[MatrixTopic, MatrixCluster, MatrixCell], ...]
    topics: tuple[dict[str, Any], ...]
    clusters: tuple[dict[str, Any], ...]
    cells: tuple[dict[str, Any], ...]


def _compute(asked: MatrixInputs) -> MatrixResult:
    row, gold = asked.of.read()
    found = matrix(cases.case(row, gold), cases.clustering(row), gold_tree(gold), asked.depth)
    fullest = sorted(
        sorted(found.cells, key=lambda cell: -cell.f)[:LISTED_CELLS], key=lambda cell: (cell.topic, cell.cluster)
    )
    return MatrixResult(
        len(found.topics),
        len(found.clusters),
        len(found.cells),
        tuple((found.topics[cell.topic], found.clusters[cell.cluster], cell) for cell in fullest),
        tuple(map(to_plain, found.topics)),
        tuple(map(to_plain, found.clusters)),
        tuple(map(to_plain, found.cells)) if len(found.cells) <= MATRIX_CELLS else (),
    )


MATRIX = Answer(
    "matrix",
    MatrixInputs,
    MatrixResult,
    _compute,
    cost=lambda asked: asked.of.rows,
    cheap=CHEAP_ROWS,
    parts={"topics": 1_000, "clusters": 1_000, "cells": 5_000},
)


def is_drawn(found: MatrixResult) -> bool:
    """True if the matrix is small enough to draw on a page."""
    return found.n_cells <= DRAWN_CELLS and found.n_topics + found.n_clusters <= DRAWN_LINES


def load_matrix(asked: MatrixInputs, found: MatrixResult) -> Matrix:
    """Return the whole of a stored matrix that is small enough to draw."""
    topics = MATRIX.records(asked, found, "topics", 0, found.n_topics)
    clusters = MATRIX.records(asked, found, "clusters", 0, found.n_clusters)
    cells = MATRIX.records(asked, found, "cells", 0, found.n_cells)
    return Matrix(
        tuple(MatrixTopic(**topic) for topic in topics),
        tuple(MatrixCluster(**cluster) for cluster in clusters),
        tuple(MatrixCell(**{name: cell[name] for name in cell if name != "f"}) for cell in cells),
    )


def check_size(found: MatrixResult) -> None:
    """Raise InputError if the matrix has too many cells to send."""
    if found.n_cells > MATRIX_CELLS:
        cells = f"{found.n_cells:,} pairs of a topic and a cluster with common pages"
        fix = "Download the clustering and the gold standard from the API, and count common pages in these files."
        raise InputError([Problem("too-large", "matrix", cells, f"{MATRIX_CELLS:,} at most", fix)])


@dataclass(frozen=True, slots=True)
class PagesInputs(OfExplanation):
    """Request for the pages that a cluster has in common with a topic, or for its foreign pages.

    Attributes:
        topic: id of the topic; None for the outliers.
        foreign: whether to list the pages outside the cluster's best topic instead.
    """

    of: ExplanationInputs
    cluster: str
    topic: str | None = None
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class PagesResult:
    """Pages in the order of the page list."""

    n_pages: int
    pages: tuple[PageLink, ...]


def _compute_pages(asked: PagesInputs) -> PagesResult:
    row, gold = asked.of.read()
    case, document = cases.case(row, gold), load_gold_document(gold)
    pages = tuple(PageLink.of(document.pages[page]) for page in _members(case, asked).tolist())
    return PagesResult(len(pages), pages)


PAGES_OF_CLUSTER = Answer(
    "pages-of-cluster",
    PagesInputs,
    PagesResult,
    _compute_pages,
    cost=lambda asked: asked.of.rows,
    cheap=CHEAP_ROWS,
    parts={"pages": 100},
)


def _members(case: Case, asked: PagesInputs) -> IntArray:
    members = np.sort(case.clusters[[case.cluster_ids.index(asked.cluster)]].indices).astype(np.int64)
    topic = asked.topic
    if asked.foreign:
        topic = next((part.best_topic for part in qc4(case).clusters if part.id == asked.cluster), None)
        if topic is None:
            return members
    elif topic is None:
        return members[case.gold.is_outlier[members]]
    held = case.gold.hierarchy.pages[[case.gold.topic_ids.index(topic)]].indices
    return np.setdiff1d(members, held) if asked.foreign else np.intersect1d(members, held)

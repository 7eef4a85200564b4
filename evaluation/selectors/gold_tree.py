"""A gold standard as a tree to look at: topics in reading order with their pages, per level."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from qc4.gold.document import GoldDocument
from qc4.gold.structure import Structure


@dataclass(frozen=True, slots=True)
class Node:
    """A topic: ``path`` from its root; ``depth`` 0 for roots; ``n_pages`` with its subtopics, a ``share`` of all."""

    id: str
    name: str
    path: str
    depth: int
    first: int
    last: int
    n_pages: int
    share: float


@dataclass(frozen=True, slots=True)
class Tree:
    """Topics in depth-first order, the outliers, and for each page the paths of its finest topics."""

    nodes: tuple[Node, ...]
    n_levels: int
    topics_per_level: tuple[int, ...]
    n_outliers: int
    outlier_share: float
    paths: dict[str, tuple[str, ...]]
    outliers: frozenset[str]


def tree_of(document: GoldDocument) -> Tree:
    """The tree of a gold document whose parents form a forest (published ones do)."""
    hierarchy = Structure(document).hierarchy
    n_pages = max(hierarchy.n_pages, 1)
    children: dict[int, list[int]] = defaultdict(list)
    for topic, parent in enumerate(hierarchy.parent.tolist()):
        children[parent].append(topic)
    nodes, paths, stack = [], {}, [(topic, 0, "") for topic in reversed(children[-1])]
    while stack:
        topic, depth, above = stack.pop()
        name = document.topics[topic].name or document.topics[topic].id
        paths[topic] = f"{above} › {name}" if above else name
        size = int(hierarchy.sizes[topic])
        span = int(hierarchy.first[topic]), int(hierarchy.last[topic])
        nodes.append(Node(document.topics[topic].id, name, paths[topic], depth, *span, size, size / n_pages))
        stack += [(child, depth + 1, paths[topic]) for child in reversed(children[topic])]
    return Tree(
        nodes=tuple(nodes),
        n_levels=hierarchy.n_levels,
        topics_per_level=tuple(len(hierarchy.topics_on(level)) for level in hierarchy.levels),
        n_outliers=len(hierarchy.outliers),
        outlier_share=len(hierarchy.outliers) / n_pages,
        paths=_page_paths(document, paths),
        outliers=frozenset(document.outliers),
    )


def _page_paths(document: GoldDocument, paths: dict[int, str]) -> dict[str, tuple[str, ...]]:
    """Page id -> paths of the topics it was put into itself, those that hold another of them left out."""
    found: dict[str, list[str]] = defaultdict(list)
    for number, topic in enumerate(document.topics):
        for page in topic.pages:
            found[page].append(paths[number])
    return {page: tuple(_finest(own)) for page, own in found.items()}


def _finest(paths: list[str]) -> list[str]:
    return [path for path in paths if not any(other.startswith(f"{path} › ") for other in paths)]

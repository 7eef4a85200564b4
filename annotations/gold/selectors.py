"""Published gold standards: the latest version, its content, and its topics as a tree."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery

from accounts.person import Person
from annotations.challenges.access import visible_entries
from annotations.models import Collection, Gold, GoldOutline, GoldVersion
from common.limits import LIMITS
from qc4.io import read_gold_document
from qc4.model.gold_document import GoldDocument
from qc4.model.structure import Structure
from qc4.problems import Problem, ProblemList


def latest_versions(collections: Iterable[Collection]) -> dict[int, GoldVersion]:
    """Return a dict of collection id -> latest gold version, without collections that have no gold version."""
    latest = GoldVersion.objects.filter(collection=OuterRef("collection")).order_by("-number").values("pk")[:1]
    rows = GoldVersion.objects.filter(collection__in=collections, pk=Subquery(latest))
    return {row.collection_id: row for row in rows}


def latest_version(collection: Collection) -> GoldVersion | None:
    return collection.gold_versions.order_by("-number").first()


def golds_of(version: GoldVersion | None, person: Person | None = None) -> dict[int, Gold]:
    """Return a dict of query id -> gold standard in a version; empty if the version is None.

    Args:
        person: gold standards that are hidden from this person are excluded; None excludes none.
    """
    if version is None:
        return {}
    entries = visible_entries(person, version).select_related("gold__query")
    return {entry.query_id: entry.gold for entry in entries}


def latest_golds(collection: Collection, person: Person | None = None) -> dict[int, Gold]:
    """Return a dict of query id -> gold standard in the latest published version, like `golds_of`."""
    return golds_of(latest_version(collection), person)


def version_sha256(golds: Iterable[int]) -> str:
    """Return the SHA-256 of a version with these gold standards (ids).

    It covers the lines ``<query key>\\t<gold sha256>\\n`` in query order.
    """
    rows = Gold.objects.filter(pk__in=golds).order_by("query__position", "query_id")
    digest = hashlib.sha256()
    for key, sha256 in rows.values_list("query__key", "sha256"):
        digest.update(f"{key}\t{sha256}\n".encode())
    return digest.hexdigest()


def load_gold_document(gold: Gold) -> GoldDocument:
    """Return the document of a stored gold standard."""
    return read_gold_document(document_bytes(gold), name=f"gold {gold.sha256[:8]}")


def document_bytes(gold: Gold) -> bytes:
    """Return the canonical ``qc4-gold/1`` file, byte for byte as it was published."""
    return gold.file.content


# --- Size -------------------------------------------------------------------------------------------------------------


def size_problems(document: GoldDocument) -> list[Problem]:
    """Return a problem for each file limit that a document exceeds. Drafts can grow beyond the limits of files."""
    problems = ProblemList()
    LIMITS.exceeded("topics", len(document.topics), "topics", problems)
    memberships = len(document.outliers) + sum(len(topic.pages) for topic in document.topics)
    LIMITS.exceeded("memberships", memberships, "topics", problems)
    return list(problems)


# --- Tree -------------------------------------------------------------------------------------------------------------
# The tree is derived from the document and computed once, on publication, because reading the largest documents takes
# seconds.


@dataclass(frozen=True, slots=True)
class Node:
    """A topic of a tree.

    Attributes:
        path: the names from the root topic to this one.
        depth: the number of topics above it, 0 for roots.
        n_pages: the number of pages, including those of subtopics.
        share: ``n_pages`` as a share of all pages.
    """

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
    """Topics in depth-first order. Pages are identified by their positions in the page list.

    Attributes:
        topics_of: for each page, the finest topics it was put into, as indices into ``nodes`` in ascending order.
        outliers: positions of the pages that are outliers.
    """

    nodes: tuple[Node, ...]
    n_levels: int
    topics_per_level: tuple[int, ...]
    topics_of: Sequence[Sequence[int]]
    outliers: frozenset[int]

    @property
    def n_outliers(self) -> int:
        return len(self.outliers)

    @property
    def outlier_share(self) -> float:
        return self.n_outliers / max(len(self.topics_of), 1)

    def paths(self, page: int) -> tuple[str, ...]:
        """Return the paths of a page's finest topics; empty if the gold standard does not have the page."""
        return tuple(self.nodes[topic].path for known in self.topics_of[page : page + 1] for topic in known)


def gold_tree(gold: Gold) -> Tree:
    """Return the tree of a published gold standard, stored or computed from the document."""
    stored = GoldOutline.objects.filter(gold=gold).first()
    return tree_of(load_gold_document(gold)) if stored is None else unpack_tree(stored.content)


def tree_of(document: GoldDocument) -> Tree:
    """Return the tree of a gold document whose topics form a forest, as in every published document."""
    hierarchy = Structure(document).hierarchy
    children: dict[int, list[int]] = defaultdict(list)
    for topic, parent in enumerate(hierarchy.parent.tolist()):
        children[parent].append(topic)
    rows: list[tuple[str, str, int, int, int, int]] = []
    place: dict[int, int] = {}
    stack = [(topic, 0) for topic in reversed(children[-1])]
    while stack:
        topic, depth = stack.pop()
        place[topic] = len(rows)
        name = document.topics[topic].name or document.topics[topic].id
        span = int(hierarchy.first[topic]), int(hierarchy.last[topic])
        rows.append((document.topics[topic].id, name, depth, *span, int(hierarchy.sizes[topic])))
        stack += [(child, depth + 1) for child in reversed(children[topic])]
    position = {page.id: number for number, page in enumerate(document.pages)}
    return Tree(
        nodes=_nodes_with_paths(rows, hierarchy.n_pages),
        n_levels=hierarchy.n_levels,
        topics_per_level=tuple(len(hierarchy.topics_on(level)) for level in hierarchy.levels),
        topics_of=_finest_topics(document, position, place, [row[2] for row in rows]),
        outliers=frozenset(position[page] for page in document.outliers),
    )


def pack_tree(tree: Tree) -> bytes:
    """Return the stored form of a tree: JSON without values that can be derived from others."""
    rows = [(node.id, node.name, node.depth, node.first, node.last, node.n_pages) for node in tree.nodes]
    stored = {
        "nodes": rows,
        "levels": tree.topics_per_level,
        "pages": tree.topics_of,
        "outliers": sorted(tree.outliers),
    }
    return json.dumps(stored, ensure_ascii=False, separators=(",", ":")).encode()


def unpack_tree(content: bytes) -> Tree:
    """Return the tree from the output of `pack_tree`."""
    stored: dict[str, Any] = json.loads(content)
    nodes, levels = _nodes_with_paths(stored["nodes"], len(stored["pages"])), tuple(stored["levels"])
    return Tree(nodes, len(levels), levels, stored["pages"], frozenset(stored["outliers"]))


def _nodes_with_paths(rows: Sequence[Sequence[Any]], n_pages: int) -> tuple[Node, ...]:
    """Make nodes with paths from rows of (id, name, depth, first, last, pages) in depth-first order."""
    above: list[str] = []
    nodes = []
    for id, name, depth, first, last, size in rows:
        del above[depth:]
        path = f"{above[-1]} › {name}" if above else name
        above.append(path)
        nodes.append(Node(id, name, path, depth, first, last, size, size / max(n_pages, 1)))
    return tuple(nodes)


def _finest_topics(
    document: GoldDocument, position: dict[str, int], place: dict[int, int], depths: Sequence[int]
) -> list[list[int]]:
    """Return, for each page, the topics it was put into directly, without those above another of them."""
    end = _subtree_ends(depths)
    found: list[list[int]] = [[] for _ in document.pages]
    for topic in sorted(place, key=place.__getitem__):
        for page in document.topics[topic].pages:
            own = found[position[page]]
            while own and place[topic] < end[own[-1]]:
                own.pop()
            own.append(place[topic])
    return found


def _subtree_ends(depths: Sequence[int]) -> list[int]:
    """Return, for each topic, the index after its last subtopic in depth-first order."""
    ends = [len(depths)] * len(depths)
    open_: list[int] = []
    for at, depth in enumerate(depths):
        while open_ and depths[open_[-1]] >= depth:
            ends[open_.pop()] = at
        open_.append(at)
    return ends

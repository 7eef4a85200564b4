"""Trees from which clusterings are built: linkage matrices of SciPy, and nested containers of Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.model.bounds import LINKAGE
from qc4.model.ids import page_ids, readable_name
from qc4.problems import InputError, Problem, ProblemList, check_no_repeats
from qc4.wording import type_with_article

_EXPECTED = "a linkage matrix as returned by scipy.cluster.hierarchy.linkage: pages - 1 rows of 4 numbers"


@dataclass(frozen=True, slots=True, eq=False)
class Dendrogram:
    """A sequence of merges of pages and earlier merges.

    Attributes:
        below: (merges, 2) the two merged nodes; nodes below ``n_pages`` are pages, the others earlier merges in order.
        height: (merges,) the largest distance among the merge and its descendants.
    """

    below: IntArray
    height: FloatArray

    @classmethod
    def of(cls, linkage: Any) -> Dendrogram:
        """Return the dendrogram of a SciPy linkage matrix, whose rows are (node, node, distance, pages).

        Raises:
            InputError: an array of another shape, or rows that are not valid merges.
        """
        table = _matrix(linkage)
        n_pages = table.shape[0] + 1
        below = np.clip(table[:, :2], -1, 2 * n_pages).astype(np.int64)  # numbers beyond int64 are rejected below
        later = n_pages + np.arange(below.shape[0])
        wrong = (below != table[:, :2]).any(axis=1) | (below < 0).any(axis=1) | (below >= later[:, None]).any(axis=1)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            expected = f"two nodes from 0 to {later[row] - 1}: pages, then the merges of earlier rows"
            raise InputError([Problem("bad-linkage", f"linkage[{row}]", f"{table[row, :2].tolist()}", expected)])
        again = np.flatnonzero(np.bincount(below.ravel(), minlength=2 * n_pages - 2) > 1)
        if again.size:
            found = f"the node {again[0]} merged twice"
            raise InputError([Problem("bad-linkage", "linkage", found, "each node merged once")])
        height = table[:, 2].copy()
        for merge, pair in enumerate(below.tolist()):
            height[merge] = max([height[merge], *(height[node - n_pages] for node in pair if node >= n_pages)])
        return cls(below, height)

    @property
    def n_pages(self) -> int:
        return int(self.below.shape[0]) + 1

    def at(self, height: float) -> IntArray:
        """Return the nodes that remain after all merges up to a height, ordered by their first page."""
        return self._left(self.height <= height)

    def with_clusters(self, number: int) -> IntArray:
        """Return the nodes that remain when there are ``number`` of them, ordered by their first page."""
        return self._left(np.arange(self.n_pages - 1) < self.n_pages - number)

    def members(self, nodes: Iterable[int]) -> dict[int, IntArray]:
        """Return the sorted pages of each node; a merge has the pages of everything it merged.

        Raises:
            InputError: the nodes have too many pages in total.
        """
        wanted = list(nodes)
        order, begin, end = self._places()
        LINKAGE.check(sum(int(end[node] - begin[node]) for node in wanted), "linkage")
        return {node: np.sort(order[begin[node] : end[node]]) for node in wanted}

    def above(self, nodes: Iterable[int]) -> dict[int, int]:
        """Return the nearest ancestor of each node among these nodes, if there is one."""
        chosen = set(nodes)
        merged_by = np.full(2 * self.n_pages - 1, -1, dtype=np.int64)
        merged_by[self.below.ravel()] = np.repeat(np.arange(self.n_pages, 2 * self.n_pages - 1), 2)
        next_above: list[int] = [-1] * merged_by.size
        for node in range(merged_by.size - 2, -1, -1):
            parent = int(merged_by[node])
            next_above[node] = parent if parent in chosen else next_above[parent]
        return {node: next_above[node] for node in chosen if next_above[node] >= 0}

    def _left(self, done: np.ndarray[Any, np.dtype[np.bool_]]) -> IntArray:
        """Return the nodes that these merges create and do not merge further."""
        exists = np.concatenate([np.ones(self.n_pages, dtype=bool), done])
        exists[self.below[done].ravel()] = False
        nodes = np.flatnonzero(exists).astype(np.int64)
        return nodes[np.argsort(self._first_page()[nodes])]

    def _first_page(self) -> IntArray:
        """Return (nodes,) the smallest page of each node."""
        first = np.arange(2 * self.n_pages - 1)
        for merge, (left, right) in enumerate(self.below.tolist(), start=self.n_pages):
            first[merge] = min(first[left], first[right])
        return first

    def _places(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return an order of the pages in which each node is contiguous, and where each node begins and ends."""
        n = self.n_pages
        size = np.ones(2 * n - 1, dtype=np.int64)
        for merge, (left, right) in enumerate(self.below.tolist()):
            size[n + merge] = size[left] + size[right]
        begin = np.zeros(2 * n - 1, dtype=np.int64)
        for merge in range(n - 2, -1, -1):
            left, right = self.below[merge]
            begin[left] = begin[n + merge]
            begin[right] = begin[n + merge] + size[left]
        order = np.empty(n, dtype=np.int64)
        order[begin[:n]] = np.arange(n)
        return order, begin, begin + size


def _matrix(linkage: Any) -> FloatArray:
    """Return the (merges, 4) numbers of a linkage matrix."""
    try:
        table = np.asarray(linkage, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError([Problem("bad-linkage", "linkage", type_with_article(linkage), _EXPECTED)]) from None
    if table.ndim != 2 or table.shape[1] != 4 or not table.shape[0]:
        shape = " x ".join(map(str, table.shape)) or "a single value"
        raise InputError([Problem("bad-linkage", "linkage", f"an array of {shape}", _EXPECTED)])
    if not np.isfinite(table).all():
        row = int(np.flatnonzero(~np.isfinite(table).all(axis=1))[0])
        raise InputError([Problem("bad-linkage", f"linkage[{row}]", f"{table[row].tolist()}", "finite numbers")])
    return table


# --- Nested containers as a tree of named groups of pages ---

MOST_LEVELS = 500


@dataclass(slots=True)
class Node:
    """A group of pages in a tree.

    Attributes:
        path: the names of its ancestors and itself, joined by "/".
        name: the last of these names; "" if it has none, or if it is a number.
        parent: the index of its parent, -1 for none.
        pages: its own pages and those of all groups inside it, each once.
    """

    path: str
    name: str
    parent: int
    pages: dict[str, None] = field(default_factory=dict)


def tree_nodes(tree: Any) -> list[Node]:
    """Return the groups of a tree, parents before children.

    Args:
        tree: a mapping name -> content of the group, or a list of groups. A group contains pages (texts or integers)
            and groups, given as lists or as mappings of named groups.

    Raises:
        InputError: an item that is neither a page nor a group; a page twice in one list; a page in no group; too many
            levels.
    """
    if isinstance(tree, str | bytes) or not isinstance(tree, Mapping | Sequence):
        fix = "For a SciPy linkage matrix use from_linkage."
        expected = "nested lists of pages, or a mapping name -> pages or nested names"
        raise InputError([Problem("no-tree", "tree", type_with_article(tree), expected, fix)])
    nodes: list[Node] = []
    problems = ProblemList()
    # Stack of groups still to visit: content, position, path of names, parent group, depth.
    waiting: list[tuple[Any, str, str, int, int]] = [(tree, "tree", "", -1, 0)]
    while waiting:
        content, where, path, parent, depth = waiting.pop()
        if depth > MOST_LEVELS:
            found = f"more than {MOST_LEVELS} levels"
            raise InputError([Problem("limit-levels", "tree", found, f"at most {MOST_LEVELS}")])
        groups = _groups(content, where, path, nodes, parent, problems)
        waiting += [(inner, place, nodes[node].path, node, depth + 1) for inner, place, node in reversed(groups)]
    problems.refuse_errors()
    _close_upwards(nodes)
    return nodes


def _close_upwards(nodes: list[Node]) -> None:
    """Add the pages of child groups to each group, after its own and in order."""
    inside: list[list[Node]] = [[] for _ in nodes]
    for place in range(len(nodes) - 1, -1, -1):
        node = nodes[place]
        for inner in reversed(inside[place]):
            node.pages.update(inner.pages)
        if node.parent >= 0:
            inside[node.parent].append(node)


def _groups(
    content: Any, where: str, path: str, nodes: list[Node], parent: int, problems: ProblemList
) -> list[tuple[Any, str, int]]:
    """Return the groups inside a group, with their positions and new nodes; pages are added to the group's own node."""
    if not isinstance(content, Mapping) and not is_group(content):
        problems.error("no-group", where, type_with_article(content), "a list of pages or groups")
        return []
    inside: list[tuple[str, str, Any]] = []  # last part of the path, name, content
    if isinstance(content, Mapping):
        inside = [(str(name), readable_name(name), inner) for name, inner in content.items()]
    else:
        items = list(content)
        _add_pages([item for item in items if not is_group(item)], where, nodes, parent, problems)
        for number, item in enumerate(items):
            if isinstance(item, Mapping):
                inside += [(str(name), readable_name(name), inner) for name, inner in item.items()]
            elif is_group(item):
                inside.append((str(number), "", item))
    found = []
    for piece, name, inner in inside:
        nodes.append(Node(f"{path}/{piece}" if path else piece, name, parent))
        found.append((inner, f"{where}[{piece if not name else repr(name)}]", len(nodes) - 1))
    return found


def is_group(value: Any) -> bool:
    """Return True if a value contains pages or groups, False if it is a page."""
    if isinstance(value, str | bytes):
        return False
    return isinstance(value, Sequence | Set | Mapping) or (hasattr(value, "tolist") and hasattr(value, "__len__"))


def _add_pages(pages: list[Any], where: str, nodes: list[Node], parent: int, problems: ProblemList) -> None:
    if not pages:
        return
    if parent < 0:
        fix = "To leave a page out of all groups, leave it out of the tree."
        problems.error("page-in-no-group", where, f"the page {pages[0]!r} in no group", "groups of pages", fix)
        return
    ids = page_ids(pages, where, problems)
    check_no_repeats(ids, where, "each page once in a list", problems)
    nodes[parent].pages.update(dict.fromkeys(ids))

"""Dendrograms: the merges of agglomerative clustering, as SciPy writes them, and the groups of pages they make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.problems import InputError, Problem
from qc4.problems.bounds import LINKAGE
from qc4.problems.wording import kind_of

_EXPECTED = "a linkage matrix as scipy.cluster.hierarchy.linkage gives it: pages - 1 rows of 4 numbers"


@dataclass(frozen=True, slots=True, eq=False)
class Dendrogram:
    """Merges of pages, and of what was merged before.

    Attributes:
        below: (merges, 2) the nodes that are merged; nodes below ``n_pages`` are pages, later ones merges in their
            order.
        height: (merges,) the largest distance of the merge and of those below it.
    """

    below: IntArray
    height: FloatArray

    @classmethod
    def of(cls, linkage: Any) -> Dendrogram:
        """A linkage matrix of SciPy: a row (node, node, distance, pages) for each merge.

        Raises:
            InputError: an array of another shape, or rows that are no merges.
        """
        table = _matrix(linkage)
        n_pages = table.shape[0] + 1
        below = np.clip(table[:, :2], -1, 2 * n_pages).astype(np.int64)  # numbers beyond int64 are refused below
        later = n_pages + np.arange(below.shape[0])
        wrong = (below != table[:, :2]).any(axis=1) | (below < 0).any(axis=1) | (below >= later[:, None]).any(axis=1)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            expected = f"two nodes from 0 to {later[row] - 1}: pages, then the merges of the rows before"
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
        """The nodes left when all merges up to a height are done, by their first page."""
        return self._left(self.height <= height)

    def with_clusters(self, number: int) -> IntArray:
        """The nodes left when so many are left, by their first page."""
        return self._left(np.arange(self.n_pages - 1) < self.n_pages - number)

    def members(self, nodes: Iterable[int]) -> dict[int, IntArray]:
        """The pages of each of these nodes, sorted; of a merge those of all that was merged.

        Raises:
            InputError: they are too many together.
        """
        wanted = list(nodes)
        order, begin, end = self._places()
        LINKAGE.check(sum(int(end[node] - begin[node]) for node in wanted), "linkage")
        return {node: np.sort(order[begin[node] : end[node]]) for node in wanted}

    def above(self, nodes: Iterable[int]) -> dict[int, int]:
        """The next of these nodes above each of them, where there is one."""
        chosen = set(nodes)
        merged_by = np.full(2 * self.n_pages - 1, -1, dtype=np.int64)
        merged_by[self.below.ravel()] = np.repeat(np.arange(self.n_pages, 2 * self.n_pages - 1), 2)
        next_above: list[int] = [-1] * merged_by.size
        for node in range(merged_by.size - 2, -1, -1):
            parent = int(merged_by[node])
            next_above[node] = parent if parent in chosen else next_above[parent]
        return {node: next_above[node] for node in chosen if next_above[node] >= 0}

    def _left(self, done: np.ndarray[Any, np.dtype[np.bool_]]) -> IntArray:
        """The nodes that exist after these merges and are in none of them."""
        exists = np.concatenate([np.ones(self.n_pages, dtype=bool), done])
        exists[self.below[done].ravel()] = False
        nodes = np.flatnonzero(exists).astype(np.int64)
        return nodes[np.argsort(self._first_page()[nodes])]

    def _first_page(self) -> IntArray:
        """(nodes,) the smallest page of each node."""
        first = np.arange(2 * self.n_pages - 1)
        for merge, (left, right) in enumerate(self.below.tolist(), start=self.n_pages):
            first[merge] = min(first[left], first[right])
        return first

    def _places(self) -> tuple[IntArray, IntArray, IntArray]:
        """The pages in an order in which each node has neighbours, and where each node begins and ends."""
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
    """(merges, 4) the numbers of a linkage matrix."""
    try:
        table = np.asarray(linkage, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError([Problem("bad-linkage", "linkage", kind_of(linkage), _EXPECTED)]) from None
    if table.ndim != 2 or table.shape[1] != 4 or not table.shape[0]:
        shape = " x ".join(map(str, table.shape)) or "a single value"
        raise InputError([Problem("bad-linkage", "linkage", f"an array of {shape}", _EXPECTED)])
    if not np.isfinite(table).all():
        row = int(np.flatnonzero(~np.isfinite(table).all(axis=1))[0])
        raise InputError([Problem("bad-linkage", f"linkage[{row}]", f"{table[row].tolist()}", "finite numbers")])
    return table

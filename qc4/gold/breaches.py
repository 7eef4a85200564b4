"""The rules R1-R5 on arrays: where a hierarchy breaks them. What is said of it: `qc4.gold.wording`.

Source: the project's QC4 reading, "The gold standard". R6, of names, is looked at in documents (`qc4.gold.rules`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray


class Placed(Protocol):
    """Topics on levels with the pages they hold, as `qc4.gold.hierarchy.Hierarchy` has them."""

    @property
    def parent(self) -> IntArray: ...
    @property
    def first(self) -> IntArray: ...
    @property
    def last(self) -> IntArray: ...
    @property
    def sizes(self) -> IntArray: ...
    @property
    def pages(self) -> sp.csr_array: ...
    @property
    def outliers(self) -> IntArray: ...
    @property
    def left_over(self) -> Mapping[int, IntArray]: ...
    def unplaced(self, level: int) -> IntArray: ...


@dataclass(frozen=True, slots=True, eq=False)
class Breach:
    """One place where a rule is broken.

    Attributes:
        rule: "R1" to "R5"; ``code`` is that of the problem.
        topic: the topic's index; -1 for pages that are in no topic of level 1.
        level: the level of the topic (R5), or the one the pages lack a topic on (R1, R3).
        pages: indexes of the pages it is about, sorted (R1, R2, R3).
        others: topics whose levels do not fit, with their levels: the parent of a topic, or its children (R5).
    """

    rule: str
    code: str
    topic: int
    level: int = 0
    pages: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    others: tuple[tuple[int, int], ...] = ()


def breaches_of(hierarchy: Placed) -> Iterator[Breach]:
    """Every breach of R1-R5. A page that is placed on level 1 and, by R3, in the children is placed on every level."""
    yield from level_breaches(hierarchy.parent, hierarchy.first)
    yield from outlier_breaches(hierarchy.pages, hierarchy.outliers)
    for topic in np.flatnonzero(hierarchy.sizes == 0).tolist():
        yield Breach("R4", "empty-topic", topic)
    yield from _placement_breaches(hierarchy)


def level_breaches(parent: IntArray, first: IntArray) -> Iterator[Breach]:
    """R5: roots on level 1, children below their parent and all on one level.

    Args:
        parent: (topics,) index of the parent, -1 for a root; a forest.
        first: (topics,) the level each topic starts on.
    """
    is_child = parent >= 0
    above = np.where(is_child, first[parent], 0)
    for topic in np.flatnonzero(np.where(is_child, first <= above, first != 1)).tolist():
        level = int(first[topic])
        if is_child[topic]:
            yield Breach("R5", "bad-level", topic, level, others=((int(parent[topic]), int(above[topic])),))
        else:
            yield Breach("R5", "root-level", topic, level)
    children = np.flatnonzero(is_child)
    lowest, highest = first.copy(), first.copy()
    lowest[parent[children]] = highest[parent[children]] = first[children]
    np.minimum.at(lowest, parent[children], first[children])
    np.maximum.at(highest, parent[children], first[children])
    apart: dict[int, list[int]] = {}
    for child in children[(lowest < highest)[parent[children]]].tolist():
        apart.setdefault(int(parent[child]), []).append(child)
    for topic, below in apart.items():
        others = tuple((child, int(first[child])) for child in below)
        yield Breach("R5", "sibling-levels", topic, int(first[topic]), others=others)


def outlier_breaches(pages: sp.csr_array, outliers: IntArray) -> Iterator[Breach]:
    """R2: outliers in no topic.

    Args:
        pages: (topics, pages) incidence, of direct memberships or of all.
    """
    if not outliers.size:
        return
    is_outlier = np.zeros(pages.shape[1], dtype=bool)
    is_outlier[outliers] = True
    entries = np.flatnonzero(is_outlier[pages.indices])
    topics = np.searchsorted(pages.indptr, entries, side="right") - 1
    found, begin = np.unique(topics, return_index=True)
    for topic, own in zip(found.tolist(), np.split(entries, begin[1:]), strict=bool(found.size)):
        yield Breach("R2", "outlier-in-topic", topic, pages=np.unique(pages.indices[own]).astype(np.int64))


def _placement_breaches(hierarchy: Placed) -> Iterator[Breach]:
    """R1 and R3. Below level 1 each is found at the topic whose children miss the page, where it is repaired."""
    unplaced = {1: hierarchy.unplaced(1)}
    if unplaced[1].size:
        yield Breach("R1", "page-without-topic", -1, 1, unplaced[1])
    for topic, left_over in hierarchy.left_over.items():
        level = int(hierarchy.last[topic]) + 1
        if level not in unplaced:
            unplaced[level] = hierarchy.unplaced(level)
        nowhere = np.isin(left_over, unplaced[level])
        if nowhere.any():
            yield Breach("R1", "page-without-topic", topic, level, left_over[nowhere])
        if not nowhere.all():
            yield Breach("R3", "page-without-subtopic", topic, level, left_over[~nowhere])

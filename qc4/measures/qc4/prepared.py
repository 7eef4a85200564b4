"""The parts of QC4 that depend on the gold standard alone, computed once and cached on it.

The finest level is the list of leaf topics (a topic without children stays on every level below), so a page is
described by its leaves. Leaves are numbered in preorder, the outlier topic last. The leaves below a topic are then
adjacent, and counts on a coarser level are sums over runs of counts on the finer one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray, ShortIntArray
from qc4.inputs.view import cached
from qc4.measures.qc4.sorting import grouped, run_lengths, run_numbers, running_count, starts_of
from qc4.model.bounds import QC4_PAGES
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy

# --- The (page, topic) slots for which coverage is computed bottom-up, for pages with several leaves ---


@dataclass(frozen=True, eq=False)
class Split:
    """Slots whose topics have children that start on one level, and the slots of these children.

    Attributes:
        children: the slots of the topics that start on the level; children of one parent are adjacent.
        of_child: (children,) the position of each child's parent in ``parents``.
        parents: (parents,) the slots of the parents.
        counts: (parents,) the number of children of each parent, as float.
    """

    children: slice
    of_child: IntArray
    parents: IntArray
    counts: FloatArray


@dataclass(frozen=True, eq=False)
class Slots:
    """The (multi page, topic) pairs for which coverage is computed bottom-up.

    Attributes:
        size: the number of slots.
        at: (levels, anchors) the slot of the anchor's page and its topic on the level.
        root_topic: (root slots,) the topic index of the first slots, which are those of level-1 topics.
        splits: for each level except the first, the slots whose topics split there.
    """

    size: int
    at: ShortIntArray | IntArray
    root_topic: IntArray
    splits: tuple[Split, ...]


def open_slots(topics: IntArray, shared_level: ShortIntArray) -> Slots:
    """Open a slot where a page's topic starts; anchors that share the topic share the slot.

    Args:
        topics: (levels, anchors) the topic of each anchor on each level.
        shared_level: (anchors,) as in ``Leaves``.
    """
    at = np.empty(topics.shape, dtype=np.int32 if topics.size < 2**31 else np.int64)
    topic = topics[0]
    opens = shared_level < 1
    at[0] = running_count(opens) - 1
    root_topic = topic[opens]
    size = root_topic.size
    splits = []
    for i in range(1, topics.shape[0]):
        coarser_topic, topic = topic, topics[i]
        starts_here = topic != coarser_topic
        opens = starts_here & (shared_level < i + 1)
        at[i] = np.where(starts_here, size - 1 + running_count(opens), at[i - 1])
        parent = at[i - 1][opens]
        starts = starts_of(parent)
        counts = run_lengths(starts, parent.size).astype(np.float64)
        of_child = run_numbers(starts, parent.size)
        splits.append(Split(slice(size, size + parent.size), of_child, parent[starts], counts))
        size += parent.size
    return Slots(size, at, root_topic, tuple(splits))


@dataclass(frozen=True, eq=False)
class Leaves:
    """The pages of every leaf topic. Arrays indexed by page use short integers, so that more fits into the CPU cache.

    Attributes:
        topics: (leaves,) the topic index of each leaf in preorder; the outlier topic, index n_topics, is last.
        code: (pages,) the leaf of a page with one leaf; -1 - i for the i-th page with several (a *multi page*). If
            every page has slots (`prepared_page_by_page`), pages with one leaf are multi pages too.
        ptr: (multi pages + 1,) where each multi page's anchors start in the next two arrays.
        anchor_leaf: (anchors,) the leaf of each (multi page, leaf), ascending within a page.
        shared_level: (anchors,) the finest level on which the anchor and the page's previous anchor have the same
            topic, 0 if there is none. On this level and coarser ones the anchor adds nothing to counts.
    """

    topics: IntArray
    code: ShortIntArray
    ptr: IntArray
    anchor_leaf: ShortIntArray
    shared_level: ShortIntArray

    @property
    def n_multi(self) -> int:
        return self.ptr.size - 1

    @cached_property
    def anchor_page(self) -> IntArray:
        """(anchors,) the number of the multi page of each anchor."""
        return np.repeat(np.arange(self.n_multi), np.diff(self.ptr))


@dataclass(frozen=True, eq=False)
class Level:
    """The topics of one level, with the outlier topic last unless it is empty.

    Attributes:
        topics: (k,) the topic index, in preorder.
        of_leaf: (leaves,) the number on this level of the topic above each leaf; ascending.
        of_finer: (k of the next finer level,) the same for the topics of that level; empty on the finest.
        region: (multi pages,) the number of the page's region if it is in several topics here, else -1.
        region_sizes: (regions,) the number of pages in each region.
        sizes, single_sizes: (k,) the number of pages in the topic, and in no other topic, as floats.
        least_information: the minimum over topics t, without outliers, of |t| ln(|D|/|t|); inf without topics.
    """

    topics: IntArray
    of_leaf: IntArray
    of_finer: IntArray
    region: IntArray
    region_sizes: FloatArray
    sizes: FloatArray
    single_sizes: FloatArray
    least_information: float

    @property
    def k(self) -> int:
        return self.topics.size


@dataclass(frozen=True, eq=False)
class PreparedGold:
    """All values that QC4 needs from a gold standard.

    ``sizes`` are the sizes of all topics, followed by the outlier topic; ``root_of_page`` is the level-1 topic of a
    page with one leaf (for a multi page, of its first leaf). Numbers of pages used in divisions are floats, which are
    exact here and which numpy divides five times as fast as integers.
    """

    n_pages: int
    n_topics: int
    sizes: FloatArray
    leaves: Leaves
    levels: tuple[Level, ...]
    slots: Slots
    root_of_page: IntArray

    @property
    def has_outliers(self) -> bool:
        return bool(self.sizes[self.n_topics] > 0)

    @cached_property
    def regions(self) -> tuple[IntArray, FloatArray]:
        """(levels x multi pages,) the region, numbered over all levels, -1 for none; (regions,) their sizes."""
        sizes = [level.region_sizes for level in self.levels]
        offsets = np.cumsum([0] + [size.size for size in sizes])
        numbered = [
            np.where(level.region >= 0, level.region + offset, -1)
            for level, offset in zip(self.levels, offsets[:-1], strict=True)
        ]
        return np.concatenate(numbered), np.concatenate(sizes)

    @cached_property
    def log2_sizes(self) -> FloatArray:
        """(topics + 1,) log2 |Dt|; 1 for a topic of one page, for which R' does not use it."""
        return np.log2(np.maximum(self.sizes, 2.0))


@cached
def prepared(gold: GoldStandard) -> PreparedGold:
    """Return the prepared form of a gold standard, computed in the first call."""
    return prepare(gold.hierarchy)


@cached
def prepared_page_by_page(gold: GoldStandard) -> PreparedGold:
    """Return the prepared form in which every page of a topic has slots, to get its coverage on every level."""
    return prepare(gold.hierarchy, least_leaves=1)


def prepare(hierarchy: Hierarchy, least_leaves: int = 2) -> PreparedGold:
    """Prepare a hierarchy that breaks no rule.

    Args:
        least_leaves: pages with at least this number of leaves are multi pages.

    Raises:
        InputError: there are more pages than `QC4_PAGES`.
    """
    QC4_PAGES.check(hierarchy.n_pages, "gold standard")
    order = _leaf_order(hierarchy)
    leaf_topics = np.append(order, hierarchy.n_topics) if hierarchy.outliers.size else order
    above = _topics_above(hierarchy, leaf_topics)
    leaves, first_leaf = _leaves(hierarchy, order, leaf_topics, above, least_leaves)
    sizes = np.append(hierarchy.sizes, hierarchy.outliers.size).astype(np.float64)
    numbers = [_numbered(row) for row in above]
    levels = tuple(
        _level(leaves, numbers[i], numbers[i + 1] if i + 1 < len(numbers) else None, above[i], sizes, i + 1, hierarchy)
        for i in range(len(numbers))
    )
    slots = open_slots(above[:, leaves.anchor_leaf], leaves.shared_level)
    return PreparedGold(hierarchy.n_pages, hierarchy.n_topics, sizes, leaves, levels, slots, above[0][first_leaf])


def _leaf_order(hierarchy: Hierarchy) -> IntArray:
    """Return leaf topics in preorder, children in file order."""
    children: list[list[int]] = [[] for _ in range(hierarchy.n_topics + 1)]
    for topic, parent in enumerate(hierarchy.parent.tolist()):
        children[parent].append(topic)
    leaves: list[int] = []
    stack = children[-1][::-1]
    while stack:
        topic = stack.pop()
        if children[topic]:
            stack.extend(reversed(children[topic]))
        else:
            leaves.append(topic)
    return np.array(leaves, dtype=np.int64)


def _topics_above(hierarchy: Hierarchy, leaf_topics: IntArray) -> IntArray:
    """Return (levels, leaves) the leaf or its ancestor on each level; the outlier topic is on every level."""
    above = np.empty((hierarchy.n_levels, leaf_topics.size), dtype=np.int64)
    first = np.append(hierarchy.first, 1)
    parent = np.append(hierarchy.parent, -1)
    current = leaf_topics.copy()
    for level in reversed(hierarchy.levels):
        early = first[current] > level
        current[early] = parent[current[early]]
        above[level - 1] = current
    return above


def _leaves(
    hierarchy: Hierarchy, order: IntArray, leaf_topics: IntArray, above: IntArray, least: int
) -> tuple[Leaves, IntArray]:
    """Return the pages by leaf, and (pages,) the first leaf of each page."""
    members = hierarchy.pages[order]
    leaf = np.repeat(np.arange(order.size, dtype=np.int64), np.diff(members.indptr))
    count = np.bincount(members.indices, minlength=hierarchy.n_pages)
    first = np.full(hierarchy.n_pages, order.size, dtype=np.int64)
    first[members.indices[::-1]] = leaf[::-1]  # the last assignment wins, so this is the first leaf
    multi_pages = np.flatnonzero(count >= least)
    code = first.astype(np.int32)
    code[multi_pages] = -1 - np.arange(multi_pages.size)
    ptr = np.concatenate([[0], np.cumsum(count[multi_pages])])
    multi = -1 - code[members.indices]
    anchors = np.flatnonzero(multi >= 0)  # by leaf; SciPy regroups them by page without sorting
    placed = (np.ones(anchors.size, dtype=bool), (multi[anchors], leaf[anchors]))
    anchor_leaf = sp.csr_array(placed, shape=(multi_pages.size, order.size)).indices.astype(np.int32)
    shared = np.zeros(anchor_leaf.size, dtype=np.int32)
    for number, row in enumerate(above):
        topics = row[anchor_leaf]
        shared[1:][topics[1:] == topics[:-1]] = number + 1
    shared[ptr[:-1]] = 0
    return Leaves(leaf_topics, code, ptr, anchor_leaf, shared), first


def _numbered(row: IntArray) -> IntArray:
    """Return topics above the leaves as ascending numbers; the leaves below one topic are adjacent."""
    return run_numbers(starts_of(row), row.size)


def _level(
    leaves: Leaves,
    of_leaf: IntArray,
    finer: IntArray | None,
    above: IntArray,
    sizes: FloatArray,
    level: int,
    hierarchy: Hierarchy,
) -> Level:
    topics = above[starts_of(of_leaf)]
    of_finer = of_leaf[starts_of(finer)] if finer is not None else np.empty(0, dtype=np.int64)
    new = leaves.shared_level < level
    page, number = leaves.anchor_page[new], of_leaf[leaves.anchor_leaf[new]]
    region, region_sizes, several = _regions(page, number, leaves.n_multi, topics.size)
    own_sizes = sizes[topics]
    information = own_sizes * np.log(hierarchy.n_pages / own_sizes)
    return Level(
        topics=topics,
        of_leaf=of_leaf,
        of_finer=of_finer,
        region=region,
        region_sizes=region_sizes.astype(np.float64),
        sizes=own_sizes,
        single_sizes=own_sizes - np.bincount(number[several], minlength=topics.size),
        least_information=float(information[topics < hierarchy.n_topics].min(initial=np.inf)),
    )


def _regions(
    page: IntArray, number: IntArray, n_pages: int, k: int
) -> tuple[IntArray, IntArray, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Group pages by their exact set of topics.

    Args:
        page, number: the page and the topic of every membership, sorted by page and then topic.

    Returns:
        The region of each page (-1 for a page in fewer than two topics), the sizes of the regions, and for each
        membership whether its page has a region. Sets are compared one topic at a time, so nothing is hashed.
    """
    count = np.bincount(page, minlength=n_pages)
    start = np.cumsum(count) - count
    several = count[page] > 1
    code = np.full(n_pages, -1, dtype=np.int64)
    rows = np.flatnonzero(count > 1)
    code[rows] = number[start[rows]]
    n_codes = k
    for place in range(1, int(count.max(initial=1))):
        rows = np.flatnonzero(count > place)
        groups = grouped(code[rows] * k + number[start[rows] + place], n_codes * k)
        code[rows] = n_codes + groups.group
        n_codes += groups.keys.size
    sizes = np.bincount(code[code >= 0], minlength=n_codes)
    renumber = running_count(sizes > 0) - 1
    region = np.where(code >= 0, renumber[code], -1)
    return region, sizes[sizes > 0], several

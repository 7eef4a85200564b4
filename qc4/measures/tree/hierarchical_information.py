"""Mutual information of two trees: what the parts of one say about the parts of the other, branch by branch.

The trees are walked down together. Where a topic and a cluster of the same depth both split, the mutual information
of their parts on the pages they share counts, by the share of these pages; where one of them does not, the walk ends.
Trees of one level have the mutual information of two partitions. A page of a set in none of the sets below is a part of
its own there. A set that holds every page is the root itself, as the last merger of a dendrogram is.

Sources: Perotti, Tessone & Caldarelli, Physical Review E 92, 2015 (hierarchical mutual information); Perotti, Almeira &
Saracco, Physical Review E 101, 2020 (adjusted for chance). The latter draw permutations of the pages. Here the mean
over all of them is computed: it is a sum over pairs of sets, and what two sets share by chance depends on their sizes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.measures.registry import measure
from qc4.views.hypergeometric import expected_sum
from qc4.views.reasons import pages_are
from qc4.views.remembered import remembered
from qc4.views.tree import TREES, Tree, Trees
from qc4.views.undefined import Undefined
from qc4.views.view import Kind

SPLITS: tuple[Kind, ...] = ("partition", "hierarchy")
ROUNDING = 1e-12
"""Differences below this share are rounding."""
EDGE = "Undefined where a page is in several topics, or several clusters, of one parent. "


@dataclass(frozen=True, slots=True)
class Depth:
    """The sets of a tree at one depth, whose parts are one deeper.

    Attributes:
        of: (pages,) the set of each page; without meaning where it does not split.
        splits: (pages,) whether the page is in a set that splits.
        parts: (pages,) the part of each page whose set splits.
        sizes: (sets,) pages of the sets that split.
        part_sizes: (parts,) pages of their parts.
    """

    of: IntArray
    splits: BoolArray
    parts: IntArray
    sizes: IntArray
    part_sizes: IntArray


def depths(tree: Tree) -> Iterator[Depth]:
    """The depths of a tree whose siblings share no page, from the root down while a set splits."""
    splitting = np.zeros(tree.n_sets + 1, dtype=bool)
    splitting[tree.parent] = True  # the root, -1, is the last
    memberships = np.argsort(tree.depth[tree.set_of], kind="stable")
    bounds = np.cumsum(np.bincount(tree.depth[tree.set_of]))[:-1]
    of = np.full(tree.n_pages, -1, dtype=np.int64)
    splits = splitting[of]
    for held in np.split(memberships, bounds)[1:]:
        if not splits.any():
            return
        parts = tree.n_sets + np.arange(tree.n_pages)  # a part of its own, unless a set holds it
        parts[tree.pages.indices[held]] = tree.set_of[held]
        if parts.min() < parts.max():  # a set of all pages is the root itself
            yield Depth(of, splits, parts, _sizes(of[splits]), _sizes(parts[splits]))
        of = np.where(parts < tree.n_sets, parts, -1)
        splits = (parts < tree.n_sets) & splitting[of]


def _sizes(codes: IntArray) -> IntArray:
    return np.unique(codes, return_counts=True)[1]


@remembered
def split_depths(tree: Tree) -> tuple[Depth, ...]:
    return tuple(depths(tree))


def information(one: Tree, other: Tree) -> float:
    """Hierarchical mutual information in nats."""
    terms: list[float] = []
    together = np.ones(one.n_pages, dtype=bool)
    for first, second in zip(split_depths(one), split_depths(other), strict=False):
        together = together & first.splits & second.splits
        terms += _information(*(codes[together] for codes in (first.of, second.of, first.parts, second.parts))).tolist()
    return max(0.0, math.fsum(terms) / one.n_pages)


def _information(t: IntArray, s: IntArray, u: IntArray, v: IntArray) -> FloatArray:
    """(pages,) ln(n_uv n_ts / (n_us n_tv)) for a page in sets t and s of either tree and their parts u and v."""
    n_ts, n_us, n_tv, n_uv = (_together(*codes) for codes in ((t, s), (u, s), (t, v), (u, v)))
    found: FloatArray = np.log((n_uv * n_ts) / (n_us * n_tv))
    return found


def _together(one: IntArray, other: IntArray) -> FloatArray:
    """(pages,) how many pages have the same two codes."""
    first, second = (np.unique(codes, return_inverse=True)[1] for codes in (one, other))
    keys = first * (int(second.max(initial=0)) + 1) + second
    _, place, count = np.unique(keys, return_inverse=True, return_counts=True)
    return np.asarray(count[place], dtype=np.float64)


def expected_information(one: Tree, other: Tree) -> float:
    """Mean of the hierarchical mutual information over all permutations of the pages of one tree, in nats."""
    n = one.n_pages
    terms: list[float] = []
    for first, second in zip(split_depths(one), split_depths(other), strict=False):
        terms += [
            expected_sum(first.sizes, second.sizes, n, _x_log_x),
            -expected_sum(first.part_sizes, second.sizes, n, _x_log_x),
            -expected_sum(first.sizes, second.part_sizes, n, _x_log_x),
            expected_sum(first.part_sizes, second.part_sizes, n, _x_log_x),
        ]
    return max(0.0, math.fsum(terms) / n)


def _x_log_x(shared: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return shared * np.log(shared)


@remembered
def _own(tree: Tree) -> float:
    """What a tree says about itself."""
    return information(tree, tree)


@remembered
def _shared(trees: Trees) -> float:
    """What the trees say about each other.

    Raises:
        Undefined: siblings share pages.
    """
    reasons = [
        f"{pages_are(tree.shared_among_siblings.size)} in several {what} of one parent"
        for tree, what in ((trees.topics, "topics"), (trees.clusters, "clusters"))
        if tree.shared_among_siblings.size
    ]
    if reasons:
        raise Undefined("; ".join(reasons))
    return information(trees.topics, trees.clusters)


@measure(
    TREES,
    key="hmi",
    title="Hierarchical mutual information (nats)",
    unit="nats",
    family="tree",
    meaning="What the parts of the clusters say about the parts of the topics, branch by branch, in nats.",
    formula="I(root,root), I(t,s) = Σ_{u,v} p(u,v) ln (p(u,v) / (p(u) p(v))) + Σ_{u,v} p(u,v) I(u,v), u and v the "
    "parts of t and s, p shares of |t ∩ s|; I(t,s) = 0 where t or s has no parts",
    source="perotti2015",
    high=None,
    accepts=SPLITS,
    symmetric=True,
    degenerate=EDGE + "Of trees of one level it is their mutual information.",
)
def hmi(trees: Trees) -> float:
    return _shared(trees)


@measure(
    TREES,
    key="nhmi",
    title="Normalised HMI",
    family="tree",
    meaning="Hierarchical mutual information over the mean of what either tree says about itself.",
    formula="2 I(T,C) / (I(T,T) + I(C,C)), I the hierarchical mutual information",
    source="perotti2015",
    accepts=SPLITS,
    symmetric=True,
    degenerate=EDGE + "Two trees of nothing but sets of all pages score 1.",
)
def nhmi(trees: Trees) -> float:
    shared, most = _shared(trees), _most(trees)
    return min(1.0, shared / most) if most else 1.0


@measure(
    TREES,
    key="ahmi",
    title="Adjusted HMI",
    family="tree",
    meaning="Hierarchical mutual information adjusted for chance: 0 for shuffled pages, 1 for the same tree.",
    formula="(I(T,C) − E I) / ((I(T,T) + I(C,C)) / 2 − E I), E I the mean over all permutations of the pages",
    source="perotti2020",
    low=None,
    accepts=SPLITS,
    symmetric=True,
    degenerate=EDGE + "Where chance reaches the best value, the same trees score 1 and others 0.",
)
def ahmi(trees: Trees) -> float:
    shared, most = _shared(trees), _most(trees)
    by_chance = expected_information(trees.topics, trees.clusters)
    if most - by_chance <= ROUNDING * max(1.0, most):
        return float(abs(most - shared) <= ROUNDING * max(1.0, most))
    return min(1.0, (shared - by_chance) / (most - by_chance))


def _most(trees: Trees) -> float:
    """Mean of what either tree says about itself."""
    return (_own(trees.topics) + _own(trees.clusters)) / 2

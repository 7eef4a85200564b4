"""Element-centric similarity: how alike the pages are that a random walk from a page reaches over topics and clusters.

From a page the walk goes to one of its sets, by weight, and on to any page of that set, and returns to its start with
probability 1 - ALPHA before each step. The walk without its start is known exactly: with U (pages x sets) the first
half step and V (sets x pages) the second, it is ALPHA (1 - ALPHA) U (I - ALPHA V U)^-1 V, one solve of the size of the
sets. Its mass is ALPHA on both sides, so a page's similarity is the mass both walks share, over ALPHA.

Source: Gates, Wood, Hetrick & Ahn, Element-centric clustering comparison unifies overlaps and hierarchy, Scientific
Reports 9, 2019.
"""

from __future__ import annotations

import math

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.clustering.containment import depths
from qc4.measures.overlap.walk import ALPHA, Walk
from qc4.measures.registry import measure
from qc4.problems.bounds import PAGE_GROUPS
from qc4.views.covers import ALL_TOPICS, COVERS, Covers, PageSets
from qc4.views.undefined import refuse_too_much
from qc4.views.view import ANY_CLUSTERS, FLAT_CLUSTERS

DEPTH_SCALE = 1.0
"""r of the weights exp(r · depth): each step down the hierarchy weighs e times as much."""

BLOCK = 1 << 22
"""Pairs of page groups whose masses are computed at a time; bounds the memory."""
CACHED = 1 << 16
"""Pairs compared at a time: they fit into the processor's cache."""


@measure(
    COVERS,
    key="ecs",
    title="Element-centric similarity",
    family="overlap",
    meaning="Mean over pages of how alike the company is that a page keeps in its topics and in its clusters.",
    formula="mean_d 1 − (1/2α) Σ_{d'} |p_T(d,d') − p_C(d,d')|, p: personalised PageRank over pages and sets, α = 0.9",
    source="gates2019",
    accepts=FLAT_CLUSTERS,
    symmetric=True,
)
def ecs(covers: Covers) -> float:
    return similarity(covers, Walk(covers.topics), Walk(covers.clusters))


@measure(
    ALL_TOPICS,
    key="ecs_hierarchy",
    title="Element-centric similarity (hierarchy)",
    family="overlap",
    meaning="Element-centric similarity of the nested topics of all levels and of clusters that may nest.",
    formula="as ecs, over the topics of all levels; sets at depth l weigh e^(r l), r = 1, "
    "l the number of ever larger sets around it",
    source="gates2019",
    accepts=ANY_CLUSTERS,
    symmetric=True,
)
def ecs_hierarchy(covers: Covers) -> float:
    return similarity(covers, *(Walk(sets, _weights(sets)) for sets in (covers.topics, covers.clusters)))


def _weights(sets: PageSets) -> FloatArray:
    depth = depths(sets.incidence)
    return np.asarray(np.exp(DEPTH_SCALE * (depth - depth.max())))  # only ratios count, and these cannot overflow


def similarity(covers: Covers, topics: Walk, clusters: Walk) -> float:
    """Mean over pages of the mass that both walks share, over ALPHA.

    Two pages share mass only if both walks can go from one to the other, so groups of pages are compared only within
    the same part of the topics and the same part of the clusters that hang together.

    Raises:
        Undefined: more pairs of groups are compared than `PAGE_GROUPS`.
    """
    groups = covers.groups
    topic_kind, cluster_kind = covers.topics.kind_of[groups.page], covers.clusters.kind_of[groups.page]
    part = topics.part_of[topic_kind] * clusters.n_parts + clusters.part_of[cluster_kind]
    order = np.argsort(part, kind="stable")
    bounds = np.concatenate([[0], np.flatnonzero(np.diff(part[order])) + 1, [order.size]])
    counts = np.diff(bounds)
    refuse_too_much(PAGE_GROUPS, int((counts**2).sum()), "topics and clusters")
    masses = []
    single = order[bounds[:-1][counts == 1]]
    if single.size:
        back = np.minimum(topics.returning[topic_kind[single]], clusters.returning[cluster_kind[single]])
        masses.append(math.fsum(groups.weight[single].astype(np.float64) ** 2 * back))
    for number in np.flatnonzero(counts > 1).tolist():
        members = order[bounds[number] : bounds[number + 1]]
        masses.append(
            _shared_mass(topics, clusters, topic_kind[members], cluster_kind[members], groups.weight[members])
        )
    return min(1.0, math.fsum(masses) / ALPHA / covers.n)


def _shared_mass(topics: Walk, clusters: Walk, topic_kind: IntArray, cluster_kind: IntArray, weight: IntArray) -> float:
    """Sum over all pairs of pages of the smaller of both masses, in blocks of rows."""
    step = max(1, BLOCK // weight.size)
    shares = weight.astype(np.float64)
    total = []
    for start in range(0, weight.size, step):
        rows = slice(start, start + step)
        one, row = _from_kinds(topics, topic_kind[rows], topic_kind)
        other, line = _from_kinds(clusters, cluster_kind[rows], cluster_kind)
        for few in np.array_split(np.arange(row.size), row.size * weight.size // CACHED + 1):
            mass = one.take(row[few], axis=0)
            np.minimum(mass, other.take(line[few], axis=0), out=mass)
            total.append(math.fsum(shares[rows][few] * np.einsum("ij,j->i", mass, shares)))
    return math.fsum(total)


def _from_kinds(walk: Walk, start: IntArray, end: IntArray) -> tuple[FloatArray, IntArray]:
    """Mass from each kind that is among the starts to all ends, (kinds, ends), and the row of each start.

    Groups are of fewer kinds on one side than there are groups, so nothing is computed twice.
    """
    starts, row = np.unique(start, return_inverse=True)
    ends, column = np.unique(end, return_inverse=True)
    return walk.mass(starts, ends).take(column, axis=1), row  # in the order of rows, which are taken from it

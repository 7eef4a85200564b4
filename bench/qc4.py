"""QC4 with all per-cluster values, compared with the sparse products page-topic^T x page-cluster of all levels.

The products are the minimum that is needed to know how many pages each cluster shares with each topic. Both start from
the same matrices, topics x pages for each level and clusters x pages, and their runs are interleaved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.measures.qc4 import qc4
from qc4.model.case import Case
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy

PAGES = 300_000
CLUSTERS = 1_000
LEVELS = (20, 200, 2_000)
TWO_CHAINS = 0.2
RUNS = 9


@dataclass(frozen=True)
class Input:
    """The arrays of one benchmark input.

    Attributes:
        direct: (topics, pages) memberships of the topics of all levels.
        parent: (topics,) parent of each topic, -1 for a root.
        levels: the same memberships as one (topics of the level, pages) matrix per level.
        clusters: (clusters, pages) incidence.
        cluster_ids: one id per row of ``clusters``.
    """

    direct: sp.csr_array
    parent: IntArray
    levels: tuple[sp.csr_array, ...]
    clusters: sp.csr_array
    cluster_ids: tuple[str, ...]

    def products(self) -> list[sp.csr_array]:
        """Compute the sparse products in scipy's fastest way, with one transpose for all levels."""
        by_page = self.clusters.T.tocsr()
        return [topics @ by_page for topics in self.levels]

    def gold(self) -> GoldStandard:
        return GoldStandard.from_hierarchy(Hierarchy.build(self.direct, self.parent))

    def case(self, gold: GoldStandard) -> Case:
        return Case(gold, self.clusters, self.cluster_ids)

    def singletons(self) -> Input:
        """Return the same gold standard with every page in its own cluster."""
        n = self.clusters.shape[1]
        return replace(
            self, clusters=sp.eye_array(n, dtype=np.int32, format="csr"), cluster_ids=tuple(map(str, range(n)))
        )


def make_input(n_pages: int, n_clusters: int, sizes: tuple[int, ...], noise: float) -> Input:
    """Return an input with equally divided topics, some pages in two branches, and random clusters for some pages.

    Args:
        n_pages: number of pages.
        n_clusters: maximum number of clusters.
        sizes: number of topics of each level.
        noise: proportion of pages in random clusters.
    """
    random = np.random.default_rng(2007)
    leaf = random.integers(0, sizes[-1], n_pages)
    second = np.flatnonzero(random.random(n_pages) < TWO_CHAINS)
    page = np.concatenate([np.arange(n_pages), second])
    leaves = np.concatenate([leaf, random.integers(0, sizes[-1], second.size)])
    levels = tuple(_incidence(leaves * size // sizes[-1], page, (size, n_pages)) for size in sizes)
    below = [np.arange(sizes[i]) * sizes[i - 1] // sizes[i] + sum(sizes[: i - 1]) for i in range(1, len(sizes))]
    parents = [np.full(sizes[0], -1), *below]
    cluster = np.where(
        random.random(n_pages) < noise, random.integers(0, n_clusters, n_pages), leaf * n_clusters // sizes[-1]
    )
    clusters = _incidence(cluster, np.arange(n_pages), (n_clusters, n_pages))
    clusters = clusters[np.diff(clusters.indptr) > 0]
    direct = sp.csr_array(sp.vstack(levels, format="csr"))
    return Input(direct, np.concatenate(parents), levels, clusters, tuple(map(str, range(clusters.shape[0]))))


def run() -> list[dict[str, Any]]:
    """Return the rows: two kinds of clusterings (prepared and cold), singletons, growth, and a small input."""
    rows = []
    for kind, noise in (("noisy", 0.3), ("random", 1.0)):
        data = make_input(PAGES, CLUSTERS, LEVELS, noise)
        gold = data.gold()
        warm, cold, peer = interleaved(
            lambda data=data, gold=gold: qc4(data.case(gold)).clusters,
            lambda data=data: qc4(data.case(data.gold())).clusters,
            data.products,
        )
        rows.append(_row(f"QC4, prepared gold, {kind} clusters", "sparse products of all levels", warm, peer, 2.5))
        rows.append(_row(f"QC4, cold from arrays, {kind} clusters", "sparse products of all levels", cold, peer, 5.0))
    return [*rows, *_singletons(), *_growth(), _small()]


def _singletons() -> list[dict[str, Any]]:
    """Time as many clusters as pages: per-cluster values as arrays, and as an object per cluster."""
    data = make_input(PAGES, CLUSTERS, LEVELS, 0.3).singletons()
    gold = data.gold()
    arrays, objects, peer = interleaved(
        lambda: qc4(data.case(gold)), lambda: qc4(data.case(gold)).clusters, data.products
    )
    work, against = f"QC4, prepared gold, {PAGES:,} singletons", "sparse products of all levels"
    return [_row(work, against, arrays, peer, 5.0), _row(f"{work}, as objects", against, objects, peer, 25.0)]


def _growth() -> list[dict[str, Any]]:
    once, twice = (make_input(n, CLUSTERS, LEVELS, 0.3) for n in (PAGES, 2 * PAGES))
    golds = once.gold(), twice.gold()
    small, large = interleaved(lambda: qc4(once.case(golds[0])), lambda: qc4(twice.case(golds[1])))
    return [_row(f"QC4, {2 * PAGES:,} pages", f"QC4, {PAGES:,} pages", large, small, 2.2)]


def _small() -> dict[str, Any]:
    data = make_input(1_000, 50, (5, 20, 60), 0.3)
    cold, _ = interleaved(lambda: qc4(data.case(data.gold())), lambda: None)
    return _row("QC4, cold, 1,000 pages", "10 ms", cold, 0.010, 1.0)


def interleaved(*functions: Callable[[], object]) -> tuple[float, ...]:
    """Return the median seconds of each function. They run in turn after a warm-up, so load affects all alike."""
    seconds: list[list[float]] = [[] for _ in functions]
    for number in range(RUNS + 1):
        for function, kept in zip(functions, seconds, strict=True):
            start = perf_counter()
            function()
            if number:
                kept.append(perf_counter() - start)
    return tuple(map(median, seconds))


def _row(work: str, peer: str, ours: float, theirs: float, goal: float) -> dict[str, Any]:
    return {
        "work": work,
        "peer": peer,
        "seconds": ours,
        "peer_seconds": theirs,
        "ratio": ours / theirs,
        "goal": goal,
    }


def _incidence(rows: IntArray, columns: IntArray, shape: tuple[int, int]) -> sp.csr_array:
    matrix = sp.csr_array((np.ones(rows.size, dtype=np.int32), (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix

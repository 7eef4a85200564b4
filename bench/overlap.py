"""Overlap measures on 2,000 pages, compared with the package `bcubed` and with literal implementations.

cdlib (Omega) and clusim (element-centric similarity) cannot be peers: cdlib needs packages without wheels, and clusim
0.4 fails on overlap with our versions of numpy and scipy. `literal_omega` and `literal_ecs` replace them. Like clusim,
the second one walks from each page, which takes so long that it runs only once.
"""

from __future__ import annotations

from itertools import combinations
from time import perf_counter
from typing import Any

import bcubed
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from bench.qc4 import interleaved
from qc4.inputs.cover import Covers
from qc4.measures.overlap import bcubed_precision, bcubed_recall, ecs, omega

PAGES = 2_000
SETS = 50
OVERLAPPING = 0.2
"""Proportion of the pages that are in a second set."""
FIFTY_TIMES, HUNDRED_TIMES = 1 / 50, 1 / 100
ALPHA, TOLERANCE = 0.9, 1e-6

Sets = dict[int, set[int]]


def run() -> list[dict[str, Any]]:
    """Return one row per measure: median seconds of both from the same memberships, and the ratio."""
    random = np.random.default_rng(2007)
    topics, clusters = make_sets(random), make_sets(random)
    by_topic, by_cluster = by_page(topics), by_page(clusters)

    def fresh() -> Covers:
        return Covers.from_incidence(topics, clusters)

    def both_sides() -> tuple[float, float]:
        covers = fresh()
        return bcubed_precision(covers), bcubed_recall(covers)

    work = (
        (
            "extended BCubed, precision and recall",
            "bcubed",
            both_sides,
            lambda: (bcubed.precision(by_cluster, by_topic), bcubed.recall(by_cluster, by_topic)),
            FIFTY_TIMES,
        ),
        (
            "omega",
            "all pairs of pages",
            lambda: omega(fresh()),
            lambda: literal_omega(by_topic, by_cluster),
            FIFTY_TIMES,
        ),
    )
    rows = [_row(name, peer, *interleaved(ours, theirs), goal) for name, peer, ours, theirs, goal in work]
    for name, _, ours, theirs, _ in work:
        assert np.allclose(ours(), theirs()), name
    return [*rows, _element_centric(topics, clusters)]


def _element_centric(topics: sp.csr_array, clusters: sp.csr_array) -> dict[str, Any]:
    (seconds,) = interleaved(lambda: ecs(Covers.from_incidence(topics, clusters)))
    start = perf_counter()
    expected = literal_ecs(topics, clusters)
    peer_seconds = perf_counter() - start
    assert np.isclose(ecs(Covers.from_incidence(topics, clusters)), expected, atol=100 * TOLERANCE)
    return _row("ecs", "PageRank from each page, one run", seconds, peer_seconds, HUNDRED_TIMES)


def _row(name: str, peer: str, seconds: float, peer_seconds: float, goal: float) -> dict[str, Any]:
    return {
        "work": f"{name}, {PAGES:,} pages",
        "peer": peer,
        "seconds": seconds,
        "peer_seconds": peer_seconds,
        "ratio": seconds / peer_seconds,
        "goal": goal,
    }


def make_sets(random: np.random.Generator) -> sp.csr_array:
    """Return a (SETS, PAGES) incidence with every page in a random set, and some pages in a second one."""
    twice = np.flatnonzero(random.random(PAGES) < OVERLAPPING)
    page = np.concatenate([np.arange(PAGES), twice])
    sets = sp.csr_array((np.ones(page.size, dtype=np.int64), (random.integers(0, SETS, page.size), page)))
    sets.data[:] = 1
    return sets


def by_page(sets: sp.csr_array) -> Sets:
    turned = sp.csr_array(sets.T)
    return {page: set(turned.indices[turned.indptr[page] : turned.indptr[page + 1]].tolist()) for page in range(PAGES)}


def literal_omega(topics: Sets, clusters: Sets) -> float:
    """Return Omega, counted over every pair of pages."""
    table = np.zeros((8, 8), dtype=np.int64)
    for one, other in combinations(topics, 2):
        table[len(topics[one] & topics[other]), len(clusters[one] & clusters[other])] += 1
    pairs = int(table.sum())
    observed = int(table.trace()) / pairs
    expected = float(table.sum(axis=1) @ table.sum(axis=0)) / pairs**2
    return (observed - expected) / (1 - expected)


def literal_ecs(topics: sp.csr_array, clusters: sp.csr_array) -> float:
    """Return element-centric similarity from the personalised PageRank of each page, iterated step by step."""
    graphs = [step_between_pages(sets) for sets in (topics, clusters)]
    alike = 0.0
    for page in range(PAGES):
        one, other = (walk_from(page, graph) for graph in graphs)
        alike += 1 - np.abs(one - other).sum() / (2 * ALPHA)
    return alike / PAGES


def step_between_pages(sets: sp.csr_array) -> sp.csr_array:
    """Return the (to, from) probabilities of a step between pages through a common set."""
    to_sets = sets / sets.sum(axis=0)[None, :]
    to_pages = sets / sets.sum(axis=1)[:, None]
    return sp.csr_array(sp.csr_array(to_pages).T @ sp.csr_array(to_sets))


def walk_from(page: int, graph: sp.csr_array) -> npt.NDArray[np.float64]:
    start = np.zeros(PAGES)
    start[page] = 1 - ALPHA
    at, change = start, 1.0
    while change > TOLERANCE:
        then = ALPHA * (graph @ at) + start
        at, change = then, float(np.abs(then - at).sum())
    return at

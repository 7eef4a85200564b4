"""Omega: the adjusted Rand index for overlap. Two pages agree when they share as many topics as clusters."""

from __future__ import annotations

import numpy as np

from qc4.measures.overlap.co_membership import co_membership
from qc4.measures.registry import measure
from qc4.views.covers import COVERS, Covers, PageSets
from qc4.views.view import FLAT_CLUSTERS


@measure(
    COVERS,
    key="omega",
    title="Omega",
    family="overlap",
    meaning="Share of page pairs that share equally many topics and clusters, corrected for chance.",
    formula="(o − e) / (1 − e), o = Σ_j |P_j(T) ∩ P_j(C)| / N, e = Σ_j |P_j(T)| |P_j(C)| / N², "
    "P_j: the pairs that share exactly j sets, N: all pairs",
    source="collins1988",
    low=-1.0,
    accepts=FLAT_CLUSTERS,
    symmetric=True,
)
def omega(covers: Covers) -> float:
    """All sums are exact integers. Where every pair agrees it is 1, also where chance could do no worse."""
    counted = co_membership(covers)
    of_topics, of_clusters = _memberships(covers.topics), _memberships(covers.clusters)
    pairs = covers.n * (covers.n - 1)
    agreeing = sum(counted.agreeing) - int((of_topics == of_clusters).sum())
    if agreeing == pairs:
        return 1.0
    by_topics = _without_self(counted.by_topics, of_topics)
    by_clusters = _without_self(counted.by_clusters, of_clusters)
    expected = sum(one * other for one, other in zip(by_topics, by_clusters, strict=False))
    return (agreeing * pairs - expected) / (pairs**2 - expected)


def _memberships(sets: PageSets) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """(pages,) how many sets each page is in, and so shares with itself."""
    return np.diff(sets.by_page.indptr).astype(np.int64)


def _without_self(counts: list[int], memberships: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    own = np.bincount(memberships, minlength=len(counts)).tolist()
    return [count - alone for count, alone in zip(counts, own, strict=True)]

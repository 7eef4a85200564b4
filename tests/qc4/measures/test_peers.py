"""Agreement with the package genieclust (M. Gagolewski) on random partitions and points.

Known differences are excluded: nearly constant labels, for which mutual information loses digits, and trivial
partitions, for which this catalogue gives identical ones the best value and others have different rules.

genieclust gives mutual information in nats and normalises by the arithmetic mean. Its pivoted accuracy is the fraction
of pages in the best matching, rescaled so that 1/k becomes 0.
"""

from __future__ import annotations

import genieclust.cluster_validity as peer_validity
import genieclust.compare_partitions as peer
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qc4.inputs.partition import Contingency
from qc4.inputs.points import ClusteredPoints
from qc4.measures.registry import REGISTRY

PEERS = {
    "rand": peer.rand_score,
    "ari": peer.adjusted_rand_score,
    "fowlkes_mallows": peer.fm_score,
    "mutual_information": peer.mi_score,
    "nmi_arithmetic": peer.normalized_mi_score,
    "v_measure": peer.normalized_mi_score,
    "ami": peer.adjusted_mi_score,
}


@st.composite
def partitions(draw, largest: int = 60):
    """Draw two labellings of the same pages, each with two or more labels and codes from 0."""
    n = draw(st.integers(4, largest))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    first = rng.integers(0, draw(st.integers(2, 8)), n)
    noise = rng.random(n) < draw(st.floats(0, 1))
    second = np.where(noise, rng.integers(0, draw(st.integers(2, 8)), n), first)
    assume(np.unique(first).size > 1)
    assume(np.unique(second).size > 1)
    assume(max(np.unique(first).size, np.unique(second).size) < n)
    return tuple(np.unique(labels, return_inverse=True)[1] for labels in (first, second))


@pytest.mark.parametrize("key", PEERS)
@given(pair=partitions())
def test_partitions(key, pair):
    ours = REGISTRY.get(key).function(Contingency.from_labels(*pair))
    assert ours == pytest.approx(PEERS[key](*pair), rel=1e-9, abs=1e-9)


@given(pair=partitions())
def test_the_best_matching(pair):
    """The package needs as many clusters as classes, so additional labels are merged."""
    k = min(labels.max() for labels in pair)
    pair = [np.minimum(labels, k) for labels in pair]
    for key in ("max_matching", "accuracy"):
        ours = REGISTRY.get(key).function(Contingency.from_labels(*pair))
        rescaled = (ours - 1 / (k + 1)) / (1 - 1 / (k + 1))
        assert rescaled == pytest.approx(peer.normalized_pivoted_accuracy(*pair), abs=1e-12)


@given(pair=partitions())
def test_normalised_clustering_accuracy(pair):
    """Compare with the package of the measure's author, which needs as many clusters as classes."""
    k = min(labels.max() for labels in pair)
    classes, clusters = (np.minimum(labels, k) for labels in pair)
    ours = REGISTRY.get("nca").function(Contingency.from_labels(classes, clusters))
    assert ours == pytest.approx(peer.normalized_clustering_accuracy(classes, clusters), abs=1e-12)


@given(pair=partitions())
def test_cells(pair):
    table = Contingency.from_labels(*pair)
    assert sorted(table.count.tolist()) == sorted(
        cell for cell in peer.confusion_matrix(*pair).ravel().tolist() if cell
    )


def test_a_hundred_thousand_pages():
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 50, 100_000)
    clusters = np.where(rng.random(100_000) < 0.5, rng.integers(0, 80, 100_000), classes)
    table = Contingency.from_labels(classes, clusters)
    for key, function in PEERS.items():
        assert REGISTRY.get(key).function(table) == pytest.approx(function(classes, clusters), rel=1e-9), key


@pytest.mark.parametrize(
    ("key", "function"),
    [
        ("calinski_harabasz", peer_validity.calinski_harabasz_index),
        ("davies_bouldin", lambda points, labels: -peer_validity.negated_davies_bouldin_index(points, labels)),
        ("ssq", lambda points, labels: -peer_validity.negated_wcss_index(points, labels)),
        ("silhouette", peer_validity.silhouette_index),
        ("dunn", lambda points, labels: peer_validity.generalised_dunn_index(points, labels, 1, 1)),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_points(key, function, seed):
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(4), np.arange(4), rng.integers(0, 4, 72)])
    points = rng.normal(size=(80, 3)) + labels[:, None] * rng.uniform(0.2, 2)
    ours = REGISTRY.get(key).function(ClusteredPoints.from_labels(points, labels))
    assert ours == pytest.approx(function(points, labels), rel=1e-9)

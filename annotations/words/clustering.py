"""Clustering of similar pages into a number of groups found from the data. Uses only numpy and scipy."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

DIMENSIONS = 10
"""Number of dimensions of the latent space, which can separate about as many groups."""
INITIAL_GROUPS = 15
"""Initial number of groups, before similar ones are merged."""
MERGE_SIMILARITY = 0.4
"""Minimum cosine between the centroids of two groups to merge them. Values from .3 to .5 give similar results."""
SEED = 0
STARTS: Final = 4
_ROUNDS = 50

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]


def cluster_pages(weights: sp.csr_array, count: int | None = None) -> Labels:
    """Return the group of each page as an array (pages,). Groups are numbered from 0, largest first, and none is empty.

    The method is latent semantic analysis, then K-means with 15 groups on vectors of length 1. Then the two groups with
    the most similar centroids are merged while their cosine is at least .4. The random seed is fixed, so the same pages
    give the same groups.

    Args:
        weights: (pages, words), without rows of zeros.
        count: the number of groups; nothing is merged then.
    """
    # Multithreaded BLAS in several threads of a web process would take ten times as long.
    with threadpool_limits(limits=1):
        vectors = _latent_vectors(weights, max(DIMENSIONS, count or 0))
        labels = _k_means(vectors, min(count or INITIAL_GROUPS, weights.shape[0]))
        if count is None:
            labels = _merge_similar(vectors, labels)
    sizes = np.bincount(labels)
    rank = np.empty(sizes.size, np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(sizes.size)
    return rank[labels]


def _latent_vectors(weights: sp.csr_array, dimensions: int) -> Floats:
    """Project rows onto the largest singular vectors (randomised SVD, Halko et al. 2011) and scale them to length 1."""
    if min(weights.shape) <= dimensions:
        return _unit_vectors(weights.toarray())
    random = np.random.default_rng(SEED)
    basis = np.linalg.qr(weights @ random.standard_normal((weights.shape[1], dimensions + 10)))[0]
    for _ in range(4):
        basis = np.linalg.qr(weights.T @ basis)[0]
        basis = np.linalg.qr(weights @ basis)[0]
    left, sizes, _ = np.linalg.svd((weights.T @ basis).T, full_matrices=False)
    return _unit_vectors(basis @ (left[:, :dimensions] * sizes[:dimensions]))


def _unit_vectors(vectors: Floats) -> Floats:
    vectors = np.round(vectors, 12)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def _k_means(vectors: Floats, count: int) -> Labels:
    """Run K-means++ with four random initialisations. There are fewer groups if fewer pages are distinct."""
    random = np.random.default_rng(SEED)
    found = [_iterate(vectors, _initial_centres(vectors, count, random)) for _ in range(STARTS)]
    labels = min(found, key=lambda one: one[0])[1]
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _initial_centres(vectors: Floats, count: int, random: np.random.Generator) -> Floats:
    """Draw initial centres, each weighted by squared distance from earlier ones (Arthur and Vassilvitskii 2007)."""
    centres = [vectors[random.integers(len(vectors))]]
    distances = np.full(len(vectors), np.inf)
    while len(centres) < count:
        distances = np.minimum(distances, ((vectors - centres[-1]) ** 2).sum(axis=1))
        if distances.sum() < 1e-9:
            break
        centres.append(vectors[random.choice(len(vectors), p=distances / distances.sum())])
    return np.array(centres)


def _iterate(vectors: Floats, centres: Floats) -> tuple[float, Labels]:
    """Iterate until no page changes its group. Return the sum of squared distances and each page's group."""
    labels = np.full(len(vectors), -1)
    for _ in range(_ROUNDS):
        distances = (centres**2).sum(axis=1) - 2 * vectors @ centres.T
        nearest = distances.argmin(axis=1)
        if (nearest == labels).all():
            break
        labels = nearest
        members = np.equal.outer(np.arange(len(centres)), labels).astype(float)
        sizes = members.sum(axis=1, keepdims=True)
        centres = np.where(sizes > 0, members @ vectors / np.maximum(sizes, 1), centres)
    return float(((vectors - centres[labels]) ** 2).sum()), labels.astype(np.int64)


def _merge_similar(vectors: Floats, labels: Labels) -> Labels:
    """Merge the two most similar groups until no two are similar enough or only two groups are left."""
    while labels.max() > 1:
        centroids = _unit_vectors(
            np.stack([vectors[labels == group].mean(axis=0) for group in range(labels.max() + 1)])
        )
        likeness = np.triu(centroids @ centroids.T, 1)
        one, other = np.unravel_index(likeness.argmax(), likeness.shape)
        if likeness[one, other] < MERGE_SIMILARITY:
            break
        labels = np.unique(np.where(labels == other, one, labels), return_inverse=True)[1].astype(np.int64)
    return labels

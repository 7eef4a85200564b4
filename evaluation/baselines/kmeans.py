"""K-means and bisecting K-means over TF-IDF vectors (scikit-learn)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from evaluation.baselines.task import BaselineResult, Parameter, Task
from evaluation.baselines.vectors import K_MAX, K, number_of_clusters, page_vectors, partition

if TYPE_CHECKING:
    from sklearn.cluster import BisectingKMeans, KMeans

RESTARTS = Parameter("restarts", 10, "random initialisations, of which the best is used", low=1, high=100)
PARAMETERS = (K, K_MAX, RESTARTS)


def kmeans(task: Task) -> BaselineResult:
    """Cluster with K-means (Lloyd, k-means++). Rows have length 1, so near rows have a small angle."""
    from sklearn.cluster import KMeans  # takes a second to import

    return _run(task, KMeans)


def bisecting_kmeans(task: Task) -> BaselineResult:
    """Cluster with bisecting K-means (Steinbach et al. 2000): split one cluster in two until there are enough.

    The cluster with the largest sum of squared distances is split, not the largest: copies of one page cannot be split.
    """
    from sklearn.cluster import BisectingKMeans

    return _run(task, BisectingKMeans, bisecting_strategy="biggest_inertia")


def _run(task: Task, method: type[KMeans] | type[BisectingKMeans], **settings: str) -> BaselineResult:
    vectors = page_vectors(task.document, task.source)
    if not vectors.page_ids:
        return BaselineResult((), {"k": 0})
    k = number_of_clusters(task, vectors)
    model = method(n_clusters=k, n_init=task.parameters["restarts"], random_state=task.seed, **settings)
    # Several threads add up centroids in any order. One thread gives the same floats, so the same clusters, each time.
    with threadpool_limits(limits=1):
        labels = model.fit_predict(vectors.rows)
    return partition(vectors, labels.astype(np.int64))

"""Hierarchical agglomerative clustering over TF-IDF vectors (scikit-learn)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from evaluation.baselines.task import BaselineResult, Parameter, Task
from evaluation.baselines.vectors import K_MAX, K, PageVectors, number_of_clusters, page_vectors, partition
from evaluation.limits import AGGLOMERATIVE_PAGES
from qc4.wording import quoted

LINKAGE = Parameter(
    "linkage",
    "ward",
    "which two clusters are merged next: least added variance (ward), or least mean / largest / smallest distance",
    choices=("ward", "average", "complete", "single"),
)
DIMENSIONS = Parameter("dimensions", 50, "latent dimensions to which the vectors are reduced", low=2, high=1000)
PARAMETERS = (K, K_MAX, LINKAGE, DIMENSIONS)


def agglomerative(task: Task) -> BaselineResult:
    """Cluster with Ward's method on latent semantic vectors of length 1, cut at k clusters.

    Average linkage on plain cosine distances chains, because snippets share few words: it makes one large cluster and
    many single pages. The reduction brings together pages that share no word but have neighbours in common.

    Raises:
        InputError: more than 10,000 pages with words.
    """
    from sklearn.cluster import AgglomerativeClustering  # takes a second to import

    vectors = page_vectors(task.document, task.source)
    n = len(vectors.page_ids)
    AGGLOMERATIVE_PAGES.check(n, f"query {quoted(task.document.query_id)}")
    k = number_of_clusters(task, vectors) if n else 0
    if k <= 1:
        return partition(vectors, np.zeros(n, dtype=np.int64))
    linkage = task.parameters["linkage"]
    model = AgglomerativeClustering(n_clusters=k, linkage=linkage)
    with threadpool_limits(limits=1):
        labels = model.fit_predict(_latent(vectors, task.parameters["dimensions"], task.seed))
    return partition(vectors, labels.astype(np.int64))


def _latent(vectors: PageVectors, dimensions: int, seed: int) -> npt.NDArray[np.float64]:
    """Return (pages, at most ``dimensions``) rows of length 1, or the plain vectors if they have too few columns."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.preprocessing import normalize

    n_components = min(dimensions, *(size - 1 for size in vectors.rows.shape))
    if n_components < 2:
        return vectors.rows.toarray()
    reduced = TruncatedSVD(n_components, random_state=seed).fit_transform(vectors.rows)
    return np.asarray(normalize(np.round(reduced, 12)), dtype=np.float64)

"""A clustering as a classifier: each cluster predicts test labels from the labels of its train pages.

Source: seed 002 (Banerjee & Langford, An Objective Evaluation Criterion for Clustering, KDD 2004), section 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from qc4.arrays import IntArray
from qc4.model.labels import by_first_page
from qc4.records import Record
from qc4.selection.languages import Language

FRACTIONS = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Fractions of the pages in the train set, as in the paper's Fig. 4 and 5."""
Sampling = Literal["uniform", "stratified"]
"""How train pages are drawn: uniformly, or with the same fraction of each label."""
SAMPLINGS: tuple[Sampling, ...] = get_args(Sampling)


@dataclass(frozen=True, slots=True)
class Prediction:
    """The results of one clustering on one split.

    Attributes:
        train, test: the numbers of pages in each set.
        clusters: the number of clusters with a page in either set.
        train_errors, test_errors: the numbers of pages whose cluster predicts a wrong label.
        constant_errors: the number of test pages that the best constant label gets wrong.
        ties: the number of clusters whose label was drawn among equally frequent labels.
        unlabelled: the number of clusters without a train page, whose label was drawn among all labels.
    """

    train: int
    test: int
    clusters: int
    train_errors: int
    test_errors: int
    constant_errors: int
    ties: int
    unlabelled: int


def train_pages(labels: IntArray, fraction: float, seed: int, sampling: Sampling = "uniform") -> npt.NDArray[np.bool_]:
    """Return (pages,) True for pages in the train set, whose fraction is as close to ``fraction`` as possible.

    One shuffle per seed is used for all fractions, so that results for different fractions are comparable. With two or
    more pages, neither set is empty.

    Args:
        labels: (pages,) codes 0, 1, ..
        fraction: a number above 0 and below 1.
        sampling: ``uniform`` draws all sets of this size with the same probability, as Theorem 1 requires.
            ``stratified`` takes the same fraction of each label; no bound holds for it.
    """
    n = labels.size
    wanted = min(max(round(fraction * n), 1), max(n - 1, 0))
    shuffled = np.random.default_rng(seed).permutation(n)
    return shuffled < wanted if sampling == "uniform" else _of_each_label(labels, wanted, shuffled)


def _of_each_label(labels: IntArray, wanted: int, shuffled: IntArray) -> npt.NDArray[np.bool_]:
    """Return (pages,) True for the first shuffled pages of each label, with fractions as equal as possible."""
    n, sizes = labels.size, np.bincount(labels)
    taken, left = np.divmod(sizes * wanted, n)  # exact, so labels of equal size have equal remainders
    taken[np.argsort(-left, kind="stable")[: wanted - int(taken.sum())]] += 1
    order = np.lexsort((shuffled, labels))
    place = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    train = np.zeros(n, dtype=bool)
    train[order] = place < taken[labels[order]]
    return train


def predict(labels: IntArray, clusters: IntArray, train: npt.NDArray[np.bool_], seed: int) -> Prediction:
    """Give each cluster its most frequent train label, and count its errors.

    The label of a tied cluster is drawn among the tied labels, and that of a cluster without train pages among all
    labels, with a generator seeded with ``seed``. Clusters are processed in the order of their first pages, so their
    names do not matter.

    Args:
        labels: (pages,) codes 0, 1, .. without gaps.
        clusters: (pages,) arbitrary codes.
        train: (pages,) True for pages in the train set.
    """
    clusters = by_first_page(clusters, "clusters")
    n_labels, n_clusters = int(labels.max()) + 1, int(clusters.max()) + 1
    cells, count = np.unique(clusters[train] * n_labels + labels[train], return_counts=True)
    cluster_of, label_of = np.divmod(cells, n_labels)
    most = np.zeros(n_clusters, dtype=np.int64)
    np.maximum.at(most, cluster_of, count)
    leading = count == most[cluster_of]
    leaders = np.bincount(cluster_of[leading], minlength=n_clusters)
    drawn = np.random.default_rng(seed).random(n_clusters)
    answer = (drawn * n_labels).astype(np.int64)
    known = leaders > 0
    first = np.cumsum(leaders) - leaders
    answer[known] = label_of[leading][(first + (drawn * leaders).astype(np.int64))[known]]
    wrong = answer[clusters] != labels
    test = ~train
    return Prediction(
        train=int(train.sum()),
        test=int(test.sum()),
        clusters=n_clusters,
        train_errors=int(wrong[train].sum()),
        test_errors=int(wrong[test].sum()),
        constant_errors=int(test.sum() - np.bincount(labels[test], minlength=1).max()),
        ties=int((leaders > 1).sum()),
        unlabelled=int((leaders == 0).sum()),
    )


# --- One clustering of a parameter sweep, evaluated on one split ---


@dataclass(frozen=True, slots=True)
class Evaluation(Record):
    """One clustering on one split, with its bound in every language.

    Attributes:
        algorithm, clusters, initialisation: its position in the parameter sweep.
        fraction: the fraction of pages in the train set.
        prediction: sizes, errors, and numbers of random choices.
        bounds: (language, largest number of test errors) for each language that has one.
        undefined: why ``cluster`` and ``algo`` are missing from ``bounds``; empty if they are not.
    """

    KEYS = (
        "algorithm clusters initialisation fraction train_pages=prediction.train test_pages=prediction.test "
        "clusters_made=prediction.clusters train_errors=prediction.train_errors test_errors=prediction.test_errors "
        "constant_errors=prediction.constant_errors ties=prediction.ties unlabelled=prediction.unlabelled "
        "bounds=most_errors rates test_rate constant_rate undefined"
    )

    algorithm: str
    clusters: int
    initialisation: int
    fraction: float
    prediction: Prediction
    bounds: tuple[tuple[Language, int], ...]
    undefined: str = ""

    @property
    def most_errors(self) -> dict[Language, int]:
        """The bounds on the number of test errors, by language."""
        return dict(self.bounds)

    @property
    def rates(self) -> dict[Language, float]:
        """The bounds on the test error rate, 0 to 1, by language."""
        return {language: most / self.prediction.test for language, most in self.bounds}

    def rate(self, language: Language) -> float | None:
        """Return the bound on the test error rate, 0 to 1; None if the language has none."""
        return self.rates.get(language)

    @property
    def constant_rate(self) -> float:
        """The test error rate of the best constant classifier."""
        return self.prediction.constant_errors / self.prediction.test

    @property
    def test_rate(self) -> float:
        """The actual test error rate of the clustering."""
        return self.prediction.test_errors / self.prediction.test

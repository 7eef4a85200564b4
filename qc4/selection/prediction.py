"""A clustering used as a classifier: the labels of a train set, spread over the clusters, predict those of a test set.

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
"""Shares of the pages in the train set, as in the paper's Fig. 4 and 5."""
Sampling = Literal["uniform", "stratified"]
"""How train pages are drawn: all sets of so many pages alike, or a like share of each label."""
SAMPLINGS: tuple[Sampling, ...] = get_args(Sampling)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What became of one clustering on one split.

    Attributes:
        train, test: pages in each set.
        clusters: clusters that hold a page of either.
        train_errors, test_errors: pages whose cluster was given another label than theirs.
        constant_errors: test pages that the best single label for all of them gets wrong.
        ties: clusters whose label was drawn among several that are equally frequent.
        unlabelled: clusters without a train page, whose label was drawn among all.
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
    """(pages,) which pages are in the train set: a share of them as near to ``fraction`` as can be.

    One shuffle per seed serves all fractions, so that little but the fraction differs between two of them. With two
    pages or more, neither set is empty.

    Args:
        labels: (pages,) codes from 0 on.
        fraction: 0 to 1, without both.
        sampling: ``uniform`` draws every set of so many pages with the same probability, which is what Theorem 1 asks
            for. ``stratified`` takes the share of each label; no bound is promised for it.
    """
    n = labels.size
    wanted = min(max(round(fraction * n), 1), max(n - 1, 0))
    shuffled = np.random.default_rng(seed).permutation(n)
    return shuffled < wanted if sampling == "uniform" else _of_each_label(labels, wanted, shuffled)


def _of_each_label(labels: IntArray, wanted: int, shuffled: IntArray) -> npt.NDArray[np.bool_]:
    """(pages,) the first pages of each label, as they are shuffled: as near to the same share of each as can be."""
    n, sizes = labels.size, np.bincount(labels)
    taken, left = np.divmod(sizes * wanted, n)  # exact, so that equal labels have equal remainders
    taken[np.argsort(-left, kind="stable")[: wanted - int(taken.sum())]] += 1
    order = np.lexsort((shuffled, labels))
    place = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    train = np.zeros(n, dtype=bool)
    train[order] = place < taken[labels[order]]
    return train


def predict(labels: IntArray, clusters: IntArray, train: npt.NDArray[np.bool_], seed: int) -> Prediction:
    """Give each cluster its most frequent train label, and count where it is wrong.

    A tie is drawn among the tied labels, and the label of a cluster without train pages among all labels, by a
    generator started with ``seed``. Clusters are taken in the order of their first pages, so their names do not matter.

    Args:
        labels: (pages,) codes from 0 on, every code in use.
        clusters: (pages,) codes of any values.
        train: (pages,) which pages are in the train set.
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


# One clustering of a sweep, judged on one split.


@dataclass(frozen=True, slots=True)
class Evaluation(Record):
    """One clustering on one split, with its bound in every language.

    Attributes:
        algorithm, clusters, initialisation: its place in the sweep.
        fraction: share of the pages in the train set.
        prediction: sizes, errors, and what was left to chance.
        bounds: (language, most errors on the test set) for each language that has one.
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
        """The bounds by language."""
        return dict(self.bounds)

    @property
    def rates(self) -> dict[Language, float]:
        """The bounds on the test error rate, 0 to 1, by language."""
        return {language: most / self.prediction.test for language, most in self.bounds}

    def rate(self, language: Language) -> float | None:
        """The bound on the test error rate, 0 to 1; None where the language has none."""
        return self.rates.get(language)

    @property
    def constant_rate(self) -> float:
        """Test error rate of the best constant classifier."""
        return self.prediction.constant_errors / self.prediction.test

    @property
    def test_rate(self) -> float:
        """Test error rate the clustering really has."""
        return self.prediction.test_errors / self.prediction.test

"""Measures of the catalogue as scorers of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from qc4.measures.registry import REGISTRY, Need
from qc4.model.clustering import Clustering
from qc4.model.gold_standard import GoldStandard
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem, require_package
from qc4.scoring.scoring import score

GIVEN: frozenset[Need] = frozenset({"gold topics", "labelled sample", "vectors"})
"""What scikit-learn has for a measure: no ranks or texts of pages, and no labels that say what clusters are about."""


@dataclass(frozen=True)
class Scorer:
    """A measure as ``scoring`` of `cross_validate`, `GridSearchCV` and their like; greater is always better.

    Attributes:
        measure: its key.
        sign: -1 where smaller values are better, whose negative is given then; else 1.
        policies: how pages in no cluster and outliers are counted.
        noise: the labels of noise in labels and truth, as of `Clustering.from_labels`.
    """

    measure: str
    sign: int
    policies: Policies
    noise: Any = None

    def __call__(self, estimator: Any, points: Any, truth: Any = None, **_: Any) -> float:
        """The measure's value for the clusters of some points, times `sign`.

        An estimator that can predict does so. One that cannot, such as DBSCAN, clusters these points anew with its
        parameters: the clusters it found elsewhere say nothing of them.

        Args:
            points: (pages, dimensions) what is clustered, the vectors of internal measures.
            truth: (pages,) labels; internal measures need none.

        Raises:
            Undefined: the measure has no value here; scikit-learn makes its ``error_score`` of it.
            InputError: labels or truth that are no row of labels; a measure of a truth without one.
        """
        needs = REGISTRY.get(self.measure).needs
        labels = np.asarray(self._labels(estimator, points))
        if truth is None and "gold topics" in needs:
            fix = "Give y to fit or cross_validate, or take an internal measure."
            raise InputError([Problem("no-gold", "y", "None", f"a label for each point, as {self.measure} needs", fix)])
        gold = GoldStandard.from_labels(np.zeros(labels.size, int) if truth is None else truth, noise=self.noise)
        clustering = Clustering.from_labels(labels, noise=self.noise)
        vectors = points if "vectors" in needs else None
        found = score(gold, clustering, self.measure, policies=self.policies, vectors=vectors)
        return self.sign * found.value(self.measure, found.scores[0].level) + 0.0  # -0.0 + 0.0 is 0.0

    @staticmethod
    def _labels(estimator: Any, points: Any) -> Any:
        if hasattr(estimator, "predict"):
            return estimator.predict(points)
        if not hasattr(estimator, "fit_predict"):
            found, expected = f"{type(estimator).__name__}, which gives no labels", "predict or fit_predict"
            raise InputError([Problem("no-clusterer", "estimator", found, expected)])
        require_package("scikit-learn", "qc4.sklearn.scorer")
        from sklearn.base import clone

        return clone(estimator).fit_predict(points)


def scorer(measure: str, *, policies: Policies | Mapping[str, str] | None = None, noise: Any = None) -> Scorer:
    """A measure as a scorer of scikit-learn: ``cross_validate(KMeans(3), X, y, scoring=scorer("ari"))``.

    Args:
        measure: the key of a measure that needs labels, or vectors, and nothing else.
        policies: names and choices of `qc4.Policies`.
        noise: the labels of noise, in what the estimator gives and in the truth, as of `Clustering.from_labels`.

    Raises:
        InputError: an unknown measure or policy; a measure that needs more than scikit-learn has.

    >>> scorer("vi").sign
    -1
    """
    found = REGISTRY.get(measure)
    if more := [need for need in found.needs if need not in GIVEN]:
        raise InputError([Problem("needs-more", "measure", f"{measure!r}, which needs {', '.join(more)}", "another")])
    return Scorer(found.key, 1 if found.better == "higher" else -1, Policies.parse(policies), noise)

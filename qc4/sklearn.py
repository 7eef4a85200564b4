"""Scikit-learn scorers for the measures in the catalogue."""

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

AVAILABLE_NEEDS: frozenset[Need] = frozenset({"gold topics", "labelled sample", "vectors"})
"""What scikit-learn can give a measure. It has no ranks or texts of pages, and no names of clusters."""


@dataclass(frozen=True)
class Scorer:
    """A measure as a scorer for `cross_validate`, `GridSearchCV` and similar functions; greater is always better.

    Attributes:
        measure: key of the measure.
        sign: -1 if smaller values are better, so that the score is negated; otherwise 1.
        policies: how pages in no cluster and outliers are scored.
        noise: noise labels in both the predicted and the true labels, as in `Clustering.from_labels`.
    """

    measure: str
    sign: int
    policies: Policies
    noise: Any = None

    def __call__(self, estimator: Any, points: Any, truth: Any = None, **_: Any) -> float:
        """Return the measure's value for the clusters of some points, times `sign`.

        If the estimator can predict, its predictions are scored. Otherwise (as with DBSCAN) a clone with the same
        parameters clusters these points, because clusters found on other points say nothing about them.

        Args:
            points: (pages, dimensions) the points to cluster, which are also the vectors of internal measures.
            truth: (pages,) true labels; internal measures need none.

        Raises:
            Undefined: the measure has no value here; scikit-learn replaces it by ``error_score``.
            InputError: the labels or the truth are not a sequence of labels, or the measure needs a truth and there is
                none.
        """
        needs = REGISTRY.get(self.measure).needs
        labels = np.asarray(self._labels(estimator, points))
        if truth is None and "gold topics" in needs:
            fix = "Pass y to fit or cross_validate, or use an internal measure."
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
            found, expected = f"{type(estimator).__name__}, which has neither method", "predict or fit_predict"
            raise InputError([Problem("no-clusterer", "estimator", found, expected)])
        require_package("scikit-learn", "qc4.sklearn.scorer")
        from sklearn.base import clone

        return clone(estimator).fit_predict(points)


def scorer(measure: str, *, policies: Policies | Mapping[str, str] | None = None, noise: Any = None) -> Scorer:
    """Return a scikit-learn scorer for a measure: ``cross_validate(KMeans(3), X, y, scoring=scorer("ari"))``.

    Args:
        measure: key of a measure that needs only labels or vectors.
        policies: names and values of `qc4.Policies`.
        noise: noise labels in both the estimator's output and the truth, as in `Clustering.from_labels`.

    Raises:
        InputError: the measure or policy is unknown, or the measure needs more than scikit-learn can give.

    >>> scorer("vi").sign
    -1
    """
    found = REGISTRY.get(measure)
    if more := [need for need in found.needs if need not in AVAILABLE_NEEDS]:
        raise InputError([Problem("needs-more", "measure", f"{measure!r}, which needs {', '.join(more)}", "another")])
    return Scorer(found.key, 1 if found.better == "higher" else -1, Policies.parse(policies), noise)

"""One clustering of a sweep, judged on one split."""

from __future__ import annotations

from dataclasses import dataclass

from qc4.model_selection.languages import Language
from qc4.model_selection.prediction import Prediction
from qc4.records import Record


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

"""Model selection: which algorithm, how many clusters, which start, judged by the bound on the errors it will make.

Source: seed 002 (Banerjee & Langford, An Objective Evaluation Criterion for Clustering, KDD 2004), sections 3 and 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from qc4.arrays import IntArray
from qc4.model_selection.candidates import Candidate, check_candidates, label_codes
from qc4.model_selection.languages import LANGUAGES, Language, bound
from qc4.model_selection.prediction import FRACTIONS, Prediction, predict, train_pages
from qc4.problems import InputError, Problem
from qc4.views.view import Undefined

Group = TypeVar("Group")
ONE_CLUSTER = "a single cluster: the languages cluster and algo count c(c - 1)"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One clustering on one split, with its bound in every language.

    Attributes:
        algorithm, clusters, initialisation: its place in the sweep.
        fraction: share of the pages in the train set.
        prediction: sizes, errors, and what was left to chance.
        bounds: (language, most errors on the test set) for each language that has one.
        undefined: why ``cluster`` and ``algo`` are missing from ``bounds``; empty if they are not.
    """

    algorithm: str
    clusters: int
    initialisation: int
    fraction: float
    prediction: Prediction
    bounds: tuple[tuple[Language, int], ...]
    undefined: str = ""

    def rate(self, language: Language) -> float | None:
        """The bound on the test error rate, 0 to 1; None where the language has none."""
        most = dict(self.bounds).get(language)
        return None if most is None else most / self.prediction.test

    @property
    def constant_rate(self) -> float:
        """Test error rate of the best constant classifier."""
        return self.prediction.constant_errors / self.prediction.test

    @property
    def test_rate(self) -> float:
        """Test error rate the clustering really has."""
        return self.prediction.test_errors / self.prediction.test

    def to_dict(self) -> dict[str, Any]:
        return {
            "algorithm": self.algorithm,
            "clusters": self.clusters,
            "initialisation": self.initialisation,
            "fraction": self.fraction,
            **{f"{name}_pages" if name in ("train", "test") else name: n for name, n in _counts(self.prediction)},
            "bounds": dict(self.bounds),
            "rates": {language: self.rate(language) for language, _ in self.bounds},
            "test_rate": self.test_rate,
            "constant_rate": self.constant_rate,
            "undefined": self.undefined,
        }


@dataclass(frozen=True, slots=True)
class Choice:
    """The best of several clusterings in one language: the least bound, then the fewest clusters, then the first."""

    language: Language
    evaluation: Evaluation

    @property
    def rate(self) -> float:
        rate = self.evaluation.rate(self.language)
        assert rate is not None  # it was chosen by its bound
        return rate

    def to_dict(self) -> dict[str, Any]:
        chosen = self.evaluation
        return {
            "language": self.language,
            "algorithm": chosen.algorithm,
            "clusters": chosen.clusters,
            "initialisation": chosen.initialisation,
            "fraction": chosen.fraction,
            "bound": dict(chosen.bounds)[self.language],
            "rate": self.rate,
            "test_rate": chosen.test_rate,
            "constant_rate": chosen.constant_rate,
        }


@dataclass(frozen=True, slots=True)
class LanguageMean:
    """One bar of Fig. 6: the mean rate over what the language does not choose among itself.

    Simple over all clusterings, init over the best starts, cluster over the algorithms' best, algo the best alone.
    """

    language: Language
    rate: float
    choices: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ModelSelection:
    """Every clustering of a sweep on every split, and what the paper's figures draw of them.

    Attributes:
        pages, labels: how many pages were judged, and how many different labels they have.
        delta, seed: as given.
        algorithms: their names, in the order of the sweep.
        fractions: shares of the pages in the train set.
        evaluations: by fraction, then in the order of the sweep.
    """

    pages: int
    labels: int
    delta: float
    seed: int
    algorithms: tuple[str, ...]
    fractions: tuple[float, ...]
    evaluations: tuple[Evaluation, ...]

    def at(self, fraction: float) -> tuple[Evaluation, ...]:
        """Fig. 1: single runs, at one fraction (their rates in the language ``simple``)."""
        return tuple(found for found in self.evaluations if found.fraction == fraction)

    def best_starts(self, fraction: float) -> tuple[Choice, ...]:
        """Fig. 2: the best initialisation of each algorithm and number of clusters."""
        return _best_of_each("init", self.at(fraction), lambda found: (found.algorithm, found.clusters))

    def best_clusters(self, fraction: float) -> tuple[Choice, ...]:
        """Fig. 3: each algorithm's best number of clusters."""
        return _best_of_each("cluster", self.at(fraction), lambda found: found.algorithm)

    def over_fractions(self) -> tuple[Choice, ...]:
        """Fig. 4 and 5: the best of everything at each fraction."""
        return _best_of_each("algo", self.evaluations, lambda found: found.fraction)

    def languages(self, fraction: float) -> tuple[LanguageMean, ...]:
        """Fig. 6: the four languages side by side."""
        here = self.at(fraction)
        rates: dict[Language, list[float]] = {
            "simple": [rate for found in here if (rate := found.rate("simple")) is not None],
            "init": [choice.rate for choice in self.best_starts(fraction)],
            "cluster": [choice.rate for choice in self.best_clusters(fraction)],
            "algo": [choice.rate for choice in self.over_fractions() if choice.evaluation.fraction == fraction],
        }
        return tuple(
            LanguageMean(key, sum(values) / len(values), len(values)) for key, values in rates.items() if values
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, with the data of the figures for every fraction."""
        return {
            "pages": self.pages,
            "labels": self.labels,
            "delta": self.delta,
            "seed": self.seed,
            "algorithms": list(self.algorithms),
            "fractions": list(self.fractions),
            "evaluations": [found.to_dict() for found in self.evaluations],
            "over_fractions": [choice.to_dict() for choice in self.over_fractions()],
            "at_fraction": [
                {
                    "fraction": fraction,
                    "best_starts": [choice.to_dict() for choice in self.best_starts(fraction)],
                    "best_clusters": [choice.to_dict() for choice in self.best_clusters(fraction)],
                    "languages": [mean.to_dict() for mean in self.languages(fraction)],
                }
                for fraction in self.fractions
            ],
        }


def select_model(
    labels: Sequence[object] | IntArray,
    candidates: Sequence[Candidate],
    fractions: Sequence[float] = FRACTIONS,
    seed: int = 0,
    delta: float = 0.1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ModelSelection:
    """Judge every clustering of a sweep on every split.

    All clusterings see the same splits. A clustering counts with the number of clusters it was asked for or made,
    whichever is larger, so no bound is too small. ``initialisations`` is the number of starts with the same algorithm
    and number of clusters, ``algorithms`` the number of algorithms in the sweep.

    Args:
        labels: (pages,) the true label of each page; anything that can be told apart.
        candidates: the clusterings.
        fractions: shares of the pages in the train set, each above 0 and below 1.
        seed: of the splits and of what is left to chance; 0 or more.
        delta: probability that a bound does not hold.
        progress: called with (done, total) after each clustering and split.

    Raises:
        Undefined: there is one page only, so none is left to predict.
        InputError: clusterings that cannot be compared, or a fraction out of range.
    """
    codes = label_codes(labels)
    check_candidates(codes, candidates)
    if seed < 0:
        raise InputError([Problem("out-of-range", "seed", str(seed), "0 or more")])
    outside = [fraction for fraction in fractions if not 0 < fraction < 1]
    if outside or not fractions:
        raise InputError([Problem("out-of-range", "fractions", str(outside), "shares above 0 and below 1")])
    if codes.size == 1:
        raise Undefined("there is one page only, and none is left to predict")
    starts = Counter((candidate.algorithm, candidate.clusters) for candidate in candidates)
    algorithms = tuple(dict.fromkeys(candidate.algorithm for candidate in candidates))
    evaluations = []
    for fraction in fractions:
        train = train_pages(codes, fraction, seed)
        for candidate in candidates:
            prediction = predict(codes, candidate.cluster_of, train, seed)
            choices = starts[candidate.algorithm, candidate.clusters], len(algorithms)
            evaluations.append(_evaluate(candidate, fraction, prediction, int(codes.max()) + 1, choices, delta))
            progress(len(evaluations), len(fractions) * len(candidates))
    return ModelSelection(
        codes.size, int(codes.max()) + 1, delta, seed, algorithms, tuple(fractions), tuple(evaluations)
    )


def _evaluate(
    candidate: Candidate, fraction: float, prediction: Prediction, labels: int, choices: tuple[int, int], delta: float
) -> Evaluation:
    clusters = max(candidate.clusters, prediction.clusters)
    found, initialisation = prediction, candidate.initialisation
    languages = LANGUAGES if clusters > 1 else LANGUAGES[:2]
    bounds = tuple(
        (language, bound(found.train, found.test, found.train_errors, labels, clusters, language, *choices, delta))
        for language in languages
    )
    reason = "" if clusters > 1 else ONE_CLUSTER
    return Evaluation(candidate.algorithm, candidate.clusters, initialisation, fraction, prediction, bounds, reason)


def _best_of_each(
    language: Language, evaluations: Iterable[Evaluation], group: Callable[[Evaluation], Group]
) -> tuple[Choice, ...]:
    """The best of each group, groups in the order they come in; what has no bound in the language is left out."""
    best: dict[Group, Evaluation] = {}
    for found in evaluations:
        rate = found.rate(language)
        if rate is None:
            continue
        champion = best.setdefault(group(found), found)
        if (rate, found.clusters) < (champion.rate(language), champion.clusters):
            best[group(found)] = found
    return tuple(Choice(language, found) for found in best.values())


def _counts(prediction: Prediction) -> Iterable[tuple[str, int]]:
    return ((name if name != "clusters" else "clusters_made", count) for name, count in asdict(prediction).items())

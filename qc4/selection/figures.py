"""The data of the paper's figures for the parameter sweeps of one query, or as means over several queries.

A bound holds for one query, so each query is evaluated separately, and values are averaged, not pages.

Source: seed 002 (Banerjee & Langford, An Objective Evaluation Criterion for Clustering, KDD 2004), section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean
from typing import Any, TypeVar

from qc4.records import Record
from qc4.selection.languages import LANGUAGES, Language
from qc4.selection.prediction import Evaluation

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Choice(Record):
    """One mark of a figure: the best of several clusterings in one language, in each query that has one.

    The best has the smallest bound, then the fewest clusters, then comes first. Rates are fractions of the test pages,
    0 to 1, averaged over the queries.

    Attributes:
        language: the language of the bounds.
        evaluations: the chosen evaluations, one per query; at least one.
    """

    KEYS = "language algorithm clusters initialisation fraction bound? rate test_rate constant_rate queries?=_several"

    language: Language
    evaluations: tuple[Evaluation, ...]

    @property
    def algorithm(self) -> str | None:
        """The chosen algorithm; None if it differs between queries, as with the next two properties."""
        return _shared(found.algorithm for found in self.evaluations)

    @property
    def clusters(self) -> int | None:
        """The requested number of clusters."""
        return _shared(found.clusters for found in self.evaluations)

    @property
    def initialisation(self) -> int | None:
        return _shared(found.initialisation for found in self.evaluations)

    @property
    def fraction(self) -> float:
        """The fraction of pages in the train set, the same in every query."""
        return self.evaluations[0].fraction

    @property
    def bound(self) -> int | None:
        """The largest number of errors on the test set; None for several queries, whose test sets differ."""
        return None if self._several else self.evaluations[0].most_errors[self.language]

    @property
    def rate(self) -> float:
        """The bound on the test error rate."""
        return fmean(found.rates[self.language] for found in self.evaluations)

    @property
    def test_rate(self) -> float:
        """The actual test error rate."""
        return fmean(found.test_rate for found in self.evaluations)

    @property
    def constant_rate(self) -> float:
        """The test error rate of the best constant classifier."""
        return fmean(found.constant_rate for found in self.evaluations)

    @property
    def queries(self) -> int:
        return len(self.evaluations)

    @property
    def _several(self) -> int | None:
        return self.queries if self.queries > 1 else None


@dataclass(frozen=True, slots=True)
class LanguageMean(Record):
    """One bar of Fig. 6: the mean rate over the choices that the language does not make itself.

    Simple averages over all clusterings, init over the best initialisations, cluster over the algorithms' best; algo
    takes the best alone.

    Attributes:
        rate: 0 to 1; for several queries the mean of their means.
        choices: the number of choices, over all queries.
    """

    language: Language
    rate: float
    choices: int


@dataclass(frozen=True, slots=True)
class Figures(Record):
    """The figures of one or several queries.

    Attributes:
        sweeps: the evaluations of each query's parameter sweep.
    """

    KEYS = "queries fractions over_fractions at_fraction"

    sweeps: tuple[tuple[Evaluation, ...], ...]

    @property
    def queries(self) -> int:
        return len(self.sweeps)

    @property
    def fractions(self) -> tuple[float, ...]:
        """The training fractions, in order of appearance."""
        return tuple(dict.fromkeys(found.fraction for sweep in self.sweeps for found in sweep))

    def runs(self, fraction: float) -> tuple[Choice, ...]:
        """Return the data of Fig. 1: single runs."""
        return self._best("simple", ("algorithm", "clusters", "initialisation"), fraction)

    def best_starts(self, fraction: float, language: Language = "init") -> tuple[Choice, ...]:
        """Return the data of Fig. 2: the best initialisation of each algorithm and number of clusters."""
        return self._best(language, ("algorithm", "clusters"), fraction)

    def best_clusters(self, fraction: float) -> tuple[Choice, ...]:
        """Return the data of Fig. 3: each algorithm's best number of clusters."""
        return self._best("cluster", ("algorithm",), fraction)

    def over_fractions(self) -> tuple[Choice, ...]:
        """Return the data of Fig. 4 and 5: the best clustering at each fraction."""
        return self._best("algo", ())

    def best(self, fraction: float) -> tuple[Choice, ...]:
        """Return the mark of Fig. 4 and 5 at one fraction; none if no bound accounts for the choice of algorithm."""
        return self._best("algo", (), fraction)

    def languages(self, fraction: float) -> tuple[LanguageMean, ...]:
        """Return the data of Fig. 6: the four languages side by side, each over the queries with a value in it."""
        alone = [Figures((sweep,)) for sweep in self.sweeps]
        choices: dict[Language, list[tuple[Choice, ...]]] = {
            "simple": [query.runs(fraction) for query in alone],
            "init": [query.best_starts(fraction) for query in alone],
            "cluster": [query.best_clusters(fraction) for query in alone],
            "algo": [query.best(fraction) for query in alone],
        }
        return tuple(
            _language_mean(key, found) for key in LANGUAGES if (found := [some for some in choices[key] if some])
        )

    @property
    def at_fraction(self) -> list[dict[str, Any]]:
        """Return the data of the figures that show one fraction, for every fraction."""
        return [
            {
                "fraction": fraction,
                "best_starts": self.best_starts(fraction),
                "best_clusters": self.best_clusters(fraction),
                "languages": self.languages(fraction),
            }
            for fraction in self.fractions
        ]

    def _best(self, language: Language, group: tuple[str, ...], fraction: float | None = None) -> tuple[Choice, ...]:
        """Return the best of each group of each query, groups in order of appearance.

        Args:
            group: the attributes that define a group, besides the fraction.
            fraction: the only fraction to include; None for all.
        """
        chosen: dict[Any, list[Evaluation]] = {}
        for sweep in self.sweeps:
            found = (one for one in sweep if fraction is None or one.fraction == fraction)
            for key, best in _best_of_each(language, found, attrgetter("fraction", *group)).items():
                chosen.setdefault(key, []).append(best)
        return tuple(Choice(language, tuple(found)) for found in chosen.values())


def over_queries(selections: Sequence[Figures]) -> Figures:
    """Combine the queries of a collection.

    Raises:
        ValueError: there are no queries.
    """
    if not selections:
        raise ValueError("at least one query is needed")
    return Figures(tuple(sweep for selection in selections for sweep in selection.sweeps))


def _best_of_each(
    language: Language, evaluations: Iterable[Evaluation], group: Callable[[Evaluation], Any]
) -> dict[Any, Evaluation]:
    """Return the best of each group, groups in order of appearance, without groups that have no bound in the
    language."""
    best: dict[Any, tuple[tuple[float, int], Evaluation]] = {}
    for found in evaluations:
        rate = found.rate(language)
        if rate is None:
            continue
        value = rate, found.clusters
        champion, _ = best.setdefault(group(found), (value, found))
        if value < champion:
            best[group(found)] = value, found
    return {key: found for key, (_, found) in best.items()}


def _language_mean(language: Language, queries: Sequence[Sequence[Choice]]) -> LanguageMean:
    means = [sum(choice.rate for choice in choices) / len(choices) for choices in queries]
    return LanguageMean(language, fmean(means), sum(map(len, queries)))


def _shared(values: Iterable[Value]) -> Value | None:
    """Return the common value; None if the values differ."""
    different = set(values)
    return different.pop() if len(different) == 1 else None

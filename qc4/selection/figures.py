"""What the paper's figures draw of the sweeps of one query, or of several as means.

A bound holds for one query, so every query is judged and chooses alone, and then values are averaged, not pages.

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

    The best has the least bound, then the fewest clusters, then comes first. Rates are shares of the test pages, 0 to
    1, means over the queries.

    Attributes:
        language: the language of the bounds.
        evaluations: what was chosen, one per query; at least one.
    """

    KEYS = "language algorithm clusters initialisation fraction bound? rate test_rate constant_rate queries?=_several"

    language: Language
    evaluations: tuple[Evaluation, ...]

    @property
    def algorithm(self) -> str | None:
        """The algorithm chosen; None where it differs from query to query, as for the two numbers below."""
        return _shared(found.algorithm for found in self.evaluations)

    @property
    def clusters(self) -> int | None:
        """The number of clusters asked for."""
        return _shared(found.clusters for found in self.evaluations)

    @property
    def initialisation(self) -> int | None:
        return _shared(found.initialisation for found in self.evaluations)

    @property
    def fraction(self) -> float:
        """Share of the pages in the train set, the same in every query."""
        return self.evaluations[0].fraction

    @property
    def bound(self) -> int | None:
        """The most errors on the test set; None for several queries, whose test sets are not the same."""
        return None if self._several else self.evaluations[0].most_errors[self.language]

    @property
    def rate(self) -> float:
        """The bound on the test error rate."""
        return fmean(found.rates[self.language] for found in self.evaluations)

    @property
    def test_rate(self) -> float:
        """The test error rate there really is."""
        return fmean(found.test_rate for found in self.evaluations)

    @property
    def constant_rate(self) -> float:
        """Test error rate of the best constant classifier."""
        return fmean(found.constant_rate for found in self.evaluations)

    @property
    def queries(self) -> int:
        return len(self.evaluations)

    @property
    def _several(self) -> int | None:
        return self.queries if self.queries > 1 else None


@dataclass(frozen=True, slots=True)
class LanguageMean(Record):
    """One bar of Fig. 6: the mean rate over what the language does not choose among itself.

    Simple over all clusterings, init over the best starts, cluster over the algorithms' best, algo the best alone.

    Attributes:
        rate: 0 to 1; of several queries the mean of their means.
        choices: how many there are, of all queries together.
    """

    language: Language
    rate: float
    choices: int


@dataclass(frozen=True, slots=True)
class Figures(Record):
    """The figures of one query or several.

    Attributes:
        sweeps: of each query the evaluations of its sweep.
    """

    KEYS = "queries fractions over_fractions at_fraction"

    sweeps: tuple[tuple[Evaluation, ...], ...]

    @property
    def queries(self) -> int:
        return len(self.sweeps)

    @property
    def fractions(self) -> tuple[float, ...]:
        """The training fractions, in the order they come in."""
        return tuple(dict.fromkeys(found.fraction for sweep in self.sweeps for found in sweep))

    def runs(self, fraction: float) -> tuple[Choice, ...]:
        """Fig. 1: single runs."""
        return self._best("simple", ("algorithm", "clusters", "initialisation"), fraction)

    def best_starts(self, fraction: float, language: Language = "init") -> tuple[Choice, ...]:
        """Fig. 2: the best initialisation of each algorithm and number of clusters."""
        return self._best(language, ("algorithm", "clusters"), fraction)

    def best_clusters(self, fraction: float) -> tuple[Choice, ...]:
        """Fig. 3: each algorithm's best number of clusters."""
        return self._best("cluster", ("algorithm",), fraction)

    def over_fractions(self) -> tuple[Choice, ...]:
        """Fig. 4 and 5: the best of everything at each fraction."""
        return self._best("algo", ())

    def best(self, fraction: float) -> tuple[Choice, ...]:
        """The mark of Fig. 4 and 5 at one fraction; none if there is no bound where algorithms are chosen."""
        return self._best("algo", (), fraction)

    def languages(self, fraction: float) -> tuple[LanguageMean, ...]:
        """Fig. 6: the four languages side by side, each over the queries that have a value in it."""
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
        """The data of the figures that show one fraction, for every fraction."""
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
        """The best of each group of each query, groups in the order they come in.

        Args:
            group: the attributes in which evaluations of one group agree, besides the fraction.
            fraction: of these evaluations only; None for all.
        """
        chosen: dict[Any, list[Evaluation]] = {}
        for sweep in self.sweeps:
            found = (one for one in sweep if fraction is None or one.fraction == fraction)
            for key, best in _best_of_each(language, found, attrgetter("fraction", *group)).items():
                chosen.setdefault(key, []).append(best)
        return tuple(Choice(language, tuple(found)) for found in chosen.values())


def over_queries(selections: Sequence[Figures]) -> Figures:
    """The queries of a collection together.

    Raises:
        ValueError: there is none.
    """
    if not selections:
        raise ValueError("at least one query is needed")
    return Figures(tuple(sweep for selection in selections for sweep in selection.sweeps))


def _best_of_each(
    language: Language, evaluations: Iterable[Evaluation], group: Callable[[Evaluation], Any]
) -> dict[Any, Evaluation]:
    """The best of each group, groups in the order they come in; what has no bound in the language is left out."""
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
    """The value they all have; None if they differ."""
    different = set(values)
    return different.pop() if len(different) == 1 else None

"""Model selection over the queries of a collection: the same figures, each value the mean over queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from qc4.model_selection.languages import LANGUAGES, Language
from qc4.model_selection.selection import Choice, ModelSelection


@dataclass(frozen=True, slots=True)
class MeanChoice:
    """What was chosen query by query, on average.

    Attributes:
        language: the language of the bounds.
        algorithm: the algorithm they are all of; None where it was chosen as well.
        clusters: the number of clusters asked for; None where it was chosen as well.
        fraction: share of the pages in the train set.
        rate, test_rate, constant_rate: mean bound, test error, and error of the best constant classifier, 0 to 1.
        queries: how many queries have a value.
    """

    language: Language
    algorithm: str | None
    clusters: int | None
    fraction: float
    rate: float
    test_rate: float
    constant_rate: float
    queries: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CollectionSelection:
    """The sweeps of several queries, each judged alone: a bound holds for one query, so bounds are averaged, not pages.

    Attributes:
        selections: one per query.
    """

    selections: tuple[ModelSelection, ...]

    @property
    def fractions(self) -> tuple[float, ...]:
        """The training fractions of any query, in order."""
        return tuple(sorted({fraction for selection in self.selections for fraction in selection.fractions}))

    def best_starts(self, fraction: float) -> tuple[MeanChoice, ...]:
        """Fig. 2: per algorithm and number of clusters."""
        return _means(
            (choice for selection in self.selections for choice in selection.best_starts(fraction)),
            lambda choice: (choice.evaluation.algorithm, choice.evaluation.clusters),
        )

    def best_clusters(self, fraction: float) -> tuple[MeanChoice, ...]:
        """Fig. 3: per algorithm, each query with its own best number of clusters."""
        return _means(
            (choice for selection in self.selections for choice in selection.best_clusters(fraction)),
            lambda choice: (choice.evaluation.algorithm, None),
        )

    def over_fractions(self) -> tuple[MeanChoice, ...]:
        """Fig. 4 and 5: per training fraction, each query with its own best of everything."""
        choices = (choice for selection in self.selections for choice in selection.over_fractions())
        return _means(choices, lambda choice: (None, None))

    def languages(self, fraction: float) -> dict[Language, float]:
        """Fig. 6: the mean rate in each language, over the queries that have one."""
        found = [mean for selection in self.selections for mean in selection.languages(fraction)]
        rates = {key: [mean.rate for mean in found if mean.language == key] for key in LANGUAGES}
        return {key: fmean(values) for key, values in rates.items() if values}

    def to_dict(self) -> dict[str, Any]:
        return {
            "queries": len(self.selections),
            "fractions": list(self.fractions),
            "over_fractions": [choice.to_dict() for choice in self.over_fractions()],
            "at_fraction": [
                {
                    "fraction": fraction,
                    "best_starts": [choice.to_dict() for choice in self.best_starts(fraction)],
                    "best_clusters": [choice.to_dict() for choice in self.best_clusters(fraction)],
                    "languages": self.languages(fraction),
                }
                for fraction in self.fractions
            ],
        }


def over_queries(selections: Sequence[ModelSelection]) -> CollectionSelection:
    """The queries of a collection side by side.

    Raises:
        ValueError: there is none.
    """
    if not selections:
        raise ValueError("at least one query is needed")
    return CollectionSelection(tuple(selections))


def _means(
    choices: Iterable[Choice], group: Callable[[Choice], tuple[str | None, int | None]]
) -> tuple[MeanChoice, ...]:
    """One mean per group and training fraction, in the order they come in."""
    members: dict[tuple[str | None, int | None, float], list[Choice]] = {}
    for choice in choices:
        members.setdefault((*group(choice), choice.evaluation.fraction), []).append(choice)
    return tuple(
        MeanChoice(
            language=found[0].language,
            algorithm=algorithm,
            clusters=clusters,
            fraction=fraction,
            rate=fmean(choice.rate for choice in found),
            test_rate=fmean(choice.evaluation.test_rate for choice in found),
            constant_rate=fmean(choice.evaluation.constant_rate for choice in found),
            queries=len(found),
        )
        for (algorithm, clusters, fraction), found in members.items()
    )

"""A leaderboard column's result for each algorithm: its mean, its places, and its difference from a baseline."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import nan
from types import MappingProxyType
from typing import Any

import numpy as np

from evaluation.ranking.entries import Entry
from qc4.records import Record
from qc4.stats import PairResult, SystemResult


@dataclass(frozen=True, slots=True)
class BaselineComparison(Record):
    """An algorithm compared with the baseline. A positive ``difference`` means that it is better than the baseline."""

    difference: float
    low: float | None
    high: float | None
    wins: int
    ties: int
    losses: int
    p: float | None
    p_adjusted: float | None
    verdict: str


PLACES = (
    "rank_low", "rank_high", "could_be_best", "behind", "behind_low", "behind_high", "compact_letter_display",
)  # fmt: skip
"""Results of a system in the comparison of all pairs: fields of `Mean` and of `qc4.stats.SystemResult`."""


@dataclass(frozen=True, slots=True)
class Mean(Record):
    """One algorithm's mean of one measure over the queries.

    Attributes:
        value: the mean, None if no query counts. The means of compared algorithms are over the same queries.
        counted: number of queries behind the mean; shown beside it unless it is all of them (`count_words`).
        scored: number of queries with a value.
        total: number of chosen queries.
        missing: number of queries without a clustering.
        reason: why there is no value, in words.
        compared: whether it is not a reference and has values on enough queries to be ranked.
        beside: whether it is a reference whose mean is over the queries of the compared algorithms.
        rank: 1 for the best mean; None unless it is compared with others.
        rank_low, rank_high, could_be_best, behind, behind_low, behind_high, compact_letter_display: results of the
            tests of all pairs, see `qc4.stats.SystemResult`; None if not all pairs are tested.
        against: the comparison with the baseline, if one is chosen.
        runs: number of repeats that count together.
        runs_low: the lowest mean of a single run; None for one run.
        runs_deviation: standard deviation of the runs' means.
        flattened: number of queries for which a scoring option removed overlap.
        cut: number of queries for which nested clusters were cut.
    """

    value: float | None
    counted: int
    scored: int
    total: int
    missing: int
    reason: str = ""
    compared: bool = False
    beside: bool = False
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    could_be_best: bool | None = None
    behind: float | None = None
    behind_low: float | None = None
    behind_high: float | None = None
    compact_letter_display: str | None = None
    against: BaselineComparison | None = None
    runs: int = 1
    runs_low: float | None = None
    runs_high: float | None = None
    runs_deviation: float | None = None
    flattened: int = 0
    cut: int = 0

    def system(self, name: str) -> SystemResult | None:
        """Return the system's result in the comparison of all pairs; None if not all pairs are tested."""
        if self.rank is None or self.value is None or self.behind is None:
            return None
        places = {field: getattr(self, field) for field in PLACES}
        return SystemResult(name, self.value, self.rank, **places)


@dataclass(frozen=True, slots=True)
class Means(Mapping[int, Mean]):
    """Algorithm id -> its mean, stored field by field, because a page of many measures shows few fields of each.

    Attributes:
        places: algorithm id -> its position in each list.
        facts: name of a field of `Mean` -> its values.
        same: name of a field -> its value, for fields that are equal for all algorithms.
    """

    places: Mapping[int, int]
    facts: Mapping[str, Sequence[Any]]
    same: Mapping[str, Any]

    @classmethod
    def of(cls, found: Mapping[int, Mean]) -> Means:
        facts = {name: [getattr(mean, name) for mean in found.values()] for name in Mean.__slots__}
        same = {name: values[0] for name, values in facts.items() if values and values.count(values[0]) == len(values)}
        several = {name: values for name, values in facts.items() if name not in same}
        return cls({pk: place for place, pk in enumerate(found)}, several, same)

    def each(self, name: str) -> Sequence[Any]:
        """Return one field of all algorithms, in the order of `places`."""
        return self.facts[name] if name in self.facts else [self.same.get(name)] * len(self.places)

    def __getitem__(self, algorithm: int) -> Mean:
        place = self.places[algorithm]
        return Mean(**{name: values[place] for name, values in self.facts.items()}, **self.same)

    def __iter__(self) -> Iterator[int]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True)
class ColumnStanding:
    """The means of a column, and the tests of its algorithms.

    Attributes:
        queries: number of queries on which algorithms are compared; 0 if none are compared.
        ranks: whether the algorithms were tested against each other.
        note: why there are no ranks, or another note.
        sentence: which algorithms could be the best, for a ranking column.
        methods: the method, in sentences for a paper.
        family: the pairs that were tested together: "all", or "baseline"; empty if none were.
        family_size: number of these pairs.
        critical_value: number of standard errors above which a difference is significant.
        any_difference_p: p-value of the hypothesis that no pair differs.
    """

    means: Means
    queries: int
    ranks: bool
    note: str = ""
    sentence: str = ""
    methods: str = ""
    family: str = ""
    family_size: int = 0
    critical_value: float | None = None
    any_difference_p: float | None = None


def round_for_ties(value: float) -> float:
    """Round a value so that differences in the last floating-point digits are ties."""
    return round(value, 12)


def mean_sort_key(value: float | None, name: str, better: str) -> tuple[bool, float, str]:
    """Return a sort key for means as on leaderboards: best first, ties by name, those without a mean last by name."""
    return value is None, (-1 if better == "higher" else 1) * round_for_ties(value or 0.0), name.casefold()


def best_first(entries: Iterable[Entry], means: Means, better: str) -> list[Entry]:
    """Sort entries by their means, see `place`."""
    return sorted(entries, key=lambda one: mean_sort_key(means[one.algorithm.pk].value, one.algorithm.name, better))


def against_baseline(pair: PairResult, baseline: str) -> BaselineComparison:
    """Return a pair's result from the view of the algorithm that is not the baseline."""
    if pair.b == baseline:
        low, high, wins, losses, difference = pair.low, pair.high, pair.wins, pair.losses, pair.difference
    else:
        low, high = (None if end is None else 0.0 - end for end in (pair.high, pair.low))
        wins, losses, difference = pair.losses, pair.wins, 0.0 - pair.difference
    return BaselineComparison(difference, low, high, wins, pair.ties, losses, pair.p, pair.p_adjusted, pair.verdict)


def pack_standing(standing: ColumnStanding) -> dict[str, Any]:
    """Return a standing as it is stored: numbers in base 64, which a page of many measures reads ten times faster."""
    means = standing.means
    facts = {name: _packed(values) for name, values in means.facts.items()}
    against = [one and [getattr(one, name) for name in BaselineComparison.__slots__] for one in means.each("against")]
    return {
        **{name: getattr(standing, name) for name in ColumnStanding.__slots__ if name != "means"},
        "algorithms": " ".join(map(str, means)),
        "facts": {**facts, "against": against} if any(against) else facts,
        "same": {name: value for name, value in means.same.items() if name != "against" or value is None},
    }


def unpack_standing(content: dict[str, Any]) -> ColumnStanding:
    """Read a standing that `pack_standing` returned."""
    facts = {name: _unpacked(values) for name, values in content["facts"].items()}
    if "against" in facts:
        facts["against"] = [BaselineComparison(*row) if row else None for row in facts["against"]]
    parts = {name: content[name] for name in ColumnStanding.__slots__ if name != "means"}
    return ColumnStanding(Means(_places(content["algorithms"]), facts, content["same"]), **parts)


@lru_cache(maxsize=16)  # the same for each column of a board
def _places(algorithms: str) -> Mapping[int, int]:
    """Return algorithm id -> its position in the text."""
    return MappingProxyType({int(pk): place for place, pk in enumerate(algorithms.split())})


def _packed(values: Sequence[Any]) -> Sequence[Any] | str:
    """Pack real numbers and None as little-endian doubles (NaN for None); return any other values unchanged."""
    if any(value is not None and not isinstance(value, float) for value in values):
        return values
    return b64encode(np.array([nan if value is None else value for value in values], dtype="<f8").tobytes()).decode()


def _unpacked(stored: Sequence[Any] | str) -> Sequence[Any]:
    if not isinstance(stored, str):
        return stored
    numbers = np.frombuffer(b64decode(stored), dtype="<f8")
    listed: list[float] = numbers.tolist()
    return [None if value != value else value for value in listed] if np.isnan(numbers).any() else listed

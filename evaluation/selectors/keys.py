"""What a standing follows from, and the keys under which it and other answers are kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from annotations.models import GoldVersion
from evaluation.models import Standing
from evaluation.selectors.columns import Column
from evaluation.selectors.entries import Entry
from qc4.comparison import (
    Bin,
    ByCovariate,
    Comparison,
    FamilySummary,
    FOfMeans,
    FOfMeansPair,
    FOfMeansSystem,
    MeasureAgreement,
    MeasureComparison,
    Method,
    PairResult,
    Robustness,
    RobustnessRow,
    SystemResult,
    WhereBetter,
)
from qc4.comparison.scores import Missing
from qc4.version import ENGINE_VERSION

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

LAYOUT = 10
"""Version of the stored content of this site. Content with another version is computed again."""
RECORDS = (
    Bin, ByCovariate, Comparison, FOfMeans, FOfMeansPair, FOfMeansSystem, FamilySummary, MeasureAgreement,
    MeasureComparison, PairResult, Robustness, RobustnessRow, SystemResult, WhereBetter,
)  # fmt: skip
"""Records of the engine that are stored."""
SHAPES = [[field.name for field in fields(record)] for record in RECORDS]
"""Fields of the engine's records: content that was stored with other fields is computed again, too."""

Keep = Callable[[dict[str, Any]], None]
"""What is done with rows to store, key -> content: `evaluation.services.standings.keep`."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a standing follows from: everything that could change it."""

    version: GoldVersion
    entries: tuple[Entry, ...]
    queries: tuple[int, ...]
    missing: Missing
    method: Method
    baseline: int | None = None

    def keys(self, columns: Iterable[Column], ranking: Column | None) -> dict[Column, str]:
        """SHA-256 of the question for each column."""
        common, found = self._common(), {}
        for column in columns:
            of_column = common.copy()
            ranks = [True, self.baseline] if column == ranking else [False, None]
            of_column.update(json.dumps([*column.place, *ranks]).encode())
            found[column] = of_column.hexdigest()
        return found

    def digest(self, *facts: object) -> str:
        """SHA-256 of the question and what else an answer follows from; the first fact says of what kind it is."""
        found = self._common()
        found.update(json.dumps(facts, sort_keys=True).encode())
        return found.hexdigest()

    def _common(self) -> Hash:
        runs = sorted(
            (entry.algorithm.pk, entry.algorithm.name, sorted(run.pk for run in entry.runs))
            for entry in self.entries
            if entry.runs
        )
        facts = [self.version.pk, runs, sorted(self.queries), self.missing, vars_of(self.method)]
        return _hashed(*facts)


def digest(*facts: object) -> str:
    """The key of what follows from these facts and the engine."""
    return _hashed(*facts).hexdigest()


def _hashed(*facts: object) -> Hash:
    return hashlib.sha256(json.dumps([LAYOUT, SHAPES, ENGINE_VERSION, *facts], sort_keys=True).encode())


def contents(keys: Collection[str]) -> dict[str, Any]:
    """Key -> what is kept under it, for those that are. One query to the database."""
    return dict(Standing.objects.filter(key__in=keys).values_list("key", "content"))


def vars_of(method: Method) -> dict[str, Any]:
    """The options of a method by name."""
    return {name: getattr(method, name) for name in method.__slots__}

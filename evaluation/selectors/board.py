"""What a leaderboard holds: rows of algorithms, each with its means; as records, for files and the API."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from annotations.models import Collection, GoldVersion
from evaluation.models import Algorithm, Run, Submission
from evaluation.selectors.columns import Column
from evaluation.selectors.scores import Cell, ScoredQuery
from qc4.records import Record
from qc4.version import ENGINE_VERSION

MissingRule = Literal["zero", "skip"]
MISSING_RULES: dict[str, str] = {
    "zero": "counts as 0 (where lower is better: as the worst value, or left out if there is none)",
    "skip": "is left out of the mean",
}


@dataclass(frozen=True, slots=True)
class Mean(Record):
    """A measure over the queries, for one algorithm: a value, or the reason why there is none.

    Attributes:
        value: the mean, None if no query counts.
        counted: how many queries the mean is over.
        scored: how many queries have a value of their own.
        total: how many queries have the column's level at all.
        missing: keys of queries without a clustering.
        undefined_queries: query key -> why it has no value.
        cells: one per query of the board.
        is_best: whether no other algorithm (the gold standard itself aside) is better.
    """

    KEYS = "value undefined=reason|null counted scored queries=total missing undefined_queries per_query"

    value: float | None
    counted: int
    scored: int
    total: int
    missing: tuple[str, ...]
    undefined_queries: dict[str, str]
    cells: tuple[Cell, ...]
    is_best: bool = False

    @property
    def reason(self) -> str:
        """Why there is no value, in words."""
        if self.value is not None:
            return ""
        if not self.total:
            return "no query has this level"
        if self.undefined_queries:
            first = next(iter(self.undefined_queries.values()))
            return f"undefined on {len(self.undefined_queries)} of {self.total} queries: {first}"
        return "no query has a score"

    @property
    def per_query(self) -> list[float | None]:
        """In the order of the board's `queries`."""
        return [cell.value for cell in self.cells]


@dataclass(slots=True)
class Row(Record):
    """One algorithm. ``run`` is None while none of its visible submissions is scored against the board's version.

    Attributes:
        older_gold: whether a later gold version exists than the board's.
        older_vectors: whether a query got other vectors since, and a measure that looks at them is shown.
        newer: a later submission than the one shown, not scored (yet).
        waiting: why it has no scores yet.
    """

    TITLE = "BoardRow"
    KEYS = (
        "rank algorithm=algorithm.name baseline=algorithm.baseline|null submission=submission?.pk run=run?.pk "
        "engines outdated newer_submission=newer?.pk waiting|null scores=means"
    )

    algorithm: Algorithm
    submission: Submission | None
    run: Run | None
    means: dict[str, Mean] = field(default_factory=dict)
    rank: int | None = None
    engines: tuple[str, ...] = ()
    older_gold: bool = False
    older_vectors: bool = False
    newer: Submission | None = None
    waiting: str = ""

    @property
    def is_gold(self) -> bool:
        return self.algorithm.baseline == "gold"

    @property
    def outdated_engine(self) -> bool:
        return any(engine != ENGINE_VERSION for engine in self.engines)

    @property
    def outdated(self) -> bool:
        """Whether a newer engine, other vectors or another gold standard would give other scores."""
        return self.outdated_engine or self.older_vectors or self.older_gold


@dataclass(frozen=True, slots=True)
class Board(Record):
    """Everything a leaderboard shows. ``rows`` are best first; those without a value of the sort column come last.

    Attributes:
        missing: what a query without a clustering counts.
    """

    KEYS = (
        "collection=collection.slug gold_version=version?.number gold_sha256=version?.sha256 engine sort=sort.key "
        "missing queries=query_keys measures=columns rows"
    )

    collection: Collection
    version: GoldVersion | None
    latest_version: GoldVersion | None
    queries: tuple[ScoredQuery, ...]
    columns: tuple[Column, ...]
    sort: Column
    is_reversed: bool
    level: str
    levels: tuple[str, ...]
    missing: MissingRule
    rows: tuple[Row, ...]

    @property
    def engine(self) -> str:
        return ENGINE_VERSION

    @property
    def query_keys(self) -> list[str]:
        return [query.key for query in self.queries]

    @property
    def is_outdated(self) -> bool:
        """Whether a later gold version exists."""
        return self.version != self.latest_version

    @property
    def waits(self) -> bool:
        """Whether some algorithm has no scores yet, or only older ones."""
        return any(row.run is None or row.newer for row in self.rows)

    @property
    def best_is_low(self) -> bool:
        """Whether the sort column is better the lower it is."""
        return self.sort.measure.better == "lower"

    @property
    def strip_range(self) -> tuple[float, float]:
        """What the strips of per-query scores reach from and to: the measure's range, or that of the values shown."""
        means = [row.means[self.sort.key] for row in self.rows if self.sort.key in row.means]
        values = [cell.value for mean in means for cell in mean.cells if cell.value is not None]
        low = self.sort.measure.low if self.sort.measure.low is not None else min(values, default=0.0)
        high = self.sort.measure.high if self.sort.measure.high is not None else max(values, default=1.0)
        return low, high

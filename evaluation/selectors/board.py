"""What a leaderboard holds: rows of algorithms, each with its means, and how it all looks as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from annotations.models import Collection, GoldVersion
from evaluation.models import Algorithm, Run, Submission
from evaluation.selectors.columns import Column
from evaluation.selectors.scores import Cell, ScoredQuery
from qc4.version import ENGINE_VERSION

MissingRule = Literal["zero", "skip"]
MISSING_RULES: dict[str, str] = {
    "zero": "counts as 0 (where lower is better: as the worst value, or left out if there is none)",
    "skip": "is left out of the mean",
}


@dataclass(frozen=True, slots=True)
class Mean:
    """A measure over the queries, for one algorithm.

    Attributes:
        value: the mean, None if no query counts.
        counted: how many queries the mean is over.
        scored: how many queries have a value of their own.
        total: how many queries have the column's level at all.
        missing: keys of queries without a clustering.
        undefined: query key -> why it has no value.
        cells: one per query of the board.
        is_best: whether no other algorithm (the gold standard itself aside) is better.
    """

    value: float | None
    counted: int
    scored: int
    total: int
    missing: tuple[str, ...]
    undefined: dict[str, str]
    cells: tuple[Cell, ...]
    is_best: bool = False

    @property
    def reason(self) -> str:
        """Why there is no value, in words."""
        if self.value is not None:
            return ""
        if not self.total:
            return "no query has this level"
        if self.undefined:
            first = next(iter(self.undefined.values()))
            return f"undefined on {len(self.undefined)} of {self.total} queries: {first}"
        return "no query has a score"


@dataclass(slots=True)
class Row:
    """One algorithm. ``run`` is None while none of its visible submissions is scored against the board's version."""

    algorithm: Algorithm
    submission: Submission | None
    run: Run | None
    means: dict[str, Mean] = field(default_factory=dict)
    rank: int | None = None
    engines: tuple[str, ...] = ()
    # Whether a query got other vectors since, and a measure that looks at them is shown.
    older_vectors: bool = False
    # A later submission than the one shown, not scored (yet).
    newer: Submission | None = None
    waiting: str = ""

    @property
    def is_gold(self) -> bool:
        return self.algorithm.baseline == "gold"

    @property
    def outdated_engine(self) -> bool:
        return any(engine != ENGINE_VERSION for engine in self.engines)


@dataclass(frozen=True, slots=True)
class Board:
    """Everything a leaderboard shows. ``rows`` are sorted; those without a value of the sort column come last."""

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

    def to_dict(self) -> dict[str, Any]:
        """The board as JSON values, for files and the API."""
        return {
            "collection": self.collection.slug,
            "gold_version": self.version.number if self.version else None,
            "gold_sha256": self.version.sha256 if self.version else None,
            "engine": ENGINE_VERSION,
            "sort": self.sort.key,
            "missing": self.missing,
            "queries": [query.key for query in self.queries],
            "measures": [
                {
                    "measure": column.key,
                    "title": column.measure.title,
                    "level": column.level or None,
                    "better": column.measure.better,
                }
                for column in self.columns
            ],
            "rows": [self._row_dict(row) for row in self.rows],
        }

    def _row_dict(self, row: Row) -> dict[str, Any]:
        return {
            "rank": row.rank,
            "algorithm": row.algorithm.name,
            "baseline": row.algorithm.baseline or None,
            "submission": row.submission.pk if row.submission else None,
            "run": row.run.pk if row.run else None,
            "engines": list(row.engines),
            "outdated": row.outdated_engine or row.older_vectors or self.is_outdated,
            "newer_submission": row.newer.pk if row.newer else None,
            "waiting": row.waiting or None,
            "scores": {
                key: {
                    "value": mean.value,
                    "undefined": mean.reason or None,
                    "counted": mean.counted,
                    "scored": mean.scored,
                    "queries": mean.total,
                    "missing": list(mean.missing),
                    "undefined_queries": mean.undefined,
                    "per_query": [cell.value for cell in mean.cells],
                }
                for key, mean in row.means.items()
            },
        }

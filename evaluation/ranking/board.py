"""The content of a leaderboard: rows of algorithms with their means, as records for pages, files and the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

import numpy as np

from annotations.models import Collection, GoldVersion
from evaluation.models import Algorithm, Run, Submission
from evaluation.ranking.entries import Entry, OfEntry, rule_sentences
from evaluation.ranking.means import ColumnStanding, Mean, round_for_ties
from evaluation.ranking.wording import ScoredAlgorithm, reference_notes, rule_words, source_words
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.options import BoardOptions
from evaluation.scoring.scores import Cell, ScoredQuery, State
from evaluation.scoring.tables import Table
from qc4.arrays import FloatArray
from qc4.records import Record
from qc4.stats import FOfMeans, FOfMeansSystem, SystemResult, place_words
from qc4.version import ENGINE_VERSION


@dataclass(frozen=True, slots=True)
class BoardMean(Record):
    """A mean with the queries behind it.

    Attributes:
        missing: keys of queries without a clustering.
        undefined_queries: query key -> why it has no value.
        per_query: values in the order of the board's `queries`.
    """

    TITLE = "BoardMean"
    KEYS = (
        "value=mean.value undefined=mean.reason|null "
        "counted=mean.counted scored=mean.scored queries=mean.total missing undefined_queries per_query "
        "compared=mean.compared rank_low=mean.rank_low rank_high=mean.rank_high could_be_best=mean.could_be_best "
        "behind=mean.behind behind_low=mean.behind_low behind_high=mean.behind_high "
        "compact_letter_display=mean.compact_letter_display against_baseline=mean.against runs=mean.runs "
        "runs_low=mean.runs_low runs_high=mean.runs_high "
        "runs_deviation=mean.runs_deviation flattened=mean.flattened cut=mean.cut"
    )

    mean: Mean
    missing: tuple[str, ...]
    undefined_queries: dict[str, str]
    per_query: tuple[float | None, ...]

    @classmethod
    def of(cls, mean: Mean, table: Table, row: int) -> BoardMean:
        gaps = sorted(table.gaps[row].items())
        return cls(
            mean,
            tuple(table.queries[place].key for place, gap in gaps if gap.state is State.MISSING),
            {table.queries[place].key: gap.reason for place, gap in gaps if gap.state is State.UNDEFINED},
            tuple(table.listed(row)),
        )


class RowGroup(Enum):
    """The groups of rows, in their order on the leaderboard."""

    RANKED = "ranked"
    PARTIAL = "partial"
    NOTHING = "nothing"


@dataclass(slots=True, eq=False)
class BoardRow(OfEntry, Record):
    """One algorithm. ``run`` is None until one of its visible submissions is scored against the board's version.

    Attributes:
        standings: column key -> the means of all algorithms.
        details: column key -> a mean with the queries behind it, if details were requested.
        numbers: values of the ranking column, one per query; NaN for no value.
        gaps: position of a query -> why it has no value.
        older_gold: whether a later gold version exists than the board's.
        older_vectors: whether a query has newer vectors, and a measure on vectors is shown.
    """

    TITLE = "BoardRow"
    KEYS = (
        "rank rank_low=mean?.rank_low rank_high=mean?.rank_high could_be_best=mean?.could_be_best "
        "behind=mean?.behind behind_low=mean?.behind_low behind_high=mean?.behind_high "
        "compact_letter_display=mean?.compact_letter_display "
        "algorithm=algorithm.name algorithm_id=algorithm.pk baseline=algorithm.baseline|null "
        "reference=is_reference submission=submission.pk submitted_by submitted_at counts run=run?.pk repeats engines "
        "outdated newer_submission=newer?.pk waiting|null scores=details"
    )

    entry: Entry
    mean: Mean | None = None
    standings: Mapping[str, ColumnStanding] = field(default_factory=dict)
    details: dict[str, BoardMean] = field(default_factory=dict)
    numbers: FloatArray = field(default_factory=lambda: np.empty(0))
    gaps: Mapping[int, Cell] = field(default_factory=dict)
    engines: tuple[str, ...] = ()
    older_gold: bool = False
    older_vectors: bool = False

    @property
    def means(self) -> dict[str, Mean]:
        """Column key -> its mean; empty without a run."""
        return {key: standing.means[self.algorithm.pk] for key, standing in self.standings.items()}

    def mean_in(self, column: str) -> float | None:
        """Return the mean in one column; None without such a column, a mean or a run."""
        standing = self.standings.get(column)
        return None if standing is None else standing.means[self.algorithm.pk].value

    @property
    def repeats(self) -> tuple[str, ...]:
        """The names of the repeats that count together; empty if there is only one run."""
        submissions = [run.submission for run in self.entry.runs] if len(self.entry.runs) > 1 else []
        return tuple(submission.repeat for submission in submissions if submission is not None)

    @property
    def submitted_by(self) -> str | None:
        """The submitter's user name; None for the site itself."""
        return self.entry.submitted_by

    @property
    def submitted_at(self) -> datetime:
        return self.entry.submission.created_at

    @property
    def counts(self) -> str:
        """The rule that chose the effective submission: "latest", "best by QC4-F", "pinned"."""
        return self.entry.rule.words

    @property
    def run(self) -> Run | None:
        return self.entry.run

    @property
    def newer(self) -> Submission | None:
        """A later submission than the one shown that is not scored yet."""
        return self.entry.newer

    @property
    def waiting(self) -> str:
        """The reason why it has no scores yet."""
        return self.entry.waiting

    @property
    def group(self) -> RowGroup:
        """RANKED if compared, or shown beside these; PARTIAL if values are too few; NOTHING without a value."""
        if self.mean is None or self.mean.value is None:
            return RowGroup.NOTHING
        return RowGroup.RANKED if self.mean.compared or self.mean.beside else RowGroup.PARTIAL

    @property
    def rank(self) -> int | None:
        return self.mean.rank if self.mean else None

    @property
    def system(self) -> SystemResult | None:
        """The system's result in the comparison of all pairs, in the ranking column."""
        return self.mean.system(self.algorithm.name) if self.mean else None

    @property
    def ranks(self) -> str:
        """The places that the algorithm can have, as in "1–3"; only its rank if not all pairs are tested."""
        system = self.system
        return place_words(system) if system is not None else str(self.rank or "–")

    @property
    def could_be_best(self) -> bool:
        """True if no algorithm is significantly better."""
        return bool(self.mean and self.mean.could_be_best)

    @property
    def outdated_engine(self) -> bool:
        return any(engine != ENGINE_VERSION for engine in self.engines)

    @property
    def outdated(self) -> bool:
        """True if a newer engine, newer vectors or a newer gold standard would give other scores."""
        return self.outdated_engine or self.older_vectors or self.older_gold


@dataclass(frozen=True, slots=True)
class Board(Record):
    """Everything a leaderboard shows. ``rows`` are best first; those without a value in the sort column come last.

    Attributes:
        choice: the options of the page.
        queries: the shown queries; ``all_queries`` are all of the version.
        algorithms: every algorithm that can be shown, id -> row.
        standings: column key -> means and tests; empty if nothing is scored.
        standing: that of the ranking column.
        pending: whether places and tests are still being computed.
        deepest: the largest depth of its algorithms' clusters, on queries that are not hidden.
        f_of_means: the F of mean quality and mean coverage, if both are shown beside QC4-F.
    """

    KEYS = (
        "collection=collection.slug gold_version=version?.number gold_sha256=version?.sha256 engine sort=sort.key "
        "missing=choice.missing policies=choice.policies baseline baseline_note|null alpha=choice.method.alpha "
        "procedure=choice.method.procedure seed=choice.method.seed draws=choice.method.draws "
        "family=standing.family|null family_size=standing.family_size critical_value=standing.critical_value "
        "any_difference_p=standing.any_difference_p compared_queries=standing.queries "
        "note=standing.note|null sentence=standing.sentence|null reference_notes methods|null "
        "queries=query_keys query_texts measures=columns f_of_means rows"
    )

    collection: Collection
    version: GoldVersion | None
    latest_version: GoldVersion | None
    choice: BoardOptions
    all_queries: tuple[ScoredQuery, ...]
    queries: tuple[ScoredQuery, ...]
    columns: tuple[BoardColumn, ...]
    sort: BoardColumn
    levels: tuple[str, ...]
    algorithms: dict[int, Algorithm]
    rows: tuple[BoardRow, ...]
    standings: Mapping[str, ColumnStanding]
    standing: ColumnStanding
    pending: bool = False
    deepest: int = 1
    f_of_means: FOfMeans | None = None

    @property
    def shows_f_of_means(self) -> bool:
        """True if the board has the column F of the means, beside QC4-F, quality and coverage."""
        return self.f_of_means is not None

    def f_of_rows(self) -> dict[int, FOfMeansSystem | None]:
        """Return algorithm id -> its F of the means, for those with scores; empty if the column is not shown."""
        if self.f_of_means is None:
            return {}
        named = {one.system: one for one in self.f_of_means.systems}
        scored = (row for row in self.rows if row.run is not None)
        return {row.algorithm.pk: named.get(row.algorithm.name) or self._f_of_reference(row) for row in scored}

    def _f_of_reference(self, row: BoardRow) -> FOfMeansSystem | None:
        """Return the F of a reference's means, without an interval; None for an algorithm that is not compared."""
        quality, coverage, f = (row.standings[key].means[row.algorithm.pk] for key in ("quality", "coverage", "qc4_f"))
        if not (quality.beside and coverage.beside) or quality.value is None or coverage.value is None:
            return None
        both = quality.value + coverage.value
        value = 2 * quality.value * coverage.value / both if both else 0.0
        return FOfMeansSystem(
            row.algorithm.name, quality.value, coverage.value, value, None, None, "none", f.value or 0.0
        )

    @property
    def engine(self) -> str:
        return ENGINE_VERSION

    @property
    def baseline(self) -> str | None:
        """The name of the algorithm with which the others are compared."""
        return self.algorithms[self.choice.baseline].name if self.choice.baseline in self.algorithms else None

    @property
    def baseline_note(self) -> str:
        """Why the chosen baseline is not used; empty if it is, or if no algorithm could be compared with it."""
        row = next((row for row in self.rows if row.algorithm.pk == self.choice.baseline), None)
        if row is None or self.pending or self.compares or (row.mean is not None and row.mean.compared):
            return ""
        if row.mean is None or row.mean.value is None:
            why = row.mean.reason if row.mean else row.waiting
        else:
            why = (
                "the gold standard itself"
                if row.is_gold
                else f"values on {row.mean.scored} of {row.mean.total} queries"
            )
        return unusable_baseline_note(row.algorithm.name, why)

    @property
    def compares(self) -> bool:
        """True if the rows are compared with a baseline."""
        return any(row.mean is not None and row.mean.against is not None for row in self.rows)

    @property
    def query_keys(self) -> list[str]:
        return [query.key for query in self.queries]

    @property
    def query_texts(self) -> list[str]:
        """The names of the queries on pages, in the same order."""
        return [query.text for query in self.queries]

    @property
    def is_outdated(self) -> bool:
        """True if a later gold version exists."""
        return self.version != self.latest_version

    @property
    def waits(self) -> bool:
        """True if an algorithm has no scores yet, or only those of an older submission."""
        return any(row.run is None or row.newer for row in self.rows)

    @property
    def best_is_low(self) -> bool:
        """True if lower values of the sort column are better."""
        return self.sort.measure.better == "lower"

    @property
    def compared(self) -> tuple[BoardRow, ...]:
        """The rows whose algorithms are compared in the sort column, best first."""
        return tuple(
            sorted((row for row in self.rows if row.mean and row.mean.compared), key=lambda row: row.rank or 0)
        )

    @property
    def reference_notes(self) -> tuple[str, ...]:
        """Notes on references that score better than algorithms in the ranking column."""
        sign = -1 if self.best_is_low else 1
        everybody = (
            ScoredAlgorithm(
                row.algorithm.name,
                row.algorithm.baseline,
                row.is_reference,
                sign * row.mean.value,
                row.mean_in("qc4_f") if row.is_reference else None,
            )
            for row in self.rows
            if row.mean is not None and row.mean.value is not None and (row.mean.compared or row.mean.beside)
        )
        return reference_notes(everybody, self.sort.measure.title)

    @property
    def shows_places(self) -> bool:
        """True if all pairs are tested, so that algorithms have places and distances from the best."""
        return any(row.system is not None and row.system.rank_low is not None for row in self.rows)

    def level_of(self, baseline: str) -> float | None:
        """Return the mean of a built-in baseline: ``gold`` is the gold standard itself, ``random`` is chance."""
        means = [
            row.mean.value
            for row in self.rows
            if row.algorithm.baseline == baseline and not row.algorithm.settings and row.mean
        ]
        return means[0] if means else None

    @property
    def methods(self) -> str:
        """The method in sentences for a paper; empty if nothing was computed."""
        if self.version is None or not self.standing.methods:
            return ""
        name = self.sort.named(self.deepest)
        chosen = rule_sentences(row.entry for row in self.rows)
        return f"{name} on {source_words(self)}; {rule_words(self)}. {self.standing.methods}{chosen}"

    @property
    def cut_words(self) -> str:
        """The depths at which shown measures cut nested clusters; empty if they cut none."""
        words = sorted({column.depth_words for column in self.columns} - {""})
        return f"{words[0]} ({words[1]} where a measure has no level)" if len(words) == 2 else "".join(words)

    @property
    def value_range(self) -> tuple[float, float]:
        """The range of scores in the sort column: the measure's range, or that of the shown values."""
        low, high = self.sort.measure.low, self.sort.measure.high
        if low is None or high is None:
            values = np.concatenate([row.numbers[~np.isnan(row.numbers)] for row in self.rows] or [np.empty(0)])
            low = low if low is not None else float(values.min(initial=0.0))
            high = high if high is not None else float(values.max(initial=1.0))
        return low, high

    @property
    def best(self) -> dict[str, frozenset[int]]:
        """Column key -> the compared algorithms with the best mean: all of them in a tie, and none if only one is
        compared."""
        return {column.key: _best(column, self.standings[column.key]) for column in self.columns if self.standings}


def unusable_baseline_note(name: str, why: str) -> str:
    """Say why the chosen baseline is not used."""
    return f"{name} cannot be the baseline ({why}). Every pair of algorithms is tested instead."


def _best(column: BoardColumn, standing: ColumnStanding) -> frozenset[int]:
    means = standing.means
    found = {
        pk: value
        for pk, value, compared in zip(means, means.each("value"), means.each("compared"), strict=True)
        if compared
    }
    if len(found) < 2:
        return frozenset()
    best = round_for_ties((max if column.measure.better == "higher" else min)(found.values()))
    near = {pk: value for pk, value in found.items() if abs(value - best) < 1e-9}
    return frozenset(pk for pk, value in near.items() if round_for_ties(value) == best)

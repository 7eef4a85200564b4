"""Quality against coverage and the three charts of the QC4 paper's Fig. 1, for any collection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import fsum

from accounts.person import Person
from annotations.models import Collection
from common.parameters import Parameters, one_option
from evaluation.ranking.board import BoardRow
from evaluation.ranking.entries import Entry, OfEntry
from evaluation.ranking.leaderboard import OfSelection, Selection, ordered, select
from evaluation.ranking.means import ColumnStanding, Mean
from evaluation.ranking.standings import standings
from evaluation.ranking.wording import source_sentence
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.options import BoardOptions
from qc4.measures.registry import REGISTRY
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.wording import quoted

WEIGHTS: dict[str, str] = {
    "combined": "average and weighted combined",
    "average": "average: all count the same",
    "weighted": "weighted by size",
}
"""The versions of quality and coverage. The first is the default, as in the paper's Fig. 1."""
QUALITY = {"combined": "quality", "average": "aq", "weighted": "wq"}
COVERAGE = {"combined": "coverage", "average": "ac", "weighted": "wc"}
SORTED_BY = "qc4"
SHORT_FORMULA = 30


@dataclass(frozen=True, slots=True)
class FigureMeasure:
    """A measure of Fig. 1.

    Attributes:
        parts: version -> measures whose means are averaged.
        lower: whether lower is better.
    """

    key: str
    title: str
    parts: Mapping[str, tuple[str, ...]]
    lower: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """One of the three charts."""

    key: str
    title: str
    bars: tuple[FigureMeasure, ...]


def _versions(average: str, weighted: str, combined: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    return {"combined": combined or (average, weighted), "average": (average,), "weighted": (weighted,)}


def _always(key: str) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(WEIGHTS, (key,))


FIGURES = (
    Figure(
        "A",
        "Cluster quality",
        (
            FigureMeasure("quality", "QC4 quality", _versions("aq", "wq", ("quality",))),
            FigureMeasure("precision", "Precision", _versions("ap", "wp")),
            FigureMeasure("entropy", "Entropy", _versions("ae", "we"), lower=True),
        ),
    ),
    Figure(
        "B",
        "Topic coverage",
        (
            FigureMeasure("coverage", "QC4 coverage", _versions("ac", "wc", ("coverage",))),
            FigureMeasure("recall", "Recall", _versions("ar", "wr")),
        ),
    ),
    Figure(
        "C",
        "Overall",
        (
            FigureMeasure("qc4", "QC4", {"combined": ("qc4",), "average": ("aq", "ac"), "weighted": ("wq", "wc")}),
            FigureMeasure("f", "F-measure", _always("f")),
            FigureMeasure("mi", "Mutual information", _always("mi")),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Bar(Record):
    """An algorithm's bar in a chart: the mean of the means of some measures.

    Attributes:
        value: the mean; None if one of the means is undefined.
        counted: number of queries behind the means; the smallest number if they differ.
        total: number of all queries.
        compared: whether all means are over the queries on which algorithms are compared. It can be true for a
            reference clustering.
        undefined: why there is no value.
    """

    KEYS = "figure measure value counted queries=total compared undefined|null"

    figure: str
    measure: str
    value: float | None
    counted: int
    total: int
    compared: bool
    undefined: str = ""

    @property
    def reason(self) -> str:
        """Why there is no value."""
        return self.undefined


@dataclass(frozen=True, slots=True)
class TradeOffRow(OfEntry, Record):
    """An algorithm with its mark in the scatter plot and its bars."""

    KEYS = (
        "algorithm=algorithm.name algorithm_id=algorithm.pk baseline=algorithm.baseline|null submission=submission.pk "
        "quality coverage harmonic bars"
    )

    entry: Entry
    quality: Mean
    coverage: Mean
    bars: tuple[Bar, ...]

    @property
    def harmonic(self) -> float | None:
        """The harmonic mean of the two means; it is constant on each curve of the scatter plot."""
        return harmonic(self.quality.value, self.coverage.value)

    def bar(self, figure: str, measure: str) -> Bar:
        return next(bar for bar in self.bars if (bar.figure, bar.measure) == (figure, measure))


@dataclass(frozen=True, slots=True)
class TradeOff(OfSelection, Record):
    """Everything that the page shows; rows are sorted by QC4, best first."""

    KEYS = (
        "collection=collection.slug gold_version=version?.number gold_sha256=version?.sha256 engine weights "
        "quality coverage missing=choice.missing policies=choice.policies compared_queries methods figures "
        "rows"
    )

    selection: Selection
    weights: str
    rows: tuple[TradeOffRow, ...]
    columns: Mapping[str, BoardColumn]
    compared_queries: int

    @property
    def quality(self) -> str:
        """The measure of the quality axis."""
        return QUALITY[self.weights]

    @property
    def coverage(self) -> str:
        """The measure of the coverage axis."""
        return COVERAGE[self.weights]

    @property
    def baselines(self) -> set[str]:
        """Keys of the baselines that are shown."""
        return {row.algorithm.baseline for row in self.rows} - {""}

    @property
    def figures(self) -> dict[str, dict[str, list[str]]]:
        """Chart -> bars -> measures (with their levels) whose means are averaged."""
        return {
            figure.key: {bars.key: [self._part(key) for key in bars.parts[self.weights]] for bars in figure.bars}
            for figure in FIGURES
        }

    @property
    def methods(self) -> str:
        """Description of the data, for a paper."""
        return source_sentence(self.selection, self.compared_queries)

    def caption(self, figure: Figure) -> str:
        """Return the caption of a chart: how each bar is computed."""
        parts = [f"{bars.title} ({words})" if (words := self._words(bars)) else bars.title for bars in figure.bars]
        return f"Means over queries. {'; '.join(parts)}."

    def _words(self, bars: FigureMeasure) -> str:
        measures = [self.columns[key].measure for key in bars.parts[self.weights]]
        level = {self.columns[key].level_words for key in bars.parts[self.weights]} - {""}
        formula = measures[0].formula if len(measures[0].formula) <= SHORT_FORMULA else ""
        said = formula if len(measures) == 1 else f"mean of {' and '.join(one.title.lower() for one in measures)}"
        return ", ".join(one for one in (said, *sorted(level), "lower is better" if bars.lower else "") if one)

    def _part(self, key: str) -> str:
        return self.columns[key].name


def harmonic(one: float | None, other: float | None) -> float | None:
    """Return the harmonic mean of two shares; 0 if both are 0, None if one is None."""
    if one is None or other is None:
        return None
    return 2 * one * other / (one + other) if one + other else 0.0


def trade_off_for_parameters(collection: Collection, person: Person, parameters: Parameters) -> TradeOff:
    """Return the charts for URL parameters.

    Raises:
        InputError: as `trade_off` and `Choice.read`; if the version of quality and coverage is unknown.
    """
    weights = one_option(parameters, "weights", WEIGHTS, "unknown-weights")
    return trade_off(collection, person, BoardOptions.read(parameters), weights)


def trade_off(
    collection: Collection,
    person: Person,
    choice: BoardOptions,
    weights: str,
) -> TradeOff:
    """Return the charts of a collection (already checked) as this person sees them.

    Raises:
        Pending: the means are still being computed.
        InputError: as `evaluation.ranking.leaderboard.select`; if a measure is unknown.
    """
    _check_measures(choice)
    axes = (QUALITY[weights], COVERAGE[weights])
    needed = [key for figure in FIGURES for bars in figure.bars for key in bars.parts[weights]]
    keys = tuple(dict.fromkeys((*axes, *needed, SORTED_BY)))
    found = select(collection, person, replace(choice, measures=keys, sort=SORTED_BY))
    of_key = {column.key: column for column in found.columns}
    whole, _ = standings(found.tested.question, found.columns, None)
    shown = replace(found, choice=choice)
    if not whole:
        return TradeOff(shown, weights, (), of_key, 0)
    said = {column.key: standing for column, standing in whole.items()}
    rows = [BoardRow(entry, mean=said[SORTED_BY].means[entry.algorithm.pk]) for entry in found.scored]
    return TradeOff(
        selection=shown,
        weights=weights,
        rows=tuple(_row(row.entry, said, weights) for row in ordered(rows, found.sort, reverse=choice.reverse)),
        columns=of_key,
        compared_queries=said[axes[0]].queries,
    )


def _check_measures(choice: BoardOptions) -> None:
    """Raise InputError for unknown measures, as on other pages, although they have no effect here."""
    REGISTRY.select(choice.measures)
    if choice.sort and not REGISTRY.knows(choice.sort):
        raise InputError([Problem("unknown-sort", "sort", quoted(choice.sort, 40), "the key of a measure")])


def _row(entry: Entry, said: Mapping[str, ColumnStanding], weights: str) -> TradeOffRow:
    pk = entry.algorithm.pk
    means = {key: standing.means[pk] for key, standing in said.items()}
    bars = (
        _bar(figure.key, bars.key, [means[key] for key in bars.parts[weights]])
        for figure in FIGURES
        for bars in figure.bars
    )
    return TradeOffRow(entry, means[QUALITY[weights]], means[COVERAGE[weights]], tuple(bars))


def _bar(figure: str, measure: str, means: list[Mean]) -> Bar:
    values = [mean.value for mean in means if mean.value is not None]
    counted, total = min(mean.counted for mean in means), means[0].total
    if len(values) < len(means):
        reason = next(mean.reason for mean in means if mean.value is None)
        return Bar(figure, measure, None, counted, total, False, reason)
    is_compared = all(mean.compared or mean.beside for mean in means)
    return Bar(figure, measure, fsum(values) / len(values), counted, total, is_compared)

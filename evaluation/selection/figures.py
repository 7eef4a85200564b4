"""The six figures of the PAC-MDL paper as rows of numbers, and the charts drawn from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from evaluation.charts.marks import Mark
from evaluation.charts.series import Axis, Chart, Line, Point, Series
from qc4.records import Record
from qc4.selection import (
    FRACTIONS,
    LANGUAGES,
    Choice,
    Evaluation,
    Language,
    ModelSelection,
    Sampling,
    over_queries,
)
from qc4.selection.figures import Figures as OfQueries
from qc4.wording import counted, percentage

FIGURES = ("runs", "clusters", "algorithms", "fractions", "languages")


@dataclass(frozen=True, slots=True)
class FigureRow(Record):
    """One mark of a figure.

    Attributes:
        algorithm, clusters, initialisation: the setting; None if it differs between queries.
        bound, test_error, constant_error: shares of the test pages, 0 to 1, means over queries.
        ties, unlabelled: numbers of clusters whose label was drawn at random, among equally frequent labels or among
            all; means over queries.
        queries: number of queries.
    """

    TITLE = "FigureRow"

    language: Language
    fraction: float
    algorithm: str | None
    clusters: int | None
    initialisation: int | None
    bound: float
    test_error: float
    constant_error: float
    ties: float
    unlabelled: float
    queries: int


class LanguageRate(NamedTuple):
    """A language and its mean bound."""

    language: Language
    bound: float


@dataclass(frozen=True, slots=True)
class Figures(Record):
    """Fig. 1 (runs), 2 (clusters), 3 (algorithms), 4 and 5 (fractions) and 6 (languages), with a summary."""

    runs: tuple[FigureRow, ...]
    clusters: tuple[FigureRow, ...]
    algorithms: tuple[FigureRow, ...]
    fractions: tuple[FigureRow, ...]
    languages: tuple[LanguageRate, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AtFraction:
    """The figures for one fraction; `clusters` has figure 2 for each language, in the order of `LANGUAGES`."""

    runs: tuple[FigureRow, ...]
    clusters: tuple[tuple[FigureRow, ...], ...]
    algorithms: tuple[FigureRow, ...]
    languages: tuple[LanguageRate, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AllFigures:
    """The figures for each fraction, in the order of `FRACTIONS`, and those that show all fractions."""

    each: tuple[AtFraction, ...]
    fractions: tuple[FigureRow, ...]

    def at(self, fraction: float, language: Language) -> Figures:
        """Return the figures for a page."""
        found = self.each[FRACTIONS.index(fraction)]
        clusters = found.clusters[LANGUAGES.index(language)]
        return Figures(found.runs, clusters, found.algorithms, self.fractions, found.languages, found.sentences)


def all_figures(selections: Sequence[ModelSelection], delta: float, sampling: Sampling) -> AllFigures:
    """Return the figures of some queries.

    Args:
        delta, sampling: settings that the queries were judged with.
    """
    return AllFigures(
        tuple(_at(selections, fraction, delta, sampling) for fraction in FRACTIONS),
        _rows(over_queries(selections).over_fractions()),
    )


def _at(selections: Sequence[ModelSelection], fraction: float, delta: float, sampling: Sampling) -> AtFraction:
    together = OfQueries(tuple(selection.at(fraction) for selection in selections))
    return AtFraction(
        runs=_rows(together.runs(fraction)),
        clusters=tuple(_rows(together.best_starts(fraction, language)) for language in LANGUAGES),
        algorithms=_rows(together.best_clusters(fraction)),
        languages=tuple(LanguageRate(mean.language, mean.rate) for mean in together.languages(fraction)),
        sentences=_sentences(selections, together.best(fraction), delta, sampling),
    )


def _rows(choices: Iterable[Choice]) -> tuple[FigureRow, ...]:
    return tuple(
        FigureRow(
            language=choice.language,
            fraction=choice.fraction,
            algorithm=choice.algorithm,
            clusters=choice.clusters,
            initialisation=choice.initialisation,
            bound=choice.rate,
            test_error=choice.test_rate,
            constant_error=choice.constant_rate,
            ties=fmean(run.prediction.ties for run in choice.evaluations),
            unlabelled=fmean(run.prediction.unlabelled for run in choice.evaluations),
            queries=choice.queries,
        )
        for choice in choices
    )


def _sentences(
    selections: Sequence[ModelSelection], best: Sequence[Choice], delta: float, sampling: Sampling
) -> tuple[str, ...]:
    """Return what the bound selects, and how strong it is."""
    if not best:
        return ("Every clustering has a single cluster, so there is nothing to select.",)
    (choice,) = best
    first = _selection_sentence(selections, choice.evaluations)
    holds, rate = f"with probability {1 - delta:g}", percentage(choice.rate, digits=1)
    if sampling != "uniform":
        second = f"For a stratified sample, no bound is guaranteed; the formula gives {rate} of the test pages"
    elif choice.queries == 1:
        second = f"At most {rate} of the test pages get a wrong label, {holds}"
    else:
        second = f"The mean bound is {rate} of the test pages; each bound holds {holds}"
    wrong, constant = percentage(choice.test_rate, digits=1), percentage(choice.constant_rate, digits=1)
    second += f". In fact {wrong} are wrong, and the best constant classifier is wrong on {constant}."
    if choice.rate < choice.constant_rate:
        return first, second
    return first, second, "A bound above the constant classifier's error proves nothing about the clusters."


def _selection_sentence(selections: Sequence[ModelSelection], picks: Sequence[Evaluation]) -> str:
    """Return which algorithm has the lowest bound; all algorithms that share it are named or counted."""
    winners = [names for selection in selections if (names := _with_lowest_bound(selection, picks[0].fraction))]
    if len(picks) == 1:
        pick = picks[0]
        if only := _only_algorithm(selections):
            return f"{only} The bound selects {_setting(pick)}."
        others = [name for name in winners[0] if name != pick.algorithm]
        shared = f"; {' and '.join(others)} {'has' if len(others) == 1 else 'have'} the same bound" if others else ""
        return f"The bound selects {pick.algorithm} with {_setting(pick)}{shared}."
    (algorithm, often), *_ = Counter(name for names in winners for name in names).most_common(1)
    alone = sum(names == [algorithm] for names in winners)
    (clusters, times), *_ = Counter(pick.clusters for pick in picks).most_common(1)
    if only := _only_algorithm(selections):
        on = f"on {times} of {len(picks)} queries"
        return f"{only} The bound selects {counted(clusters, 'cluster')} most often, {on}."
    return (
        f"{algorithm} has the lowest bound most often: on {often} of {len(picks)} queries, on {alone} of them alone. "
        f"The bound selects {counted(clusters, 'cluster')} most often, on {times} queries."
    )


def _setting(pick: Evaluation) -> str:
    return f"{counted(pick.clusters, 'cluster')} (initialisation {pick.initialisation})"


def _only_algorithm(selections: Sequence[ModelSelection]) -> str:
    """Return a sentence if the sweep has only one algorithm, else an empty string."""
    names = {name for selection in selections for name in selection.algorithms}
    return f"The sweep has only one algorithm, {names.pop()}." if len(names) == 1 else ""


def _with_lowest_bound(selection: ModelSelection, fraction: float) -> list[str]:
    """Return the algorithms that share the lowest bound (in language cluster, which orders them as algo does)."""
    best = selection.best_clusters(fraction)
    least = min((choice.rate for choice in best), default=None)
    return [choice.evaluations[0].algorithm for choice in best if choice.rate == least]


# --- Charts ---

BOUND, TEST, CONSTANT = Mark(0, "circle", False), Mark(5, "diamond", False), Mark(7, "square", True)


def charts(found: Figures, marks: Mapping[str, Mark], language: Language) -> tuple[Chart, ...]:
    """Return the charts for Fig. 1 (runs), 2 (clusters), and 4 and 5 (fractions); 3 and 6 are tables with bars.

    Args:
        marks: name of an algorithm -> its mark.
        language: language of figure 2.
    """
    runs, clusters = found.runs, found.clusters
    return (
        _against_clusters(
            "1: Bound of each clustering", "every initialisation, language simple", runs, marks, line=""
        ),
        _against_clusters("2: Bound of the best initialisation", f"language {language}", clusters, marks),
        _against_clusters(
            "2, errors: Test errors of the best initialisations", "the same clusterings", clusters, marks,
            "test_error", "dashed",
        ),
        _over_fractions(found.fractions),
    )  # fmt: skip


def _against_clusters(
    title: str,
    note: str,
    rows: Sequence[FigureRow],
    marks: Mapping[str, Mark],
    field: str = "bound",
    line: Line = "solid",
) -> Chart:
    numbers = sorted({row.clusters for row in rows if row.clusters is not None})
    placed = [(numbers.index(row.clusters), row) for row in rows if row.clusters is not None]
    names = dict.fromkeys(row.algorithm for row in rows if row.algorithm is not None)
    series = [
        Series(
            name,
            marks.get(name, BOUND),
            _points(((place, row) for place, row in placed if row.algorithm == name), field, name),
            line,
        )
        for name in names
    ]
    # This error is the same for every clustering of a query, so any row with a number of clusters has it.
    constant = _points(dict(placed).items(), "constant_error", "best constant classifier")
    series.append(Series("best constant classifier", CONSTANT, constant, "dotted"))
    axis = Axis.labels([str(number) for number in numbers], "requested number of clusters")
    return Chart(f"Figure {title}", note, axis, Axis.shares(), tuple(series))


def _over_fractions(rows: Sequence[FigureRow]) -> Chart:
    ordered = list(enumerate(sorted(rows, key=lambda row: row.fraction)))
    kinds: tuple[tuple[str, str, Mark, Line], ...] = (
        ("bound", "bound", BOUND, "solid"),
        ("test error", "test_error", TEST, "dashed"),
        ("best constant classifier", "constant_error", CONSTANT, "dotted"),
    )
    return Chart(
        "Figures 4 and 5: Bound over the share of train pages",
        "the best algorithm, number of clusters and initialisation, language algo",
        Axis.labels([percentage(row.fraction) for _, row in ordered], "share of the pages in the train set"),
        Axis.shares(),
        tuple(Series(name, mark, _points(ordered, field, name), line) for name, field, mark, line in kinds),
    )


def _points(rows: Iterable[tuple[int, FigureRow]], field: str, name: str) -> tuple[Point, ...]:
    return tuple(
        Point(place, getattr(row, field), f"{name}: {percentage(getattr(row, field), digits=1)}")
        for place, row in sorted(rows, key=lambda pair: pair[0])
    )

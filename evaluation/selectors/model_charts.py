"""The charts of model selection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evaluation.selectors.charts import Axis, Chart, Line, Point, Series
from evaluation.selectors.marks import Mark
from evaluation.selectors.model_figures import Figures, Row
from qc4.selection import Language
from qc4.wording import percentage

BOUND, TEST, CONSTANT = Mark(0, "circle", False), Mark(5, "diamond", False), Mark(7, "square", True)


def charts(found: Figures, marks: Mapping[str, Mark], language: Language) -> tuple[Chart, ...]:
    """Fig. 1 (runs), 2 (clusters) and 4 and 5 (fractions); 3 and 6 are tables with bars.

    Args:
        marks: algorithm's name -> its mark.
        language: of figure 2.
    """
    runs, clusters = found.runs, found.clusters
    return (
        _against_clusters("1: Bound of every single clustering", "every start, language simple", runs, marks, line=""),
        _against_clusters("2: Bound of the best start", f"language {language}", clusters, marks),
        _against_clusters(
            "2, errors: Errors the best starts really make", "of the same clusterings", clusters, marks,
            "test_error", "dashed",
        ),
        _over_fractions(found.fractions),
    )  # fmt: skip


def _against_clusters(
    title: str, note: str, rows: Sequence[Row], marks: Mapping[str, Mark], field: str = "bound", line: Line = "solid"
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
    # The same for every clustering of a query, so any row of a number of clusters shows it.
    constant = _points(dict(placed).items(), "constant_error", "best constant classifier")
    series.append(Series("best constant classifier", CONSTANT, constant, "dotted"))
    axis = Axis.labels([str(number) for number in numbers], "number of clusters asked for")
    return Chart(f"Figure {title}", note, axis, Axis.shares(), tuple(series))


def _over_fractions(rows: Sequence[Row]) -> Chart:
    ordered = list(enumerate(sorted(rows, key=lambda row: row.fraction)))
    kinds: tuple[tuple[str, str, Mark, Line], ...] = (
        ("bound", "bound", BOUND, "solid"),
        ("test error", "test_error", TEST, "dashed"),
        ("best constant classifier", "constant_error", CONSTANT, "dotted"),
    )
    return Chart(
        "Figures 4 and 5: Bound over the share of train pages",
        "the best of everything, language algo",
        Axis.labels([percentage(row.fraction) for _, row in ordered], "share of the pages in the train set"),
        Axis.shares(),
        tuple(Series(name, mark, _points(ordered, field, name), line) for name, field, mark, line in kinds),
    )


def _points(rows: Iterable[tuple[int, Row]], field: str, name: str) -> tuple[Point, ...]:
    return tuple(
        Point(place, getattr(row, field), f"{name}: {percentage(getattr(row, field), digits=1)}")
        for place, row in sorted(rows, key=lambda pair: pair[0])
    )

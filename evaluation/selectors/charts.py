"""Charts of model selection: what `evaluation.templatetags.curves` draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.selectors.marks import Mark
from evaluation.selectors.model_figures import Figures, Row

BOUND, TEST, CONSTANT = Mark(0, "circle", False), Mark(5, "diamond", False), Mark(7, "square", True)


@dataclass(frozen=True, slots=True)
class Point:
    """``place`` is an index into the chart's x labels; ``value`` a share."""

    place: int
    value: float
    words: str


@dataclass(frozen=True, slots=True)
class Series:
    """Marks of one kind. ``line`` is ``solid``, ``dashed``, ``dotted`` or empty for marks alone."""

    name: str
    mark: Mark
    points: tuple[Point, ...]
    line: str = "solid"


@dataclass(frozen=True, slots=True)
class Chart:
    """Series over the same labelled places of the x axis."""

    title: str
    x_title: str
    x_labels: tuple[str, ...]
    series: tuple[Series, ...]


def charts(found: Figures, marks: Mapping[str, Mark]) -> dict[str, Chart]:
    """Fig. 1 (runs), 2 (clusters) and 4 and 5 (fractions); 3 and 6 are tables with bars.

    Args:
        marks: algorithm's name -> its mark.
    """
    return {
        "runs": _against_clusters("Bound of every single clustering", found.runs, marks, ("bound", "")),
        "clusters": _against_clusters("Bound of the best start", found.clusters, marks, ("bound", "solid")),
        "errors": _against_clusters(
            "Errors the best starts really make", found.clusters, marks, ("test_error", "dashed")
        ),
        "fractions": _over_fractions(found.fractions),
    }


def _against_clusters(title: str, rows: Sequence[Row], marks: Mapping[str, Mark], what: tuple[str, str]) -> Chart:
    field, line = what
    numbers = sorted({row.clusters for row in rows if row.clusters is not None})
    place = {number: index for index, number in enumerate(numbers)}
    series = [
        Series(
            name,
            marks.get(name, BOUND),
            _points(
                [(place[row.clusters], row) for row in rows if row.algorithm == name and row.clusters], field, name
            ),
            line,
        )
        for name in dict.fromkeys(row.algorithm for row in rows)
        if name is not None
    ]
    # The same for every clustering of a query, so any row of a number of clusters shows it.
    flat = {place[row.clusters]: row for row in rows if row.clusters is not None}
    constant = _points(sorted(flat.items()), "constant_error", "best constant classifier")
    series.append(Series("best constant classifier", CONSTANT, constant, "dotted"))
    return Chart(title, "number of clusters asked for", tuple(map(str, numbers)), tuple(series))


def _over_fractions(rows: Sequence[Row]) -> Chart:
    ordered = list(enumerate(sorted(rows, key=lambda row: row.fraction)))
    kinds = (
        ("bound", "bound", BOUND, "solid"),
        ("test error", "test_error", TEST, "dashed"),
        ("best constant classifier", "constant_error", CONSTANT, "dotted"),
    )
    return Chart(
        "Bound over the share of train pages",
        "share of the pages in the train set",
        tuple(f"{row.fraction:.0%}" for _, row in ordered),
        tuple(Series(name, mark, _points(ordered, field, name), line) for name, field, mark, line in kinds),
    )


def _points(rows: Sequence[tuple[int, Row]], field: str, name: str) -> tuple[Point, ...]:
    return tuple(
        Point(place, value, f"{name}: {value:.1%}")
        for place, row in sorted(rows, key=lambda pair: pair[0])
        for value in (getattr(row, field),)
    )

"""A heat map as CSV, as a table for papers, and as data for the page's script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse

from annotations.collections.query_keys import key_to_path_segment
from evaluation.boards.heat_map.selectors import HeatMap
from evaluation.charts.marks import Mark
from evaluation.scoring.scores import names_in_files
from qc4.io.score_tables import score_table_csv
from qc4.stats import number
from qc4.tables import Table, mean_cell
from qc4.wording import count_words

DIGITS = 3


def scores_csv(found: HeatMap) -> str:
    """Return a CSV with a row per query and a column per algorithm, as `qc4 compare` reads it."""
    names = names_in_files(one.query for one in found.queries)
    systems, queries = [one.algorithm.name for one in found.algorithms], [names[one.query.key] for one in found.queries]
    return score_table_csv(systems, queries, found.values)


def paper(found: HeatMap) -> Table:
    """Return the table for papers: all scores and means."""
    means = (mean_cell(one.mean.value, one.mean.counted, one.mean.total) for one in found.algorithms)
    rows: list[list[object]] = [
        ["Query", *(one.algorithm.name for one in found.algorithms), "Mean"],
        ["Mean", *means, ""],
    ]
    for query, values in zip(found.queries, found.values, strict=True):
        mean = mean_cell(query.mean, query.counted, found.compared_algorithms)
        rows.append([query.query.text, *map(number, values), mean])
    title = f"{found.column.measure.title} on {found.collection.name}, by query and algorithm."
    return Table(rows, range(1, len(rows[0])), title, [found.methods])


def script_data(found: HeatMap, marks: Mapping[int, Mark]) -> dict[str, Any]:
    """Return the data for the page's script, with values in thousandths, the precision of all other pages."""
    slug = found.collection.slug
    ends = [_thousandth(end) for end in found.value_range]
    return {
        "measure": found.column.measure.title,
        "lower": found.column.measure.better == "lower",
        "ends": ends,
        "query": reverse("query", args=[slug, "x"]),
        "why": reverse("why", args=[0, "x"]),
        "options": f"?{urlencode(found.selection.why_options)}",
        "queries": [
            {
                "text": one.query.text,
                "key": key_to_path_segment(one.query.key),
                "mean": _thousandth(one.mean),
                "spread": _thousandth(one.spread),
                "counted": one.counted,
                "count": count_words(one.counted, found.compared_algorithms),
            }
            for one in found.queries
        ],
        "algorithms": [
            {
                "name": one.algorithm.name,
                "submission": one.submission.pk,
                "mean": _thousandth(one.mean.value),
                "count": count_words(one.mean.counted, one.mean.total),
                "compared": one.mean.compared,
                "mark": _mark(marks.get(one.algorithm.pk)),
            }
            for one in found.algorithms
        ],
        "values": _thousandths(found.cells),
        "gaps": [
            [place, state, reason, at]
            for place, reasons in enumerate(found.reasons)
            for (state, reason), at in reasons.items()
        ],
    }


def _mark(of: Mark | None) -> dict[str, Any] | None:
    return None if of is None else {"hue": of.hue, "hollow": of.hollow}


def _thousandth(value: float | None) -> int | None:
    return None if value is None else round(float(f"{value:.{DIGITS}f}") * 10**DIGITS)


def _thousandths(values: np.ndarray[Any, Any]) -> list[list[int | None]]:
    """Return values in thousandths, rounded as `number` rounds them: ties are decided by the exact value."""
    scaled = values * 10**DIGITS
    rounded = np.rint(scaled)
    close = np.argwhere(np.abs(np.abs(scaled - np.floor(scaled)) - 0.5) < 1e-6)
    for place in map(tuple, close):
        rounded[place] = float(f"{values[place]:.{DIGITS}f}") * 10**DIGITS
    found = rounded.tolist()
    return [[None if value != value else round(value) for value in row] for row in found]

"""The behaviour study as tables, JSON or CSV. No measure is computed: the scores are part of the distribution."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from qc4.measures.registry import REGISTRY
from qc4.tables import csv_table
from studies.behaviour import StudyCell, StudyColumn, StudyGroup, StudyResult, Verdict, stored_study

SIGNS = {"passed": "Y", "failed": "–", "undefined": "?"}
WORDS = {"passed": "passed", "failed": "failed", "undefined": "no value"}
PAIRS = "pairs"
"""The family, in filters, of columns that combine several measures."""
CSV_HEADER = (
    *("engine", "group", "case", "column", "clustering", "side"),
    *("value", "undefined", "verdict", "reasons", "group_verdict", "paper_prints"),
)
LEVELS = {"whole": "whole hierarchy", "coarsest": "coarsest level", "finest": "finest level"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A table cell: one column's verdict on a group, or on one of its cases.

    ``agrees`` is None if the paper prints no verdict.
    """

    group: str
    column: str
    status: str
    words: str
    case: str = ""
    agrees: bool | None = None

    @property
    def sign(self) -> str:
        return SIGNS[self.status]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of marks. ``key`` is the key of a group, a case or a column; ``note`` gives details."""

    key: str
    title: str
    marks: tuple[Mark, ...]
    note: str = ""
    number: int | None = None


@cache
def study() -> StudyResult:
    """The whole study with default scoring options, from the stored scores; cached in the process."""
    return stored_study()


@cache
def as_json() -> bytes:
    """The output of ``python -m studies behaviour --format json``, on one line."""
    return json.dumps(study().to_dict(), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


@cache
def as_csv() -> str:
    """A row per case, column, clustering and component: the value or the reason for its absence, and the verdict."""
    return csv_table(CSV_HEADER, _csv_rows(study()))


def _csv_rows(found: StudyResult) -> Iterator[list[object]]:
    columns = {column.key: column for column in found.columns}
    for cell in found.cells.values():
        printed = {None: "", True: "Y", False: "-"}[cell.printed]
        for verdict in cell.verdicts:
            for clustering, scores in verdict.scores.items():
                for side, score in zip(columns[cell.column].sides, scores, strict=True):
                    where = [found.engine, cell.group, verdict.case, cell.column, clustering, side.name]
                    judged = [verdict.status, "; ".join(verdict.reasons), cell.status, printed]
                    yield [*where, score.value, score.undefined, *judged]


def numbered_groups() -> list[tuple[int, StudyGroup]]:
    """Every group with its number in all tables."""
    return list(enumerate(study().groups, 1))


def paper_columns() -> list[StudyColumn]:
    return [column for column in study().columns if column.paper]


def group_rows(origin: str) -> list[Row]:
    """The verdicts of the Table 1 columns on the groups of one origin."""
    return [
        Row(
            group.key,
            group.title,
            tuple(_cell_mark(study().cell(group.key, column.key)) for column in paper_columns()),
            group.tests,
            number,
        )
        for number, group in numbered_groups()
        if group.origin == origin
    ]


def limit_rows() -> list[Row]:
    """The verdicts of the Table 1 columns on the known limits of QC4, case by case."""
    return [
        Row(
            case.key,
            case.title,
            tuple(
                _verdict_mark(group.key, study().cell(group.key, column.key).verdicts[at]) for column in paper_columns()
            ),
            case.expected,
        )
        for group in study().groups
        if group.origin == "limits"
        for at, case in enumerate(group.cases)
    ]


def families() -> list[tuple[str, str]]:
    """(key, title) of the families that the table of other measures can be filtered by."""
    present = {_family(column) for column in study().columns if not column.paper}
    found = [(family.key, family.title) for family in REGISTRY.families() if family.key in present]
    return [*found, (PAIRS, "Read together")] if PAIRS in present else found


def other_rows(family: str = "", level: str = "") -> list[Row]:
    """The verdicts of every other column on every group; variants of a measure with equal verdicts share a row.

    Args:
        family: a key of `families`; any if empty.
        level: a key of `LEVELS`; any if empty.
    """
    chosen = (
        column
        for column in study().columns
        if not column.paper and family in ("", _family(column)) and level in ("", _reading(column))
    )
    return list(_merged(chosen))


def rows_for(measure: str) -> list[Row]:
    """The verdicts of one measure on its own, on every group: a row per variant, with equal rows merged.

    Empty if the measure is not judged. The measures of the paper appear twice: over all topics, as in the paper, and by
    level.
    """
    alone = [column for column in study().columns if {part.measure for part in column.parts} == {measure}]
    return list(_merged(alone))


def _merged(columns: Iterable[StudyColumn]) -> Iterator[Row]:
    rows = [
        (column, tuple(_cell_mark(study().cell(group.key, column.key)) for group in study().groups))
        for column in columns
    ]
    for _, same in groupby(rows, key=lambda row: (row[0].key.split("@")[0], [mark.status for mark in row[1]])):
        found = list(same)
        readings = [column for column, _ in found]
        title = readings[0].title
        if len(readings) > 1:
            title = title.removesuffix(", coarsest level") + ", either level"
        yield Row(readings[0].key, f"{title}, all topics" if readings[0].paper else title, found[0][1])


def _family(column: StudyColumn) -> str:
    measures = {part.measure for part in column.parts}
    return REGISTRY.get(measures.pop()).family if len(measures) == 1 else PAIRS


def _reading(column: StudyColumn) -> str:
    return column.parts[0].reading


def _cell_mark(cell: StudyCell) -> Mark:
    words = WORDS[cell.status]
    if cell.agrees is not None:
        words += f"; the paper prints {'Y' if cell.printed else '–'}"
    return Mark(cell.group, cell.column, cell.status, words, agrees=cell.agrees)


def _verdict_mark(group: str, verdict: Verdict) -> Mark:
    words = "; ".join((WORDS[verdict.status], *verdict.reasons))
    return Mark(group, verdict.column, verdict.status, words, verdict.case)

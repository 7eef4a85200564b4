"""The study as tables of short cells, and the notes below them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from qc4.printing import Table
from qc4.problems.wording import counted
from studies.behaviour.case import StudyGroup
from studies.behaviour.column import StudyColumn
from studies.behaviour.result import Status, StudyCell, StudyResult

MARKS: dict[Status, str] = {"passed": "Y", "failed": "–", "undefined": "?"}
DIFFERS = "*"
LEGEND = (
    "Y: passes every case of the group. –: fails at least one case. ?: fails no case, but has no value for at least "
    "one. *: the paper prints something else."
)


def tables(result: StudyResult) -> tuple[Table, ...]:
    """Return Table 1, extended by the other groups, and a table of the other measures with one column per group.

    A table without columns is omitted.
    """
    paper = [column for column in result.columns if column.paper]
    rest = [column for column in result.columns if not column.paper]
    found = []
    if paper:
        rows = (_group_row(result, number, group, paper) for number, group in enumerate(result.groups, 1))
        found.append(Table([("", *(column.title for column in paper)), *rows], title="The columns of Table 1"))
    if rest:
        header = ("", *(str(number) for number in range(1, len(result.groups) + 1)))
        found.append(Table([header, *_merged(result, rest)], title="Every other external measure"))
    return tuple(found)


def notes(result: StudyResult) -> tuple[str, ...]:
    """Return the legend, the agreement with the printed table, and an explanation of each differing cell."""
    compared, differing = len(result.compared), len(result.differing)
    agreement = f"{compared - differing} of the {counted(compared, 'cell')} that the paper prints agree."
    titles = {group.key: group.title for group in result.groups}
    reasons = (
        f"{titles[cell.group]}, {cell.column}: {cell.explanation or 'not explained yet'}" for cell in result.differing
    )
    return (LEGEND, *([agreement] if compared else []), *reasons)


def mark(cell: StudyCell) -> str:
    """Return Y, – or ?, with a star if the paper prints something else."""
    return MARKS[cell.status] + (DIFFERS if cell.agrees is False else "")


def _group_row(result: StudyResult, number: int, group: StudyGroup, columns: Iterable[StudyColumn]) -> tuple[str, ...]:
    return (f"{number}. {group.title}", *(mark(result.cell(group.key, column.key)) for column in columns))


def _merged(result: StudyResult, columns: Sequence[StudyColumn]) -> Iterable[tuple[str, ...]]:
    """Yield one row per column. The readings of a measure share a row if their marks are the same."""
    marks = {
        column.key: tuple(mark(result.cell(group.key, column.key)) for group in result.groups) for column in columns
    }
    same = groupby(columns, key=lambda column: (column.key.split("@")[0], marks[column.key]))
    for (_, found), group in same:
        readings = list(group)
        title = readings[0].title
        if len(readings) > 1:
            title = title.removesuffix(", coarsest level") + ", either level"
        yield title, *found

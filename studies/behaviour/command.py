"""``python -m studies behaviour``: the behaviour study as a table, Markdown or JSON."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from qc4.records import to_json
from qc4.tables import Table, as_text, paragraph
from qc4.wording import counted
from studies.behaviour import run_study
from studies.behaviour.case import StudyGroup
from studies.behaviour.column import StudyColumn
from studies.behaviour.result import Status, StudyCell, StudyResult

# The study as tables of short cells, and the notes below them.

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


def add_behaviour(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "behaviour",
        help="show how every measure behaves on cases with a known correct order",
        description="Run the behaviour study: Table 1 of the QC4 paper, the four constraints of Amigó et al., "
        "and every other external measure on the same cases.",
        allow_abbrev=False,
    )
    command.set_defaults(run=behaviour)
    command.add_argument(
        "--format", choices=("table", "json", "markdown"), default="table", help="default: %(default)s"
    )


def behaviour(options: argparse.Namespace) -> str:
    """Return the study in the chosen format. JSON also contains cases, scores and reasons."""
    result = run_study()
    if options.format == "json":
        return to_json(result.to_dict(), indent=None)
    return _markdown(result) if options.format == "markdown" else _text(result)


def _text(result: StudyResult) -> str:
    stacked = []
    for table in tables(result):
        head, *rows = table.rows
        stacked.append(replace(table, rows=[*_stacked(head), *rows]))
    return as_text([*stacked, paragraph(notes(result))])


def _stacked(header: Sequence[object]) -> Iterator[list[str]]:
    """Stack the parts of titles joined with +, as in the paper."""
    titles = [str(title).split("+") for title in header]
    for line in range(max(map(len, titles))):
        yield [title[line] if line < len(title) else "" for title in titles]


def _markdown(result: StudyResult) -> str:
    blocks = [f"## {table.title}\n\n{markdown_table(table)}" for table in tables(result)]
    blocks.append("".join(f"- {note}\n" for note in notes(result)))
    blocks.append("## Cases\n\n" + "\n".join(_cases(result)))
    return "\n".join(blocks)


def markdown_table(table: Table) -> str:
    """Return a Markdown table with the first column aligned left and the others centred."""
    head, *rows = table.rows
    rule = ("---", *[":-:"] * (len(head) - 1))
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in (head, rule, *rows))


def _cases(result: StudyResult) -> Iterator[str]:
    """Yield the lines about every group and its cases, with the clusterings in their correct order."""
    for number, group in enumerate(result.groups, 1):
        yield f"### {number}. {group.title}\n\n{group.tests}\n"
        for case in group.cases:
            titles = {clustering.key: clustering.title for clustering in case.clusterings}
            order = " > ".join(" = ".join(titles[key] for key in tier) for tier in case.order)
            yield f"- **{case.title}** (`{case.key}`). {case.expected} Order: {order}."
        yield ""

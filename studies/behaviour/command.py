"""``python -m studies behaviour``: the behaviour study as a table, Markdown or JSON."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace

from qc4.printing import Table, as_text, paragraph
from qc4.records import as_json
from studies.behaviour import StudyResult, run_study
from studies.behaviour.report import notes, tables


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
        return as_json(result.to_dict(), indent=None)
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

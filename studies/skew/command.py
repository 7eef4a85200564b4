"""``python -m studies skew``: the study of skewed clusterings as a table, JSON or CSV."""

from __future__ import annotations

import argparse
from itertools import groupby

from qc4.records import to_json
from qc4.tables import Table, as_text, csv_table
from qc4.wording import full_decimals
from studies.skew.study import INDICES, SkewRow, SkewStudy, run


def add_skew(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "skew",
        help="compare S2, PS2 and STDI with F, ARI and accuracy on skewed data",
        description="Score clusterings of synthetic skewed and noisy data with S2, PS2, STDI, F, ARI and accuracy.",
        allow_abbrev=False,
    )
    command.set_defaults(run=skew)
    command.add_argument("--seed", type=int, default=0, help="seed of the data and algorithms (default: %(default)s)")
    command.add_argument("--format", choices=("table", "json", "csv"), default="table", help="default: %(default)s")


def skew(options: argparse.Namespace) -> str:
    """Return the study in the chosen format."""
    study = run(options.seed)
    if options.format == "json":
        return to_json(study.to_dict())
    return _csv(study) if options.format == "csv" else _table(study)


def _table(study: SkewStudy) -> str:
    """Format a block per data set with a line per clustering. Undefined values are dashes (JSON has the reasons)."""
    lines = [["", "clusters", *INDICES]]
    for data_set, rows in groupby(study.rows, key=lambda row: row.data_set):
        lines.append([f"{data_set}: {study.titles[data_set]}"])
        lines += [[f"  {row.clustering}", str(row.clusters), *map(_cell, _values(row))] for row in rows]
    return as_text([Table(lines, range(1, 2 + len(INDICES)))])


def _csv(study: SkewStudy) -> str:
    head = ["seed", "data_set", "sizes", "noise", "clustering", "clusters", *INDICES]
    rows = (
        [
            *(study.seed, row.data_set, " ".join(map(str, row.sizes)), row.noise),
            *(row.clustering, row.clusters, *_values(row)),
        ]
        for row in study.rows
    )
    return csv_table(head, rows)


def _values(row: SkewRow) -> list[float | None]:
    return [row.values[key] for key in INDICES]


def _cell(value: float | None) -> str:
    return "–" if value is None else full_decimals(value)

"""``python -m studies skew``: the study of skewed clusterings as a table, JSON or CSV."""

from __future__ import annotations

import argparse
import csv
import io
from itertools import groupby

from qc4.problems.alignment import aligned
from qc4.problems.wording import full_decimals
from qc4.records import as_json
from studies.skew.study import INDICES, Row, SkewStudy, run


def add_skew(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "skew",
        help="S2, PS2 and STDI beside F, ARI and accuracy on skewed data",
        description="Score clusterings of synthetic skewed and noisy data with S2, PS2, STDI, F, ARI and accuracy.",
        allow_abbrev=False,
    )
    command.set_defaults(run=skew)
    command.add_argument("--seed", type=int, default=0, help="of the data sets and algorithms (default: %(default)s)")
    command.add_argument("--format", choices=("table", "json", "csv"), default="table", help="default: %(default)s")


def skew(options: argparse.Namespace) -> str:
    """Return the study in the chosen format."""
    study = run(options.seed)
    if options.format == "json":
        return as_json(study.to_dict())
    return _csv(study) if options.format == "csv" else _table(study)


def _table(study: SkewStudy) -> str:
    """A block per data set, a line per clustering; undefined values are dashes (JSON has the reasons)."""
    lines = [["", "clusters", *INDICES]]
    for data_set, rows in groupby(study.rows, key=lambda row: row.data_set):
        lines.append([f"{data_set}: {study.titles[data_set]}"])
        lines += [[f"  {row.clustering}", str(row.clusters), *map(_cell, _values(row))] for row in rows]
    return aligned(lines, right=range(1, 2 + len(INDICES)))


def _csv(study: SkewStudy) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["seed", "data_set", "sizes", "noise", "clustering", "clusters", *INDICES])
    for row in study.rows:
        sizes = " ".join(map(str, row.sizes))
        values = ["" if value is None else repr(value) for value in _values(row)]
        writer.writerow([study.seed, row.data_set, sizes, row.noise, row.clustering, row.clusters, *values])
    return text.getvalue()


def _values(row: Row) -> list[float | None]:
    return [row.values[key] for key in INDICES]


def _cell(value: float | None) -> str:
    return "–" if value is None else full_decimals(value)

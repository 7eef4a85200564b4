"""The command ``f-of-means``: the F of two means, compared with the mean of F, which can reverse an order."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

import numpy as np

from qc4.arrays import FloatArray
from qc4.cli.options import add_drawing
from qc4.io.score_tables import ScoreTable, read_score_table
from qc4.problems import InputError, Problem, ProblemList
from qc4.records import to_json
from qc4.scoring.scoring import collect_errors
from qc4.stats import FOfMeans, FOfMeansPair, FOfMeansSystem, f_of_means, number, p_number
from qc4.tables import Table, as_text, csv_table, paragraph
from qc4.wording import listed, printable


def compare_f_of_means(options: argparse.Namespace) -> str:
    """Run ``f-of-means`` and return the result in the requested format.

    Raises:
        InputError: everything that is wrong with the files or the options.
    """
    problems, tables = ProblemList(), []
    for path in (options.quality, options.coverage):
        with collect_errors(problems):
            tables.append(read_score_table(path))
    problems.refuse_errors()
    quality, coverage = tables[0], tables[1].renamed_like(tables[0].queries)
    if set(quality.systems) != set(coverage.systems):
        alone = f"{listed(sorted(set(quality.systems) ^ set(coverage.systems)))} in only one of them"
        raise InputError([Problem("other-systems", options.coverage, alone, "the same systems in both files")])
    queries = [query for query in quality.queries if query in set(coverage.queries)]
    if not queries:
        raise InputError(
            [Problem("other-queries", options.coverage, "no query of the other file", "queries in both files")]
        )
    systems = list(quality.systems)
    for table, other, path in ((quality, coverage, options.coverage), (coverage, quality, options.quality)):
        warn_about_missing_queries(table.queries, other.queries, path)
    first, second = (_part(table, systems, queries) for table in (quality, coverage))
    found = f_of_means(first, second, systems, queries, alpha=options.alpha, draws=options.draws, seed=options.seed)
    if options.format == "json":
        return to_json(found.to_dict())
    return _csv(found) if options.format == "csv" else _text(found)


def warn_about_missing_queries(queries: Iterable[str], known: Iterable[str], path: str) -> None:
    """Print which of these queries a file lacks."""
    if lacking := sorted(set(queries) - set(known)):
        print(f"warning: {Path(path).name} lacks {listed(lacking)}: omitted", file=sys.stderr)


def _part(table: ScoreTable, systems: list[str], queries: list[str]) -> FloatArray:
    rows = [list(table.systems).index(system) for system in systems]
    places = {query: place for place, query in enumerate(table.queries)}
    return np.array(table.scores)[np.ix_(rows, [places[query] for query in queries])]


def _csv(found: FOfMeans) -> str:
    names = [field.name for field in fields(FOfMeansSystem)]
    return csv_table(names, ([getattr(one, name) for name in names] for one in found.systems))


def _text(found: FOfMeans) -> str:
    head = ["system", "quality", "coverage", "F of the means", "interval", "mean of F"]
    rows = [
        [
            printable(one.system), number(one.quality), number(one.coverage), number(one.value),
            f"{number(one.low)} to {number(one.high)}", number(one.mean_of_f),
        ]
        for one in found.systems
    ]  # fmt: skip
    lines = [printable(_pair(pair)) for pair in found.pairs]
    if found.left_out:
        lines.append(f"Omitted because not all systems have them: {', '.join(map(printable, found.left_out))}")
    lines.append(printable(found.sentence or "The mean of F never reverses an order on which both means agree."))
    return as_text([Table([head, *rows], (1, 2, 3, 5)), paragraph(lines), paragraph([found.methods])])


def _pair(pair: FOfMeansPair) -> str:
    p = "" if pair.p_adjusted is None else f", p {p_number(pair.p)}, adjusted by Holm {p_number(pair.p_adjusted)}"
    return f"{pair.a} over {pair.b}: {number(pair.difference)}{p}"


def add_f_of_means(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    command = commands.add_parser(
        "f-of-means",
        help="compare the F of two means with the mean of F",
        description="Compute the harmonic mean of mean quality and mean coverage, with intervals and tests, and list "
        "the pairs that mean QC4-F orders differently from both means.",
        allow_abbrev=False,
    )
    command.set_defaults(run=compare_f_of_means)
    command.add_argument(
        "quality", metavar="QUALITY.csv", help="a row per query and a column per system, as for compare"
    )
    command.add_argument("coverage", metavar="COVERAGE.csv", help="the same systems and queries")
    add_drawing(command, "intervals")
    command.add_argument("--format", choices=("table", "json", "csv"), default="table", help="default: %(default)s")

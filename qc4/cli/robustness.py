"""The commands ``robustness`` and ``where``: two systems under other tables of scores, and by properties of the
queries.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from qc4.cli.f_of_means import warn_about_missing_queries
from qc4.cli.options import add_drawing
from qc4.io.comparisons import ROBUSTNESS_FORMATS, WHERE_FORMATS
from qc4.io.score_tables import ScoreTable, read_score_table
from qc4.problems import ProblemList
from qc4.scoring.scoring import collect_errors
from qc4.stats import Alternative, robustness, where_better
from qc4.stats.robustness import leading_pair
from qc4.wording import listed


def compare_robustness(options: argparse.Namespace) -> str:
    """Run ``robustness``: return whether the winner would change, in the requested format.

    Raises:
        InputError: everything that is wrong with the files or the options.
    """
    problems = ProblemList()
    named = [_named(text) for text in options.tables]
    lower = set(options.lower_is_better or ())
    if unknown := sorted(lower - {name for _, name, _ in named}):
        known = f"one of {listed([name for _, name, _ in named])}"
        problems.error("unknown-table", "--lower-is-better", listed(unknown), known)
    tables: list[Alternative] = []
    queries: Sequence[str] = ()
    systems: Sequence[str] = ()
    for kind, name, path in named:
        with collect_errors(problems):
            table = read_score_table(path)
            queries, systems = queries or table.queries, systems or table.systems
            table = table.renamed_like(queries, systems)
            better = "lower" if name in lower else "higher"
            tables.append(Alternative(kind, name, table.scores, table.systems, table.queries, better))  # type: ignore[arg-type]  # one of two
    problems.refuse_errors()
    found = robustness(
        tables, *(options.pair or (options.system, None)), alpha=options.alpha, draws=options.draws, seed=options.seed
    )
    return ROBUSTNESS_FORMATS[options.format](found)


def compare_where(options: argparse.Namespace) -> str:
    """Run ``where``: return on which queries one of two systems is better, in the requested format.

    Raises:
        InputError: everything that is wrong with the files or the options.
    """
    problems = ProblemList()
    with collect_errors(problems):
        table = read_score_table(options.scores)
    with collect_errors(problems):
        facts = read_score_table(options.facts, columns="fact")
    problems.refuse_errors()
    facts = facts.renamed_like(table.queries)
    if not set(table.queries) & set(facts.queries):
        expected = f"queries of {Path(options.scores).name}, such as {table.queries[0]!r}"
        problems.error("no-queries", Path(options.facts).name, f"other queries: {listed(facts.queries)}", expected)
        problems.refuse_errors()
    warn_about_missing_queries(facts.queries, table.queries, options.scores)
    warn_about_missing_queries(table.queries, facts.queries, options.facts)
    better = "lower" if options.lower_is_better else "higher"
    whole = Alternative("", "", table.scores, table.systems, table.queries, better)  # type: ignore[arg-type]  # one of two
    pair = leading_pair(whole, *(options.pair or (options.system, None)))
    found = where_better(
        table.scores[[table.systems.index(name) for name in pair]],
        _facts_of(table, facts),
        pair,
        table.queries,
        better=whole.better,
        alpha=options.alpha,
        draws=options.draws,
        seed=options.seed,
    )
    return WHERE_FORMATS[options.format](found)


def _named(text: str) -> tuple[str, str, str]:
    """Return kind, name and path of ``[[KIND:]NAME=]FILE``. If a file has the whole text as its path, it has no kind or
    name.
    """
    label, equals, path = text.partition("=")
    if not equals or Path(text).exists():
        return "table", Path(text).stem, text
    kind, colon, name = label.partition(":")
    return (kind.strip(), name.strip(), path) if colon else ("table", label.strip(), path)


def _facts_of(table: ScoreTable, facts: ScoreTable) -> dict[str, Sequence[float]]:
    """Return, for each property, a number for each query of the table of scores, NaN if the file of properties has
    none.
    """
    place = {query: number for number, query in enumerate(facts.queries)}
    columns = np.column_stack([facts.scores, np.full(len(facts.systems), math.nan)])
    which = [place.get(query, -1) for query in table.queries]
    return {name: columns[row, which].tolist() for row, name in enumerate(facts.systems)}


def add_robustness(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    command = commands.add_parser(
        "robustness",
        help="compare two systems under several tables of scores",
        description="Show under which of several tables of scores (measures, levels, gold versions ...) one of two "
        "systems stays ahead of the other. The first table is the reference.",
        allow_abbrev=False,
    )
    command.set_defaults(run=compare_robustness)
    command.add_argument(
        "tables",
        metavar="[[KIND:]NAME=]SCORES.csv",
        nargs="+",
        help="tables as 'compare' reads them, such as measure:ari=ari.csv; the default name is the file's",
    )
    command.add_argument(
        "--lower-is-better",
        metavar="NAME",
        action="append",
        help="lower scores are better in this table; may be given several times",
    )
    _add_pair(command)
    command.add_argument("--format", choices=tuple(ROBUSTNESS_FORMATS), default="table", help="default: %(default)s")


def add_where(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    command = commands.add_parser(
        "where",
        help="show on which queries one of two systems is better",
        description="Group the queries by their properties (topics, depth ...), and show the differences between two "
        "systems in each group.",
        allow_abbrev=False,
    )
    command.set_defaults(run=compare_where)
    command.add_argument("scores", metavar="SCORES.csv", help="a table as 'compare' reads it")
    command.add_argument(
        "facts", metavar="FACTS.csv", help="a row per query and a column per property; an empty cell means unknown"
    )
    command.add_argument("--lower-is-better", action="store_true", help="lower scores are better")
    _add_pair(command)
    command.add_argument("--format", choices=tuple(WHERE_FORMATS), default="table", help="default: %(default)s")


def _add_pair(command: argparse.ArgumentParser) -> None:
    which = command.add_mutually_exclusive_group()
    which.add_argument("--pair", metavar="SYSTEM", nargs=2, help="two systems (default: the leader and the second)")
    which.add_argument("--system", metavar="SYSTEM", help="compare this system with the best of the others")
    add_drawing(command)

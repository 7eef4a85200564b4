"""The command ``compare``: who is better by a table of scores, and how sure that is."""

from __future__ import annotations

import argparse

from qc4.cli.drawing import add_drawing
from qc4.comparison import ENOUGH, MISSING, PROCEDURES, RANKS, compare, repeats_by_separator
from qc4.comparison.pictures import PICTURES
from qc4.comparison.words import SYSTEM
from qc4.formats.comparisons import COMPARISON_FORMATS
from qc4.formats.score_tables import read_score_table
from qc4.problems import InputError, Problem

FAMILIES = ("all", "baseline")


def compare_systems(options: argparse.Namespace) -> str:
    """``compare``: the comparison in the format asked for.

    Raises:
        InputError: everything that is wrong with the file or the options.
    """
    if options.family == "baseline" and options.baseline is None:
        expected = "--baseline SYSTEM beside it"
        raise InputError([Problem("no-baseline", "--family", "'baseline'", expected)])
    if options.family == "all" and options.baseline is not None:
        found = f"'all' beside --baseline {options.baseline}"
        raise InputError([Problem("two-families", "--family", found, "one of them", "Leave one out.")])
    table = read_score_table(options.scores)
    compared = compare(
        table.scores,
        table.systems,
        table.queries,
        baseline=options.baseline,
        repeats=None if options.repeats is None else repeats_by_separator(table.systems, options.repeats),
        alpha=options.alpha,
        draws=options.draws,
        seed=options.seed,
        better="lower" if options.lower_is_better else "higher",
        missing=options.missing,
        worst=options.worst,
        enough=options.enough,
        procedure=options.procedure,
        ranks=options.ranks,
        margin=options.margin,
    )
    if options.format == "svg":
        return PICTURES[options.picture](compared, "paper", SYSTEM)
    return COMPARISON_FORMATS[options.format](compared)


def add_compare(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    command = commands.add_parser(
        "compare",
        help="compare systems: who is better, and how sure that is",
        description="Compare systems by their scores on the same queries: rows queries, columns systems, the first "
        "column the query.",
        allow_abbrev=False,
    )
    command.set_defaults(run=compare_systems)
    command.add_argument("scores", metavar="SCORES.csv", help="a CSV or TSV file; an empty cell is a missing score")
    command.add_argument("--family", choices=FAMILIES, help="what p are adjusted over (default: all pairs)")
    command.add_argument("--baseline", metavar="SYSTEM", help="compare all others with this one only")
    command.add_argument(
        "--repeats", metavar="SEPARATOR", help="columns are runs: with '#', STC#1 and STC#2 are repeats of STC"
    )
    add_drawing(command)
    command.add_argument("--lower-is-better", action="store_true", help="the measure is one of errors or costs")
    command.add_argument(
        "--missing", choices=MISSING, default="skip", help="skip queries that not all have, or count --worst"
    )
    command.add_argument(
        "--worst", type=float, default=0.0, help="what a missing score counts with --missing zero (default: 0)"
    )
    command.add_argument(
        "--enough",
        type=float,
        default=ENOUGH,
        metavar="SHARE",
        help="with --missing skip a system with values on less than this share of the queries is not ranked, "
        "0 ranks all (default: %(default)s)",
    )
    command.add_argument("--procedure", choices=PROCEDURES, default="max-t", help="how p are adjusted (default: max-t)")
    command.add_argument("--ranks", choices=RANKS, default="marginal", help="confidence sets of ranks, each or all")
    command.add_argument("--margin", type=float, default=0.01, help="practically equal up to here (default: 0.01)")
    formats = (*COMPARISON_FORMATS, "svg")
    command.add_argument("--format", choices=formats, default="table", help="default: %(default)s")
    command.add_argument(
        "--picture", choices=tuple(PICTURES), default="forest", help="with --format svg (default: %(default)s)"
    )

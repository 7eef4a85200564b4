"""The command ``compare``: which systems are better by a table of scores, and how certain that is."""

from __future__ import annotations

import argparse

from qc4.cli.options import add_drawing
from qc4.io.comparisons import COMPARISON_FORMATS
from qc4.io.score_tables import read_score_table
from qc4.problems import InputError, Problem
from qc4.stats import MIN_COVERAGE, MISSING, PROCEDURES, compare, repeats_by_separator
from qc4.stats.pictures import PICTURES, against_picture
from qc4.stats.wording import SYSTEM

FAMILIES = ("all", "baseline", "pair")


def compare_systems(options: argparse.Namespace) -> str:
    """Run ``compare``: return the comparison in the requested format.

    Raises:
        InputError: everything that is wrong with the file or the options.
    """
    _check_family(options)
    table = read_score_table(options.scores)
    compared = compare(
        table.scores,
        table.systems,
        table.queries,
        baseline=options.baseline,
        pair=None if options.pair is None else tuple(options.pair),
        references=options.reference or (),
        repeats=None if options.repeats is None else repeats_by_separator(table.systems, options.repeats),
        alpha=options.alpha,
        draws=options.draws,
        seed=options.seed,
        better="lower" if options.lower_is_better else "higher",
        missing=options.missing,
        worst=options.worst,
        min_coverage=options.min_coverage,
        procedure=options.procedure,
        equivalence_margin=options.equivalence_margin,
    )
    if options.format != "svg":
        return COMPARISON_FORMATS[options.format](compared)
    if options.picture == "against":
        return against_picture(compared, "paper", SYSTEM, options.row)
    return PICTURES[options.picture](compared, "paper", SYSTEM)


def _check_family(options: argparse.Namespace) -> None:
    """Raise InputError for options of two families, and for a family without the option that it needs."""
    given = [name for name in ("baseline", "pair") if getattr(options, name) is not None]
    family = options.family or (given[0] if given else "all")
    if family != "all" and family not in given:
        expected = "--baseline SYSTEM with it" if family == "baseline" else "--pair SYSTEM SYSTEM with it"
        raise InputError([Problem(f"no-{family}", "--family", repr(family), expected)])
    if others := [name for name in given if name != family]:
        found = f"{family!r} with --{others[0]}"
        raise InputError([Problem("two-families", "--family", found, "one of them", "Remove one.")])


def add_compare(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    command = commands.add_parser(
        "compare",
        help="compare systems: which are better, and how certain that is",
        description="Compare systems by their scores on the same queries. The file has a row per query and a column "
        "per system; the first column names the query.",
        allow_abbrev=False,
    )
    command.set_defaults(run=compare_systems)
    command.add_argument("scores", metavar="SCORES.csv", help="a CSV or TSV file; an empty cell is a missing score")
    command.add_argument(
        "--family",
        choices=FAMILIES,
        help="the pairs that are tested together (default: all, or set by the next two options)",
    )
    command.add_argument(
        "--baseline", metavar="SYSTEM", help="test all others against this one, chosen before looking at the scores"
    )
    command.add_argument("--pair", nargs=2, metavar="SYSTEM", help="test these two alone, on the queries both have")
    command.add_argument(
        "--reference", action="append", metavar="SYSTEM", help="show this one for scale, without tests (repeatable)"
    )
    command.add_argument(
        "--repeats", metavar="SEPARATOR", help="columns are runs: with '#', STC#1 and STC#2 are runs of STC"
    )
    add_drawing(command)
    command.add_argument("--lower-is-better", action="store_true", help="lower scores are better")
    command.add_argument(
        "--missing",
        choices=MISSING,
        default="skip",
        help="skip queries that not all systems have, or count a missing score as the worst value (default: skip)",
    )
    command.add_argument(
        "--worst",
        type=float,
        help="the worst value of the measure, for --missing worst (default: 0; needed with --lower-is-better)",
    )
    command.add_argument(
        "--min-coverage",
        type=float,
        default=MIN_COVERAGE,
        metavar="SHARE",
        help="with --missing skip, a system with values on less than this share of the queries is not ranked; "
        "0 ranks all (default: %(default)s)",
    )
    command.add_argument(
        "--procedure",
        choices=PROCEDURES,
        default="max-t",
        help="how pairs are tested; all but max-t give only p or places, without intervals (default: max-t)",
    )
    command.add_argument(
        "--equivalence-margin",
        type=float,
        default=0.01,
        help="a pair is practically equivalent if its interval is within this distance of 0 (default: %(default)s)",
    )
    formats = (*COMPARISON_FORMATS, "svg")
    command.add_argument("--format", choices=formats, default="table", help="default: %(default)s")
    command.add_argument(
        "--picture", choices=tuple(PICTURES), default="behind", help="with --format svg (default: %(default)s)"
    )
    command.add_argument(
        "--row", metavar="SYSTEM", help="with --picture against: the system that the others are compared with"
    )

"""Arguments of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from qc4.cli.alike import alike
from qc4.cli.commands import calibrate, check, list_measures, score
from qc4.cli.compare import add_compare
from qc4.cli.f_of_means import add_f_of_means
from qc4.cli.options import add_noise, add_reading
from qc4.cli.pac_mdl import pac_mdl
from qc4.cli.robustness import add_robustness, add_where
from qc4.cli.stream import add_stream
from qc4.cli.what_if import CHANGES, what_if
from qc4.inputs.partition import ON_PAGES
from qc4.model.policies import CHOICES, MEANINGS
from qc4.scoring.calibration import DRAWS
from qc4.scoring.two_clusterings import READ_POLICIES
from qc4.selection import SAMPLINGS
from qc4.version import ENGINE_VERSION

CLUSTERING_HELP = "a file with a clustering in any format; a label file refers to the gold standard's page list"


def parser(name: str) -> argparse.ArgumentParser:
    """Return the argument parser. ``options.run(options)`` returns the results as text.

    Args:
        name: name of the program for the usage lines.
    """
    top = argparse.ArgumentParser(
        prog=name,
        description="Score clusterings of search results against gold standards.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"engine {ENGINE_VERSION}")
    commands = top.add_subparsers(title="commands", dest="command", required=True)
    _add_score(commands)
    _add_calibrate(commands)
    _add_what_if(commands)
    _add_alike(commands)
    _add_check(commands)
    _add_list(commands)
    add_compare(commands)
    add_f_of_means(commands)
    add_robustness(commands)
    add_where(commands)
    _add_pac_mdl(commands)
    add_stream(commands)
    return top


def _add_score(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "score",
        help="score a clustering against a gold standard",
        description="Score a clustering against a gold standard, by default with every measure "
        "that the given files allow.",
        allow_abbrev=False,
    )
    command.set_defaults(run=score)
    command.add_argument("gold", metavar="GOLD.json", help="a qc4-gold/1 file")
    command.add_argument("clustering", metavar="CLUSTERING", help=CLUSTERING_HELP)
    which = command.add_mutually_exclusive_group()
    which.add_argument("-m", "--measures", metavar="KEYS", help="measures by key, separated by commas: qc4,ari,f")
    which.add_argument("--family", metavar="FAMILY", help="all measures of one family")
    which.add_argument(
        "--all", action="store_true", help="every measure, including those that need more than the two files"
    )
    command.add_argument("--level", metavar="LEVELS", help="levels, separated by commas: 1,2,all (default: every one)")
    _add_depth(command)
    command.add_argument("--explain", action="store_true", help="add QC4's parts per cluster and per topic")
    command.add_argument("--format", choices=("table", "json", "csv"), default="table", help="default: %(default)s")
    _add_completion(command)
    add_reading(command)
    _add_vectors(command)
    _add_policies(command)


def _add_calibrate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "calibrate",
        help="compare scores with those of shuffled clusters",
        description="Compare scores with those of clusters of the same sizes, nesting and overlaps whose pages are "
        "shuffled.",
        allow_abbrev=False,
    )
    command.set_defaults(run=calibrate, all=False)
    command.add_argument("gold", metavar="GOLD.json", help="a qc4-gold/1 file")
    command.add_argument("clustering", metavar="CLUSTERING", help=CLUSTERING_HELP)
    which = command.add_mutually_exclusive_group()
    which.add_argument("-m", "--measures", metavar="KEYS", help="measures by key, separated by commas")
    which.add_argument("--family", metavar="FAMILY", default="qc4", help="all measures of one family (default: qc4)")
    command.add_argument("--level", metavar="LEVELS", help="levels, separated by commas: 1,2,all (default: every one)")
    _add_depth(command)
    command.add_argument("--draws", type=int, default=DRAWS, help="number of shuffles (default: %(default)s)")
    command.add_argument("--seed", type=int, default=0, help="random seed of the shuffles (default: %(default)s)")
    command.add_argument("--format", choices=("table", "json", "csv"), default="table", help="default: %(default)s")
    _add_completion(command)
    add_reading(command)
    _add_vectors(command)
    _add_policies(command)


def _add_what_if(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "what-if",
        help="score a clustering with clusters dropped, merged, completed or cleaned",
        description="Score a clustering before and after changes. Every option may be given several times. Without "
        "any, show what dropping each cluster alone would change.",
        allow_abbrev=False,
    )
    command.set_defaults(run=what_if, family=None, all=False)
    command.add_argument("gold", metavar="GOLD.json", help="a qc4-gold/1 file")
    command.add_argument("clustering", metavar="CLUSTERING", help=CLUSTERING_HELP)
    for name, words in CHANGES.items():
        command.add_argument(f"--{name}", metavar="ID", action="append", default=[], help=words)
    command.add_argument(
        "-m", "--measures", metavar="KEYS", default="quality,coverage,qc4_f", help="separated by commas: qc4_f,ari,f"
    )
    command.add_argument("--level", metavar="LEVELS", help="levels, separated by commas: 1,2,all (default: every one)")
    command.add_argument("--format", choices=("table", "json"), default="table", help="default: %(default)s")
    _add_completion(command)
    add_reading(command)
    _add_policies(command)


def _add_depth(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--depth",
        metavar="DEPTHS",
        help="depth at which nested clusters are flattened for partition measures: 1,2, level (the level's) or finest "
        "(default: every depth)",
    )


def _add_alike(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "alike",
        help="compare two clusterings without a gold standard",
        description="Compare two clusterings of a query, neither of which is the gold standard, by default with every "
        "symmetric measure. The order of the two does not matter.",
        allow_abbrev=False,
    )
    command.set_defaults(run=alike)
    command.add_argument("first", metavar="FIRST", help=CLUSTERING_HELP)
    command.add_argument("second", metavar="SECOND", help="another clustering")
    which = command.add_mutually_exclusive_group()
    which.add_argument("-m", "--measures", metavar="KEYS", help="symmetric measures by key: ari,vi")
    which.add_argument("--family", metavar="FAMILY", help="the symmetric measures of one family")
    command.add_argument("--query", metavar="NAME", help="the query, if the files have several in common")
    command.add_argument(
        "--pages",
        metavar="GOLD.json",
        help="a qc4-gold/1 file with the query's key, text and pages (default: the pages of all clusters)",
    )
    command.add_argument("--format", choices=("table", "json", "csv"), default="table", help="default: %(default)s")
    add_reading(command)
    _add_policies(command, READ_POLICIES)


def _add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "check",
        help="check a gold standard, and how clusterings are read",
        description="Check a gold standard against rules R1-R6, with warnings. Exit status 2 if it breaks one. Then "
        "report how each clustering was read: pages, clusters, pages in no cluster, overlaps and nesting.",
        allow_abbrev=False,
    )
    command.set_defaults(run=check)
    command.add_argument("gold", metavar="GOLD.json", help="a qc4-gold/1 file")
    command.add_argument("clusterings", metavar="CLUSTERING", nargs="*", help=CLUSTERING_HELP)
    add_reading(command)
    _add_completion(command)


def _add_list(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "list", help="list the measures", description="List every measure with its properties.", allow_abbrev=False
    )
    command.set_defaults(run=list_measures)
    command.add_argument("--format", choices=("table", "json", "bibtex"), default="table", help="default: %(default)s")


def _add_pac_mdl(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "pac-mdl",
        help="choose among clusterings by their PAC-MDL bound",
        description="Choose among clusterings of one query by their PAC-MDL bound on prediction errors.",
        allow_abbrev=False,
    )
    command.set_defaults(run=pac_mdl)
    command.add_argument("gold", metavar="GOLD.json", help="a qc4-gold/1 file")
    command.add_argument("clusterings", metavar="CLUSTERING.json", nargs="+", help="qc4-clustering/1 files")
    command.add_argument("--level", type=int, default=1, help="the level whose topics are the labels (default: 1)")
    command.add_argument(
        "--fractions", metavar="PERCENT", help="share of pages in the train set, in percent (default: 10,30,50,70,90)"
    )
    command.add_argument("--seed", type=int, default=0, help="random seed of splits and draws (default: 0)")
    command.add_argument(
        "--sampling",
        choices=SAMPLINGS,
        default=SAMPLINGS[0],
        help="how train pages are drawn: uniform (default), or stratified, for which the bound is not guaranteed",
    )
    command.add_argument("--delta", type=float, default=0.1, help="probability that a bound fails (default: 0.1)")
    command.add_argument("--format", choices=("table", "json"), default="table", help="default: %(default)s")
    _add_completion(command)
    add_noise(command)
    _add_policies(command, ON_PAGES)


def _add_vectors(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("vectors, for internal measures").add_mutually_exclusive_group()
    group.add_argument("--vectors", metavar="FILE", help="a .npy or CSV file, one row of numbers per page")
    group.add_argument("--text-vectors", action="store_true", help="compute them from the text of the pages")


def _add_policies(command: argparse.ArgumentParser, names: Iterable[str] = CHOICES) -> None:
    policies = command.add_argument_group("policies (the first choice is the default)")
    for name in names:
        policies.add_argument(f"--{name}", choices=CHOICES[name], default=CHOICES[name][0], help=MEANINGS[name])


def _add_completion(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--completion",
        choices=("strict", "complete"),
        default="strict",
        help="pages in no topic are an error (default), or are assigned by the rule 'complete'",
    )

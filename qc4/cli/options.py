"""Options that several commands share: how labels are read, and how random draws are made."""

from __future__ import annotations

import argparse

from qc4.model.noise import USUAL


def add_drawing(command: argparse.ArgumentParser, alpha_of: str = "verdicts and intervals") -> None:
    """Add ``--alpha``, ``--seed`` and ``--draws`` for bootstrap and tests."""
    command.add_argument(
        "--alpha", type=float, default=0.05, help=f"significance level of {alpha_of} (default: %(default)s)"
    )
    command.add_argument("--seed", type=int, default=0, help="random seed of all draws (default: %(default)s)")
    command.add_argument(
        "--draws", type=int, default=10_000, help="number of draws for bootstrap and tests (default: %(default)s)"
    )


def add_reading(command: argparse.ArgumentParser) -> None:
    """Add the options of commands that read label files."""
    add_noise(command)
    command.add_argument(
        "--label-separator",
        metavar="MARK",
        help="separator between several labels of one page, such as '#' (default: a page has one label)",
    )


def add_noise(command: argparse.ArgumentParser) -> None:
    """Add ``--noise``."""
    command.add_argument(
        "--noise",
        metavar="LABELS",
        default="",
        help="labels that mean 'in no cluster', separated by commas (--noise=-1,misc), or a JSON list; '[]' if every "
        f"label is a cluster (default: {USUAL})",
    )

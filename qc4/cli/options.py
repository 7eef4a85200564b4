"""Options that several commands share: how labels are read, and how random draws are made."""

from __future__ import annotations

import argparse

from qc4.model.noise import USUAL


def add_drawing(command: argparse.ArgumentParser, alpha_of: str = "verdicts and intervals") -> None:
    """``--alpha``, ``--seed`` and ``--draws``, of bootstrap and tests."""
    command.add_argument("--alpha", type=float, default=0.05, help=f"of {alpha_of} (default: %(default)s)")
    command.add_argument("--seed", type=int, default=0, help="of all draws (default: %(default)s)")
    command.add_argument("--draws", type=int, default=10_000, help="of bootstrap and tests (default: %(default)s)")


# The options that say how labels are read.


def add_reading(command: argparse.ArgumentParser) -> None:
    """Add the options of commands that read label files."""
    add_noise(command)
    command.add_argument(
        "--label-separator",
        metavar="MARK",
        help="what separates several labels of one page, such as '#' (default: every label is one)",
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

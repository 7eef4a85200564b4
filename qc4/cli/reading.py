"""The options that say how labels are read."""

from __future__ import annotations

import argparse

from qc4.noise import USUAL


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

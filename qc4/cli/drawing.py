"""Options of commands that draw: how sure they are to be, by how many draws, and which."""

from __future__ import annotations

import argparse


def add_drawing(command: argparse.ArgumentParser, alpha_of: str = "verdicts and intervals") -> None:
    """``--alpha``, ``--seed`` and ``--draws``, of bootstrap and tests."""
    command.add_argument("--alpha", type=float, default=0.05, help=f"of {alpha_of} (default: %(default)s)")
    command.add_argument("--seed", type=int, default=0, help="of all draws (default: %(default)s)")
    command.add_argument("--draws", type=int, default=10_000, help="of bootstrap and tests (default: %(default)s)")

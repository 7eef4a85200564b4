"""``python -m studies NAME``: run one study and write its results to standard output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from qc4.cli import run
from qc4.version import ENGINE_VERSION
from studies.behaviour.command import add_behaviour
from studies.skew.command import add_skew
from studies.streams.command import add_streams


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one study and return the exit status, like the command ``qc4``."""
    return run(parser(), arguments)


def parser() -> argparse.ArgumentParser:
    """Return the argument parser; ``options.run(options)`` returns the results as text."""
    top = argparse.ArgumentParser(
        prog="python -m studies",
        description="Run one of the studies of how measures behave.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"engine {ENGINE_VERSION}")
    commands = top.add_subparsers(title="studies", dest="command", metavar="NAME", required=True)
    add_behaviour(commands)
    add_skew(commands)
    add_streams(commands)
    return top


if __name__ == "__main__":
    sys.exit(main())

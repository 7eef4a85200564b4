"""The command line. Each file holds one command or a few small ones.

Exit status: 0 for success, 2 for bad input (every message on standard error, nothing on standard output), 1 for
anything else.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from qc4.cli.arguments import parser
from qc4.problems import InputError
from qc4.progress import progress_bar


def main(arguments: Sequence[str] | None = None, name: str = "qc4") -> int:
    """Run one command of the engine and return its exit status.

    Args:
        arguments: the words after the program's name; by default those of the process.
        name: name of the program.
    """
    return run(parser(name), arguments)


def run(commands: argparse.ArgumentParser, arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status.

    Nothing is written to standard output before the results are complete, so bad input leaves it empty.

    Args:
        commands: the parser of a program with subcommands; ``options.run(options)`` returns the results as text.
        arguments: the words after the program's name; by default those of the process.
    """
    try:
        options = commands.parse_args(arguments)
    except BrokenPipeError:  # from --help, with Debian 12's Python 3.11.2
        return _discard_output()
    except SystemExit:  # from --help, whose text may not have been flushed yet
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            _discard_output()
        raise
    try:
        with progress_bar(f"{commands.prog} {options.command}"):
            output: str = options.run(options)
    except InputError as error:
        for problem in error.shown:
            shown_problem = problem.told({"measures": f"`{commands.prog} list`"})
            print(f"{shown_problem.severity}: {shown_problem}", file=sys.stderr)
        if error.left_out:
            print(error.left_out, file=sys.stderr)
        return 2
    return _write(output)


def _write(output: str) -> int:
    try:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")  # names may contain characters that the locale's encoding lacks
        sys.stdout.write(output)
        sys.stdout.flush()
    except BrokenPipeError:
        return _discard_output()
    return 0


def _discard_output() -> int:
    """Discard the remaining output, because the reader (such as `head`) has stopped reading."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0

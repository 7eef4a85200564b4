"""``python -m studies streams``: write the experiments of the CMM paper to a directory as CSV and SVG."""

from __future__ import annotations

import argparse
from pathlib import Path

from qc4.problems import InputError, Problem, ProblemList
from studies.streams.figures import study_csv, study_figures
from studies.streams.study import ERROR_HORIZONS, stream_study


def add_streams(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "streams",
        help="repeat the experiments of the CMM paper",
        description="Repeat the experiments of Fig. 6, 7 and 9 of the CMM paper on synthetic streams, as CSV and SVG.",
        allow_abbrev=False,
    )
    command.set_defaults(run=streams)
    command.add_argument("directory", metavar="DIRECTORY", help="output directory; it is created if it does not exist")
    command.add_argument("--points", type=int, default=200_000, help="length of the stream (default: 200000)")
    command.add_argument("--interval", type=int, default=500, help="points between two shifts (default: 500)")
    command.add_argument("--seed", type=int, default=0, help="random seed of the stream and its errors (default: 0)")


def streams(options: argparse.Namespace) -> str:
    """Write values.csv, figure-6.svg, figure-7.svg and figure-9.svg, and return their paths, one per line.

    Raises:
        InputError: the stream is shorter than the shorter horizon of Fig. 9, or the directory cannot be written.
    """
    problems = ProblemList()
    if options.points < ERROR_HORIZONS[0]:
        problems.error("out-of-range", "--points", str(options.points), f"{ERROR_HORIZONS[0]:,} or more")
    for name in ("interval", "seed"):
        least = 1 if name == "interval" else 0
        if getattr(options, name) < least:
            problems.error("out-of-range", f"--{name}", str(getattr(options, name)), f"{least} or more")
    problems.refuse_errors()
    directory = Path(options.directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(directory, error) from None
    values = stream_study(options.points, options.interval, options.seed)
    files = {"values.csv": study_csv(values)}
    files |= {f"figure-{name}.svg": drawing for name, drawing in study_figures(values).items()}
    try:
        for name, text in files.items():
            (directory / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise _unwritable(directory, error) from None
    return "".join(f"{directory / name}\n" for name in files)


def _unwritable(directory: Path, error: OSError) -> InputError:
    return InputError([Problem("unwritable", str(directory), error.strerror or str(error), "a directory to write to")])

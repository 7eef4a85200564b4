"""The command ``stream``: CMM, its parts and the flat measures of one run over a stream."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qc4.cli.options import add_noise
from qc4.io.streams import read_stream, read_stream_clustering
from qc4.model.noise import describe_noise, noise_option
from qc4.problems import InputError, Problem, ProblemList
from qc4.records import to_json
from qc4.scoring.scoring import collect_errors
from qc4.streams.documents import StreamClustering
from qc4.streams.inputs import check_options
from qc4.streams.series import Series, measure_stream
from qc4.streams.stream import Decay, Horizon, LastPoints
from qc4.tables import Table, as_text, csv_table
from qc4.version import ENGINE_VERSION
from qc4.wording import full_decimals, printable

DEFAULT_HORIZON = 1000
"""Number of points that count if no horizon is given."""


def add_stream(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    command = commands.add_parser(
        "stream",
        help="measure clusterings of a stream over time",
        description="Compute CMM, its parts and flat measures of an algorithm's clusterings of a stream, with medians.",
        allow_abbrev=False,
    )
    command.set_defaults(run=measure_run)
    command.add_argument("stream", metavar="STREAM", help="a qc4-stream/1 file, or CSV: time,class,x1,x2,…")
    command.add_argument("clustering", metavar="CLUSTERING", help="a qc4-stream-clustering/1 file, JSON Lines or CSV")
    add_noise(command)
    horizon = command.add_argument_group("horizon: which points count at a time step")
    horizon.add_argument("--last", type=int, metavar="N", help=f"the last N points (default: {DEFAULT_HORIZON})")
    horizon.add_argument(
        "--decay", type=float, metavar="L", help="instead: weight 2^(-L * age), which halves after 1/L"
    )
    horizon.add_argument("--threshold", type=float, metavar="X", help="with --decay: the smallest weight that counts")
    command.add_argument("--k", type=int, default=2, help="number of nearest neighbours for connectivity (default: 2)")
    command.add_argument(
        "--tau", type=float, default=0.5, help="classes with higher connectivity are merged (default: 0.5)"
    )
    command.add_argument("--no-flat", action="store_true", help="omit the measures for static data")
    command.add_argument("--format", choices=("table", "json", "csv"), default="table", help="default: %(default)s")


def measure_run(options: argparse.Namespace) -> str:
    """Run ``stream``: return the series and its medians in the requested format.

    Raises:
        InputError: everything that is wrong with options or files, or more work than the engine allows.
    """
    problems = ProblemList()
    horizon: Horizon | None = None
    with collect_errors(problems):
        horizon = _horizon(options)
    with collect_errors(problems):
        check_options(options.k, options.tau, "all")
    problems.refuse_errors()
    assert horizon is not None
    document = read_stream(options.stream, noise=noise_option(options.noise))
    if document.noise:
        found = f"{describe_noise(document.noise, 'point')}, read as noise"
        print(f"note: {printable(Path(options.stream).name)}: {found}", file=sys.stderr)
    run = read_stream_clustering(options.clustering, document)
    with collect_errors(problems, Path(options.clustering).name):
        series = measure_stream(
            document.stream,
            run.snapshots,
            horizon,
            options.k,
            options.tau,
            flat=not options.no_flat,
        )
    problems.refuse_errors()
    settings = _settings(horizon) | {"k": options.k, "tau": options.tau}
    if options.format == "json":
        return to_json(_object(run, settings, series))
    return series_csv(series) if options.format == "csv" else series_table(run, settings, series)


def series_table(run: StreamClustering, settings: Mapping[str, float], series: Series) -> str:
    """Return a row per time step and a last one with the medians. Notes below explain undefined values."""
    keys = list(series.medians)
    keys = list(dict.fromkeys((*keys, *(key for moment in series.moments for key in moment.reasons))))
    notes = list(
        dict.fromkeys(why for moment in series.moments for why in (moment.undefined, *moment.reasons.values()) if why)
    )
    rows: list[list[str]] = [["time", "points", *keys]]
    for moment in series.moments:
        cells = []
        for key in keys or ["cmm"]:
            why = moment.undefined or moment.reasons.get(key, "")
            without = f"({notes.index(why) + 1})" if why else "-"
            cells.append(full_decimals(moment.values[key]) if key in moment.values else without)
        rows.append([f"{moment.time:.10g}", f"{moment.points:,}", *cells])
    if keys:
        medians = series.medians
        rows.append(["median", "", *(full_decimals(medians[key]) if key in medians else "-" for key in keys)])
    named = ", ".join(f"{name} {value:g}" for name, value in settings.items())
    who = f", {printable(run.algorithm)}" if run.algorithm else ""
    heading = f"Stream {printable(run.stream_id)}{who}: {named}; engine {ENGINE_VERSION}\n"
    below = "".join(f"({number}) undefined: {note}\n" for number, note in enumerate(notes, 1))
    return as_text([heading, Table(rows, range(len(keys) + 3)), *([below] if below else [])])


def series_csv(series: Series) -> str:
    """Return a row per time step in full precision, and a last one, ``median``."""
    keys = list(series.medians)
    rows: list[list[object]] = [
        [moment.time, moment.points, *map(moment.values.get, keys), moment.undefined_words] for moment in series.moments
    ]
    rows.append(["median", "", *(series.medians[key] for key in keys), ""])
    return csv_table(["time", "points", *keys, "undefined"], rows)


def _object(run: StreamClustering, settings: Mapping[str, float], series: Series) -> dict[str, Any]:
    about = {"engine": ENGINE_VERSION, "stream": run.stream_id, "algorithm": run.algorithm}
    return {**about, "settings": dict(settings), **series.to_dict()}


def _horizon(options: argparse.Namespace) -> Horizon:
    """Return the requested horizon.

    Raises:
        InputError: both kinds are given, or half of one, or settings out of range.
    """
    given = [name for name in ("last", "decay", "threshold") if getattr(options, name) is not None]
    if given in ([], ["last"]):
        return LastPoints(DEFAULT_HORIZON if options.last is None else options.last)
    if given == ["decay", "threshold"]:
        return Decay(options.decay, options.threshold)
    expected = "--last, or --decay together with --threshold"
    raise InputError([Problem("bad-horizon", "options", " and ".join(f"--{name}" for name in given), expected)])


def _settings(horizon: Horizon) -> dict[str, float]:
    """Return the horizon's settings by the names of the options."""
    if isinstance(horizon, LastPoints):
        return {"last": horizon.count}
    return {"decay": horizon.decay, "threshold": horizon.threshold}

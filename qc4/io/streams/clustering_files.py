"""``qc4-stream-clustering/1``: clusterings of a stream over time, as JSON, JSON Lines, or CSV of balls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.io.content import check_line_count, is_json_lines
from qc4.io.csv_files import table_rows
from qc4.io.json_fields import Record, describe, describe_format
from qc4.io.kinds import STREAM_CLUSTERINGS
from qc4.io.limits import DEFAULT_LIMITS, Budget, FileProblems, Limits
from qc4.io.source import UNNAMED, Blob, Source, decode, lines, read_blob
from qc4.io.streams.stream_files import (
    FINITE,
    Times,
    cell_number,
    check_width,
    coordinate_columns,
    describe_value,
    json_number,
    json_vector,
    reject_all,
    table_vector,
)
from qc4.io.strict_json import canonical_json, load_json, sorted_keys, value_problems, with_extra
from qc4.model.gold_document import Extra
from qc4.problems import MAX_ERRORS, InputError, Problem, check_ids
from qc4.streams.balls import Ball
from qc4.streams.documents import StreamClustering, StreamDocument
from qc4.streams.inputs import Cluster, is_ball
from qc4.streams.series import Snapshot
from qc4.text import comparison_key
from qc4.wording import quoted

STREAM_CLUSTERING_FORMAT = "qc4-stream-clustering/1"
_HEADER_FIELDS = ("format", "stream", "algorithm", "parameters")
_MOST_NAMED = 20


def read_stream_clustering(
    source: Source, stream: StreamDocument, *, name: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> StreamClustering:
    """Read clusterings of a stream over time.

    The file may be a ``qc4-stream-clustering/1`` object, or JSON Lines with its fields other than ``snapshots`` on the
    first line, followed by one snapshot per line. It may also be a CSV file of balls,
    ``time,cluster,radius,c1,c2,...``,
    which belongs to ``stream`` and names no algorithm.

    Args:
        source: a path, bytes, a binary file object, or the parsed object.
        stream: the clustered stream.
        name: name of the file in messages.

    Raises:
        InputError: everything that is wrong, by snapshot and cluster or by line. This includes another stream's id,
            times that decrease, negative radii, repeated ids, and exceeded limits. Points must exist, have arrived and
            occur once per cluster. Centres must have the length of the stream's vectors.
    """
    if isinstance(source, Mapping):
        hostile = value_problems(source, name or UNNAMED, limits)
        return _from_json(source, hostile, stream, name or UNNAMED, limits)
    blob = read_blob(source, name, limits)
    text = decode(blob.data, blob.name, STREAM_CLUSTERINGS)
    if not text.lstrip().startswith(("{", "[")):
        check_line_count(text, blob.name, limits)
        return _from_table(blob, text, stream, limits)
    budget = Budget(limits)
    if is_json_lines(text, blob.name, budget):
        return _from_json_lines(blob, text, stream, budget)
    return _from_json(*load_json(text, blob.name, budget), stream, blob.name, limits)


class _Snapshots:
    """Collects snapshots while reading. Each is checked against the stream and the snapshot before."""

    def __init__(self, stream: StreamDocument, limits: Limits, problems: FileProblems) -> None:
        self.stream = stream
        self.limits = limits
        self.problems = problems
        self.memberships = 0
        self.clusters: list[tuple[Snapshot, tuple[str, ...]]] = []
        self.snapshot_extra: dict[int, Extra] = {}
        self.cluster_extra: dict[tuple[int, int], Extra] = {}
        self._times = Times(problems)

    def time(self, time: float, value: Any, where: str) -> float:
        return self._times.take(time, value, where)

    def add(self, time: float, ids: Sequence[str], clusters: Sequence[Cluster]) -> None:
        self.clusters.append((Snapshot(time, tuple(clusters)), tuple(ids)))

    def ball(self, centre: FloatArray, radius: float, value: Any, centre_at: str, radius_at: str) -> Ball:
        """Return a ball. Its coordinates are already checked; its length and radius are checked here."""
        check_width(len(centre), self.stream.n_dimensions, "the stream's vectors have", centre_at, self.problems)
        if not radius >= 0:
            expected = FINITE.replace("number", "number, 0 or more")
            self.problems.error("bad-radius", radius_at, describe_value(value), expected)
        return Ball(centre, radius)

    def points(self, values: Sequence[Any], time: float, where: str) -> IntArray:
        """Return point numbers. Report those that do not exist, are repeated, or had not arrived at the time."""
        self.memberships += len(values)
        wrong = [index for index, value in enumerate(values) if type(value) is not int]
        for index in wrong[:MAX_ERRORS]:
            self.problems.error("wrong-type", f"{where}[{index}]", describe(values[index]), "the number of a point")
        last = self.stream.n_points - 1
        unknown = [value for value in values if type(value) is int and not 0 <= value <= last]
        if unknown:
            found = f"points {_numbers(unknown)}"
            self.problems.error("unknown-point", where, found, f"points of the stream: 0 to {last}")
        if wrong or unknown:
            return np.empty(0, dtype=np.int64)
        numbers = np.array(values, dtype=np.int64)
        self._check_arrived(numbers, time, where)
        unique, counts = np.unique(numbers, return_counts=True)
        if unique.size < numbers.size:
            found = f"points listed twice: {_numbers(unique[counts > 1].tolist())}"
            self.problems.error("point-twice", where, found, "each point once per cluster", "Remove the repetition.")
        return numbers

    def _check_arrived(self, numbers: IntArray, time: float, where: str) -> None:
        late = numbers[self.stream.times[numbers] > time]
        if late.size:
            first = int(late[0])
            found = f"points {_numbers(late.tolist())}; point {first} arrives at {self.stream.times[first]:.17g}"
            expected = f"points that had arrived at the snapshot's time, {time:.17g}"
            self.problems.error("point-not-arrived", where, found, expected)

    def check_ids(self, ids: Sequence[str], places: Callable[[int], str]) -> None:
        expected = "each cluster id once per snapshot"
        read = [cluster or None for cluster in ids]
        check_ids("duplicate-cluster", read, lambda n: (places(n), f"at {places(n)}"), expected, self.problems)

    def document(self, record: Record | None = None) -> StreamClustering:
        """Return the document. It is valid only if there are no problems."""
        return StreamClustering(
            self.stream.id,
            tuple(snapshot for snapshot, _ in self.clusters),
            tuple(ids for _, ids in self.clusters),
            algorithm=(record.optional_text("algorithm") or "") if record else "",
            parameters=record.mapping("parameters") if record else {},
            extra=record.unknown(*_HEADER_FIELDS, "snapshots") if record else {},
            snapshot_extra=self.snapshot_extra,
            cluster_extra=self.cluster_extra,
        )


def _from_json(
    value: Any, hostile: Sequence[Problem], stream: StreamDocument, name: str, limits: Limits
) -> StreamClustering:
    problems = FileProblems()
    record = _header(value, name, stream, limits, problems, hostile)
    found = _Snapshots(stream, limits, problems)
    snapshots = record.raw("snapshots")
    many = len(snapshots) if isinstance(snapshots, list | tuple) else 0
    if not limits.exceeded("snapshots", many, "snapshots", problems):
        for snapshot in record.records("snapshots"):
            _json_snapshot(snapshot, found)
    return _finish(found, record, hostile, name)


def _from_json_lines(blob: Blob, text: str, stream: StreamDocument, budget: Budget) -> StreamClustering:
    limits = budget.limits
    problems = _LineProblems()
    hostile: list[Problem] = []
    found = _Snapshots(stream, limits, problems)
    rows = [(number, line) for number, line in enumerate(lines(text), start=1) if line.strip()]
    record = Record({}, "", problems, limits)
    if limits.exceeded("snapshots", len(rows) - 1, blob.name, problems):
        problems.refuse_errors()
    for place, (number, line) in enumerate(rows):
        if problems.full:
            break
        where = f"{blob.name}: line {number}"
        value, wrong = load_json(line, blob.name, budget, number)
        hostile += wrong
        if place == 0:
            record = _header(value, where, stream, limits, problems, hostile)
            problems.line = f"line {number}"
            _check_header_line(record, problems)
        else:
            problems.line = f"line {number}"
            _json_snapshot(Record(value, "", problems, limits), found)
    problems.line = ""
    return _finish(found, record, hostile, blob.name)


class _LineProblems(FileProblems):
    """Problems whose places begin with the current line of JSON Lines."""

    line = ""

    def extend(self, problems: Iterable[Problem]) -> None:
        super().extend(problem.within(self.line) if self.line else problem for problem in problems)


def _check_header_line(record: Record, problems: FileProblems) -> None:
    if "snapshots" in record:
        expected = "no snapshots here: in JSON Lines each snapshot has its own line"
        problems.error("bad-header", "snapshots", "a list of snapshots", expected)


def _header(
    value: Any, name: str, stream: StreamDocument, limits: Limits, problems: FileProblems, hostile: Sequence[Problem]
) -> Record:
    """Read the fields around the snapshots.

    Raises:
        InputError: the file has another format.
    """
    record = Record(value, "", problems, limits)
    if record.raw("format") != STREAM_CLUSTERING_FORMAT:
        found, expected = describe_format(value), f"the text {STREAM_CLUSTERING_FORMAT!r}"
        raise InputError(
            [*hostile, Problem("unknown-format", f"{name}: format", found, expected, STREAM_CLUSTERINGS.shown)]
        )
    named = record.optional_id("stream")
    if named is not None and comparison_key(named) != comparison_key(stream.id):
        problems.error("other-stream", "stream", f"the stream {quoted(named)}", f"the stream {quoted(stream.id)}")
    return record


def _json_snapshot(record: Record, found: _Snapshots) -> None:
    time = math.nan
    if "time" in record:
        time = found.time(json_number(record.raw("time")), record.raw("time"), record.at("time"))
    else:
        found.problems.error("missing-field", record.at("time"), "nothing", "the time of the snapshot")
    number = len(found.clusters)
    ids: list[str] = []
    clusters: list[Cluster] = []
    for cluster in record.records("clusters"):
        place = (number, len(ids))
        ids.append(cluster.id())
        clusters.append(_json_cluster(cluster, time, found))
        if unknown := cluster.unknown("id", "points", "centre", "radius"):
            found.cluster_extra[place] = unknown
    if unknown := record.unknown("time", "clusters"):
        found.snapshot_extra[number] = unknown
    found.limits.exceeded("clusters", len(ids), record.at("clusters"), found.problems)
    found.check_ids(ids, lambda place: f"{record.at('clusters')}[{place}].id")
    found.add(time, ids, clusters)


def _json_cluster(record: Record, time: float, found: _Snapshots) -> Cluster:
    """Return points or a ball, or an empty array if the cluster is invalid."""
    as_ball = "centre" in record or "radius" in record
    if as_ball == ("points" in record):
        both = "both points and a centre or radius" if as_ball else "neither points nor centre and radius"
        found.problems.error("bad-cluster", record.path or "cluster", both, "points, or centre and radius")
    elif not as_ball:
        values = _list(record, "points", found)
        return found.points(values, time, record.at("points"))
    else:
        values, radius = _list(record, "centre", found), record.raw("radius")
        if values:
            centre = json_vector(values, record.at("centre"), found.problems)
            return found.ball(centre, json_number(radius), radius, record.at("centre"), record.at("radius"))
    return np.empty(0, dtype=np.int64)


def _list(record: Record, key: str, found: _Snapshots) -> Sequence[Any]:
    values = record.raw(key)
    if isinstance(values, list | tuple) and (values or key == "points"):
        return values
    shown_value = "an empty list" if values == [] else "nothing" if values is None else describe(values)
    expected = "a list of point numbers" if key == "points" else "a list of numbers"
    found.problems.error("wrong-type", record.at(key), shown_value, expected)
    return ()


def _finish(found: _Snapshots, record: Record, hostile: Sequence[Problem], name: str) -> StreamClustering:
    found.limits.exceeded("memberships", found.memberships, "snapshots", found.problems)
    document = found.document(record)
    if not found.clusters and not found.problems.errors:
        found.problems.error("no-snapshots", "snapshots", "no snapshot", "at least one")
    reject_all(hostile, found.problems, name)
    return document


def _from_table(blob: Blob, text: str, stream: StreamDocument, limits: Limits) -> StreamClustering:
    """Read a table. Adjacent lines with the same time form one snapshot."""
    problems = FileProblems()
    rows = table_rows(text, blob.name, Budget(limits), problems)
    header = [cell.strip() for cell in next(rows, (1, []))[1]]
    coordinates = coordinate_columns(header, "c", ("time", "cluster", "radius"), blob.name, problems)
    problems.refuse_errors()
    found = _Snapshots(stream, limits, problems)
    for time, group in groupby(_balls(rows, header, coordinates, blob.name, found), key=lambda ball: ball[0]):
        balls = list(group)
        ids = [cluster for _, _, cluster, _ in balls]
        limits.exceeded("clusters", len(ids), f"{blob.name}: {balls[0][1]}", problems)
        found.check_ids(ids, lambda place, balls=balls: f"{blob.name}: {balls[place][1]}")  # type: ignore[misc]  # mypy cannot infer lambdas with defaults
        found.add(time, ids, [ball for _, _, _, ball in balls])
    limits.exceeded("snapshots", len(found.clusters), blob.name, problems)
    if not found.clusters and not problems.errors:
        problems.error("no-snapshots", blob.name, "no snapshot", "at least one line below the header line")
    problems.refuse_errors()
    return found.document()


def _balls(
    rows: Iterable[tuple[int, list[str]]], header: list[str], coordinates: list[int], name: str, found: _Snapshots
) -> Iterator[tuple[float, str, str, Ball]]:
    """Yield time, line, cluster and ball of each row."""
    time_at, id_at, radius_at = (header.index(key) for key in ("time", "cluster", "radius"))
    for line, cells in rows:
        if found.problems.full:
            return
        where = f"{name}: line {line}"
        if len(cells) != len(header):
            expected = f"{len(header)}, as in the header line"
            found.problems.error("bad-row", where, f"{len(cells)} columns", expected)
            continue
        time = found.time(cell_number(cells[time_at]), cells[time_at], f"{where}, column time")
        cluster = cells[id_at].strip()
        if not cluster:
            found.problems.error("empty-id", f"{where}, column cluster", "nothing", "an id for every cluster")
        found.limits.exceeded("id_chars", len(cluster), f"{where}, column cluster", found.problems)
        centre = table_vector(cells, header, coordinates, where, found.problems)
        radius = cells[radius_at]
        ball = found.ball(centre, cell_number(radius), radius, where, f"{where}, column radius")
        yield time, f"line {line}", cluster, ball


def _numbers(values: Sequence[int]) -> str:
    """Format point numbers for a message: the first ones, and the number of the others."""
    named = ", ".join(str(value) if abs(value) < 10**18 else "a huge one" for value in values[:_MOST_NAMED])
    return named if len(values) <= _MOST_NAMED else f"{named} and {len(values) - _MOST_NAMED:,} more"


def write_stream_clustering(clustering: StreamClustering) -> bytes:
    """Return the canonical ``qc4-stream-clustering/1`` file: the same clusterings always give the same bytes."""
    return canonical_json(stream_clustering_to_dict(clustering))


def stream_clustering_to_dict(clustering: StreamClustering) -> dict[str, Any]:
    """Return the object that `write_stream_clustering` writes, with snapshots, clusters and points in their input
    order.
    """
    known = {
        "format": STREAM_CLUSTERING_FORMAT,
        "stream": clustering.stream_id,
        "algorithm": clustering.algorithm,
        "parameters": sorted_keys(clustering.parameters),
        "snapshots": [_snapshot_to_dict(clustering, number) for number in range(clustering.n_snapshots)],
    }
    return with_extra(known, clustering.extra)


def _snapshot_to_dict(clustering: StreamClustering, number: int) -> dict[str, Any]:
    snapshot, ids = clustering.snapshots[number], clustering.cluster_ids[number]
    clusters = [
        with_extra({"id": id_, **_cluster_to_dict(cluster)}, clustering.cluster_extra.get((number, place), {}))
        for place, (id_, cluster) in enumerate(zip(ids, snapshot.clusters, strict=True))
    ]
    known = {"time": float(snapshot.time), "clusters": clusters}
    return with_extra(known, clustering.snapshot_extra.get(number, {}))


def _cluster_to_dict(cluster: Cluster) -> dict[str, Any]:
    if isinstance(cluster, Ball):
        return {"centre": cluster.centre.tolist(), "radius": float(cluster.radius)}
    if is_ball(cluster):
        centre, radius = cluster
        return {"centre": np.asarray(centre, dtype=np.float64).tolist(), "radius": float(radius)}
    return {"points": [int(point) for point in cluster]}  # type: ignore[arg-type]  # balls were handled above

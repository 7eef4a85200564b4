"""``qc4-stream/1``: a stream of points with arrival times and classes, as JSON or CSV."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.io.content import check_line_count
from qc4.io.csv_files import table_rows
from qc4.io.json_fields import Record, describe, describe_format
from qc4.io.kinds import STREAMS
from qc4.io.limits import DEFAULT_LIMITS, Budget, FileProblems, Limits
from qc4.io.source import UNNAMED, Blob, Source, decode, read_blob
from qc4.io.strict_json import canonical_json, load_json, value_problems, with_extra
from qc4.model.gold_document import Extra
from qc4.model.noise import NoiseLabel, NoiseRule, label_key
from qc4.model.vectors import LARGEST
from qc4.problems import InputError, Problem, ProblemList
from qc4.streams.documents import StreamDocument
from qc4.text import Spellings
from qc4.wording import counted, listed, quoted

# --- Shared by all stream files: checked numbers, vectors, times and class labels ---

FINITE = f"a finite number, at most {LARGEST:g} in size"


def json_number(value: Any) -> float:
    """Return a number of parsed JSON, or NaN if the value is not a number, not finite, or larger than `LARGEST`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    return float(value) if -LARGEST <= value <= LARGEST else math.nan


def cell_number(cell: str) -> float:
    """Return the number in a table cell, or NaN if the cell is not a number, not finite, or larger than `LARGEST`."""
    try:
        value = (
            math.nan if "_" in cell else float(cell)
        )  # underscores between digits are valid in Python, but not in CSV
    except ValueError:
        return math.nan
    return value if -LARGEST <= value <= LARGEST else math.nan


def describe_value(value: Any) -> str:
    """Format a value of a file for a message. Table cells are strings."""
    if isinstance(value, str):
        return quoted(value.strip()) if value.strip() else "nothing"
    return describe(value)


class Times:
    """Times in file order, each checked against the one before."""

    def __init__(self, problems: ProblemList) -> None:
        self._problems = problems
        self._last = -math.inf

    def take(self, time: float, value: Any, where: str) -> float:
        """Return the time. Report a problem if it is not a finite number or is before the last one."""
        if math.isnan(time):
            self._problems.error("bad-time", where, describe_value(value), FINITE)
        elif time < self._last:
            found = f"{time:.17g} after {self._last:.17g}"
            self._problems.error("times-not-ordered", where, found, "times that never go back", "Sort by time.")
        else:
            self._last = time
        return time


def vector(values: Sequence[Any], places: Sequence[str], numbers: Sequence[float], problems: ProblemList) -> FloatArray:
    """Return coordinates as an array. Values that are not finite numbers are reported with their places."""
    row = np.array(numbers, dtype=np.float64)
    for column in np.flatnonzero(np.isnan(row)).tolist():
        problems.error("bad-vector", places[column], describe_value(values[column]), FINITE)
    return row


def check_width(found: int, expected: int, what: str, where: str, problems: ProblemList) -> bool:
    """Return True if a vector has the expected length; otherwise report a problem."""
    if found == expected:
        return True
    problems.error("wrong-vector-length", where, counted(found, "number"), f"{expected:,}, as {what}")
    return False


def class_label(value: Any, where: str, problems: ProblemList) -> str | None:
    """Return the text of a point's class, the same for text and number, or None if it has no class."""
    if isinstance(value, bool) or not (value is None or isinstance(value, int | float | str)):
        expected = "a class label (text or a whole number), or null for noise"
        problems.error("wrong-type", where, describe(value), expected)
        return None
    if isinstance(value, float) and not value.is_integer():
        problems.error("wrong-type", where, describe(value), "a class label (text or a whole number)")
        return None
    key = label_key(value)
    return None if key is None else str(key)


STREAM_FORMAT = "qc4-stream/1"


def read_stream(
    source: Source, *, name: str | None = None, limits: Limits = DEFAULT_LIMITS, noise: Any = None
) -> StreamDocument:
    """Read a stream from a ``qc4-stream/1`` file or from a CSV file ``time,class,x1,x2,...``.

    A CSV file does not name its stream, so the stream gets the name of the file.

    Args:
        source: a path, bytes, a binary file object, or the parsed object.
        name: name of the file in messages.
        noise: the classes that mean noise, one or a list of them; None for the usual ones, ``[]`` for none.

    Raises:
        InputError: everything that is wrong, by point or line: missing vectors, vectors of another length than the
            first, coordinates that are not finite, times that decrease, values that are not labels, and exceeded
            limits.
    """
    rule = NoiseRule.of(noise)
    if isinstance(source, Mapping):
        hostile = value_problems(source, name or UNNAMED, limits)
        return _from_json(source, hostile, name or UNNAMED, limits, rule)
    blob = read_blob(source, name, limits)
    text = decode(blob.data, blob.name, STREAMS)
    if text.lstrip().startswith(("{", "[")):
        return _from_json(*load_json(text, blob.name, Budget(limits)), blob.name, limits, rule)
    check_line_count(text, blob.name, limits)
    return _from_table(blob, text, limits, rule)


class _Points:
    """Collects points while reading, as numbers."""

    def __init__(self, limits: Limits, problems: ProblemList, rule: NoiseRule) -> None:
        self._limits = limits
        self._problems = problems
        self._rule = rule
        self._noise: Counter[str] = Counter()
        self._checked = Times(problems)
        self._times = array("d")
        self._labels: list[str | None] = []
        self._rows: list[FloatArray] = []

    def __len__(self) -> int:
        return len(self._times)

    def time(self, time: float, value: Any, where: str) -> None:
        self._times.append(self._checked.take(time, value, where))

    def label(self, value: Any, where: str) -> None:
        label = class_label(value, where, self._problems)
        if self._rule.holds(label):
            self._noise["" if value is None else str(value).strip()] += 1
            label = None
        self._labels.append(label)
        if label is not None:
            self._limits.exceeded("id_chars", len(label), where, self._problems)

    def vector(self, row: FloatArray, where: str) -> None:
        """Add a vector. The first one determines the length of the others."""
        if not self._rows:
            self._limits.exceeded("dimensions", row.size, where, self._problems)
        if not self._rows or check_width(row.size, self._rows[0].size, "in the first point", where, self._problems):
            self._rows.append(row)

    @property
    def noise(self) -> tuple[NoiseLabel, ...]:
        """The classes read as noise, as written, with their number of points."""
        return tuple(NoiseLabel(label, points) for label, points in self._noise.items())

    def columns(self) -> tuple[FloatArray, IntArray, tuple[str, ...], FloatArray]:
        """Return points, class numbers, class names and times. They are valid only if there are no problems."""
        labels = dict.fromkeys(label for label in self._labels if label is not None)
        known = Spellings(labels)
        numbers = {label: number for number, label in enumerate(dict.fromkeys(map(known.first, labels)))}
        number_of = {label: numbers[known.first(label)] for label in labels}
        classes = np.array([-1 if label is None else number_of[label] for label in self._labels], dtype=np.int64)
        return np.array(self._rows), classes, tuple(numbers), np.array(self._times)


def _from_json(value: Any, hostile: Sequence[Problem], name: str, limits: Limits, rule: NoiseRule) -> StreamDocument:
    problems = FileProblems()
    record = Record(value, "", problems, limits)
    if record.raw("format") != STREAM_FORMAT:
        found, expected = describe_format(value), f"the text {STREAM_FORMAT!r}"
        raise InputError([*hostile, Problem("unknown-format", f"{name}: format", found, expected, STREAMS.shown)])
    stream = Record(record.raw("stream"), "stream", problems, limits)
    stream_id, text = stream.id(), stream.optional_text("text") or ""
    points, extra = _Points(limits, problems, rule), {}
    number = -1
    if not limits.exceeded("points", _length(record.raw("points")), "points", problems):
        for number, point in enumerate(record.records("points")):
            _json_point(point, points, problems)
            if unknown := point.unknown("time", "class", "vector"):
                extra[number] = unknown
    if number < 0 and not problems.errors:
        problems.error("no-points", "points", "no points", "at least one point")
    reject_all(hostile, problems, name)
    return StreamDocument(
        stream_id,
        *points.columns(),
        text=text,
        extra=record.unknown("format", "stream", "points"),
        stream_extra=stream.unknown("id", "text"),
        point_extra=extra,
        noise=points.noise,
    )


def _json_point(point: Record, points: _Points, problems: ProblemList) -> None:
    for key in ("time", "class"):
        if key not in point:
            problems.error(
                "missing-field", point.at(key), "nothing", "a number" if key == "time" else "a label or null"
            )
    if "time" in point:
        points.time(json_number(point.raw("time")), point.raw("time"), point.at("time"))
    points.label(point.raw("class"), point.at("class"))
    values, where = point.raw("vector"), point.at("vector")
    if values is None:
        problems.error("missing-vector", where, "nothing", "a list of numbers", "Give every point a vector.")
    elif not isinstance(values, list | tuple) or not values:
        problems.error("wrong-type", where, describe(values) if values != [] else "an empty list", "a list of numbers")
    else:
        points.vector(json_vector(values, where, problems), where)


def json_vector(values: Sequence[Any], where: str, problems: ProblemList) -> FloatArray:
    """Return a list of parsed JSON as a vector."""
    places = _Places(where, len(values))
    return vector(values, places, [json_number(value) for value in values], problems)


class _Places(Sequence[str]):
    """The texts ``where[0]``, ``where[1]``, ..., created only when a message needs them."""

    def __init__(self, where: str, n: int) -> None:
        self._where, self._n = where, n

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, index: Any) -> Any:
        return f"{self._where}[{index}]"


def reject_all(hostile: Sequence[Problem], problems: ProblemList, name: str) -> None:
    """Raise InputError for all problems. A value that JSON cannot represent is reported only once.

    Args:
        hostile: problems from `value_problems`, whose places include the file's name.
        problems: problems from the reader, whose places do not.
    """
    told = {problem.where for problem in hostile}
    rest = FileProblems()
    rest.extend(problem for problem in problems.errors if f"{name}: {problem.where}" not in told)
    try:
        rest.refuse_errors(name)
    except InputError as error:
        raise InputError([*hostile, *error.problems]) from None
    if hostile:
        raise InputError(hostile)


def _from_table(blob: Blob, text: str, limits: Limits, rule: NoiseRule) -> StreamDocument:
    problems = FileProblems()
    rows = table_rows(text, blob.name, Budget(limits), problems)
    header = [cell.strip() for cell in next(rows, (1, []))[1]]
    columns = {key: header.index(key) for key in ("time", "class") if key in header}
    coordinates = coordinate_columns(header, "x", ("time", "class"), blob.name, problems)
    problems.refuse_errors()
    points = _Points(limits, problems, rule)
    for line, cells in rows:
        if problems.full:
            break
        where = f"{blob.name}: line {line}"
        if len(cells) != len(header):
            problems.error("bad-row", where, f"{len(cells)} columns", f"{len(header)}, as in the header line")
            continue
        time = cells[columns["time"]]
        points.time(cell_number(time), time, f"{where}, column time")
        points.label(cells[columns["class"]], f"{where}, column class")
        points.vector(table_vector(cells, header, coordinates, where, problems), where)
    limits.exceeded("points", len(points), blob.name, problems)
    if not len(points) and not problems.errors:
        problems.error("no-points", blob.name, "no points", "at least one line below the header line")
    problems.refuse_errors()
    return StreamDocument(blob.stem, *points.columns(), noise=points.noise)


def coordinate_columns(
    header: Sequence[str], letter: str, others: Sequence[str], name: str, problems: ProblemList
) -> list[int]:
    """Return the indices of the columns x1, x2, ... by number. Missing, unknown and repeated columns are reported."""
    where, expected = f"{name}: line 1", f"a header line {','.join(others)},{letter}1,{letter}2,…"
    counts = Counter(header)
    numbered = {int(column[1:]): column for column in counts if re.fullmatch(rf"{letter}[1-9][0-9]{{0,8}}", column)}
    gaps = [f"{letter}{number}" for number in range(1, max(len(numbered), 1) + 1) if number not in numbered]
    if missing := [column for column in others if column not in counts] + gaps:
        problems.error("bad-header", where, f"no column {listed(missing)}", expected)
    known = {*others, *numbered.values()}
    if strange := [column for column in counts if column not in known]:
        problems.error("bad-header", where, f"the columns {listed(strange)}", expected, "Remove them.")
    if twice := [column for column, count in counts.items() if count > 1]:
        expected = "a different name for every column"
        problems.error("bad-header", where, f"columns named twice: {listed(twice)}", expected)
    places = {column: place for place, column in enumerate(header)}
    return [places[numbered[number]] for number in sorted(numbered)]


def table_vector(
    cells: Sequence[str], header: Sequence[str], columns: Sequence[int], where: str, problems: ProblemList
) -> FloatArray:
    """Return the coordinates in a table row."""
    values = [cells[column] for column in columns]
    row = np.array([cell_number(cell) for cell in values])
    if not np.isnan(row).any():
        return row
    if not any(value.strip() for value in values):
        problems.error("missing-vector", where, "no coordinates", "a number in every column of coordinates")
        return row
    return vector(values, [f"{where}, column {header[column]}" for column in columns], row.tolist(), problems)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | tuple) else 0


def write_stream(document: StreamDocument) -> bytes:
    """Return the canonical ``qc4-stream/1`` file of a stream: the same stream always gives the same bytes."""
    return canonical_json(stream_to_dict(document))


def stream_to_dict(document: StreamDocument) -> dict[str, Any]:
    """Return the object that `write_stream` writes."""
    known = {
        "format": STREAM_FORMAT,
        "stream": with_extra({"id": document.id, "text": document.text}, document.stream_extra),
        "points": list(_points_to_dicts(document)),
    }
    return with_extra(known, document.extra)


def _points_to_dicts(document: StreamDocument) -> Iterator[dict[str, Any]]:
    names: list[str | None] = [*document.class_names, None]  # class -1, noise, is the last
    columns = document.times.tolist(), document.classes.tolist(), document.points.tolist()
    nothing: Extra = {}
    for number, (time, label, coordinates) in enumerate(zip(*columns, strict=True)):
        point = {"time": time, "class": names[label], "vector": coordinates}
        yield with_extra(point, document.point_extra.get(number, nothing))

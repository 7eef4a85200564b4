"""Stream files and their clusterings: valid input, rejected input with its place, and canonical bytes."""

from __future__ import annotations

import contextlib
import csv
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.io import DEFAULT_LIMITS
from qc4.io.streams import read_stream, read_stream_clustering, write_stream, write_stream_clustering
from qc4.problems import InputError
from qc4.streams import Ball
from qc4.streams.series import measure_stream
from qc4.streams.stream import LastPoints
from tests.qc4.io.test_hostile_files import damaged


def stream(**fields) -> dict:
    points = [
        {"time": 0, "class": "b", "vector": [0, 1]},
        {"time": 1, "class": 7, "vector": [2.5, 3]},
        {"time": 1, "class": None, "vector": [4, 5]},
        {"time": 3.5, "class": "b", "vector": [6, 7]},
    ]
    return {"format": "qc4-stream/1", "stream": {"id": "s", "text": "four"}, "points": points} | fields


def run(**fields) -> dict:
    snapshots = [
        {"time": 1, "clusters": [{"id": "a", "points": [2, 0]}, {"id": "e", "points": []}]},
        {"time": 4, "clusters": [{"id": "a", "points": [3]}, {"id": "b", "centre": [1, 2], "radius": 0.5}]},
    ]
    head = {"format": "qc4-stream-clustering/1", "stream": "s", "algorithm": "A", "parameters": {"k": 2}}
    return head | {"snapshots": snapshots} | fields


def encoded(value: object) -> bytes:
    return json.dumps(value).encode()


def lines_of(value: dict) -> bytes:
    head = {key: field for key, field in value.items() if key != "snapshots"}
    return b"".join(encoded(line) + b"\n" for line in (head, *value["snapshots"]))


def problems(read, *arguments, **options) -> list[tuple[str, str]]:
    """Return code and place of every problem."""
    with pytest.raises(InputError) as error:
        read(*arguments, **options)
    return [(problem.code, problem.where) for problem in error.value.problems]


@pytest.fixture
def document():
    return read_stream(stream())


class TestStreams:
    def test_json(self, document):
        assert (document.id, document.text) == ("s", "four")
        assert document.points.tolist() == [[0, 1], [2.5, 3], [4, 5], [6, 7]]
        assert document.times.tolist() == [0, 1, 1, 3.5]
        assert (document.classes.tolist(), document.class_names) == ([0, 1, -1, 0], ("b", "7"))
        assert (document.n_points, document.n_dimensions, document.n_classes) == (4, 2, 2)

    @pytest.mark.parametrize(
        "text",
        [
            "time,class,x1,x2\n0,b,0,1\n1,7,2.5,3\n1,noise,4,5\n3.5,b,6,7\n",
            "\ufeffx2;class;time;x1\r\n1;b;0;0\r\n3;7;1;2.5\r\n\r\n5;;1;4\r\n7;b;3.5;6\r\n",
            "time\tx1\tx2\tclass\n0\t0\t1\tb\n1\t2.5\t3\t7\n1\t4\t5\t-1\n3.5\t6\t7\tb",
        ],
        ids=["CSV", "semicolons, other order", "TSV"],
    )
    def test_tables_equal_json(self, text, document):
        table = read_stream(text.encode(), name="folder/s.csv")
        assert write_stream(replace(table, text="four")) == write_stream(document)

    @pytest.mark.parametrize("label", [None, -1, -1.0, "", " ", "-1", "Noise", "-1.00", "\u22121", "NA", "-1_the_and"])
    def test_noise(self, label):
        assert read_stream(stream(points=[{"time": 0, "class": label, "vector": [1]}])).classes.tolist() == [-1]

    def test_class_labels_are_text(self):
        labels = ["1", 1, 1.0, " 1 ", "1.0", "-2"]
        found = read_stream(stream(points=[{"time": 0, "class": label, "vector": [1]} for label in labels]))
        assert (found.classes.tolist(), found.class_names) == ([0, 0, 0, 0, 0, 1], ("1", "-2"))

    def test_noise_may_be_given_and_is_counted(self):
        labels = ["None", "-1", "-1.0", "a"]
        value = stream(points=[{"time": 0, "class": label, "vector": [1]} for label in labels])
        usual, given = read_stream(value), read_stream(value, noise=-1)
        assert [(each.label, each.pages) for each in usual.noise] == [("None", 1), ("-1", 1), ("-1.0", 1)]
        assert (given.classes.tolist(), given.class_names) == ([0, -1, -1, 1], ("None", "a"))
        assert read_stream(value, noise=[]).class_names == ("None", "-1", "a")

    def test_unknown_fields_are_kept_everywhere(self):
        value = stream(note=[1], stream={"id": "s", "unit": "m"})
        value["points"][2]["weight"] = 2
        written = json.loads(write_stream(read_stream(value)))
        assert (written["note"], written["stream"]["unit"], written["points"][2]["weight"]) == ([1], "m", 2)

    def test_all_json_problems_are_reported_by_point(self):
        points = [
            {"time": 1, "class": "a", "vector": [1, 2]},
            {"time": 0.5, "class": "a", "vector": [1]},
            {"time": True, "class": 1.5, "vector": ["1", 1e200]},
            {"class": [], "vector": None},
            {"time": "2", "vector": {}},
            7,
            {"time": 2, "class": False, "vector": []},
        ]
        assert problems(read_stream, stream(points=points), name="f") == [
            ("times-not-ordered", "f: points[1].time"),
            ("wrong-vector-length", "f: points[1].vector"),
            ("bad-time", "f: points[2].time"),
            ("wrong-type", "f: points[2].class"),
            ("bad-vector", "f: points[2].vector[0]"),
            ("bad-vector", "f: points[2].vector[1]"),
            ("missing-field", "f: points[3].time"),
            ("wrong-type", "f: points[3].class"),
            ("missing-vector", "f: points[3].vector"),
            ("missing-field", "f: points[4].class"),
            ("bad-time", "f: points[4].time"),
            ("wrong-type", "f: points[4].vector"),
            ("wrong-type", "f: points[5]"),
            ("wrong-type", "f: points[6].class"),
            ("wrong-type", "f: points[6].vector"),
        ]

    def test_unrepresentable_values_are_reported_once_with_the_rest(self):
        text = b'{"format": "qc4-stream/1", "stream": {"id": "s"}, "points": [{"time": NaN, "class": 1, "vector": [1]},'
        text += b'{"time": 2, "class": 1, "vector": [1, Infinity]}]}'
        assert problems(read_stream, text, name="f") == [
            ("not-finite", "f: points[0].time"),
            ("not-finite", "f: points[1].vector[1]"),
            ("wrong-vector-length", "f: points[1].vector"),
        ]

    def test_all_table_problems_are_reported_by_line(self):
        text = b"time,class,x1,x2\n1,a,1,2\n0,a,nan,2\n\n,a,1,x\n2,a,,\n2,a\n2,a,1_0,1\n"
        assert problems(read_stream, text, name="f.csv") == [
            ("times-not-ordered", "f.csv: line 3, column time"),
            ("bad-vector", "f.csv: line 3, column x1"),
            ("bad-time", "f.csv: line 5, column time"),
            ("bad-vector", "f.csv: line 5, column x2"),
            ("missing-vector", "f.csv: line 6"),
            ("bad-row", "f.csv: line 7"),
            ("bad-vector", "f.csv: line 8, column x1"),
        ]

    @pytest.mark.parametrize(
        ("header", "said"),
        [
            ("time,x1", "no column 'class'"),
            ("time,class", "no column 'x1'"),
            ("time,class,x1,x3", "no column 'x2'"),
            ("time,class,x1,id", "the columns 'id'"),
            ("time,class,x1,x1", "columns named twice: 'x1'"),
            ("time,class,x0,x1", "the columns 'x0'"),
        ],
    )
    def test_wrong_header_lines_are_rejected(self, header, said):
        with pytest.raises(InputError) as error:
            read_stream(f"{header}\n0,1,2,3\n".encode())
        assert [problem.found for problem in error.value.problems] == [said]
        assert error.value.problems[0].code == "bad-header"

    @pytest.mark.parametrize(
        ("source", "code"),
        [
            (b"", "empty-file"),
            (b"[1]", "unknown-format"),
            (b"{", "not-json"),
            (encoded(run()), "unknown-format"),
            (stream(points=[]), "no-points"),
            (stream(points=None), "wrong-type"),
            (stream(stream={"id": " "}), "empty-id"),
            (b"time,class,x1\n", "no-points"),
            (b'time,class,x1\n0,"a,1\n', "bad-row"),
        ],
    )
    def test_other_files_are_rejected_as_streams(self, source, code):
        assert code in [found for found, _ in problems(read_stream, source)]

    @pytest.mark.parametrize(
        ("limit", "code"), [("points", "limit-points"), ("dimensions", "limit-dimensions"), ("rows", "limit-rows")]
    )
    def test_limits(self, limit, code):
        text = b"time,class,x1,x2,x3\n0,1,2,3,4\n0,1,2,3,4\n0,1,2,3,4\n"
        assert code in [found for found, _ in problems(read_stream, text, limits=replace(DEFAULT_LIMITS, **{limit: 2}))]
        assert limit == "rows" or problems(read_stream, stream(), limits=replace(DEFAULT_LIMITS, **{limit: 1}))

    def test_rejected_table_does_not_change_the_csv_field_limit(self):
        """The csv module has one field limit for the whole process, and readers may stop in the middle of a table."""
        with pytest.raises(InputError) as kept:  # the traceback keeps the reader alive
            read_stream(b"time,class\n0,1\n")
        assert kept.value.problems
        label = "a" * 200
        assert read_stream(f"time,class,x1\n0,{label},1\n".encode()).class_names == (label,)
        assert next(csv.reader([label])) == [label]

    def test_hostile_header_takes_linear_time(self):
        header = "time,class," + ",".join(f"y{number}" for number in range(200_000))
        assert problems(read_stream, f"{header}\n0\n".encode())[0][0] == "bad-header"


class TestClusterings:
    @pytest.mark.parametrize("made", [lambda value: value, encoded, lines_of], ids=["parsed", "JSON", "JSON Lines"])
    def test_json_is_read(self, made, document):
        found = read_stream_clustering(made(run()), document)
        assert (found.stream_id, found.algorithm, found.parameters) == ("s", "A", {"k": 2})
        assert [snapshot.time for snapshot in found.snapshots] == [1, 4]
        assert found.cluster_ids == (("a", "e"), ("a", "b"))
        assert [list(cluster) for cluster in found.snapshots[0].clusters] == [[2, 0], []]
        ball = found.snapshots[1].clusters[1]
        assert isinstance(ball, Ball)
        assert (ball.centre.tolist(), ball.radius) == ([1, 2], 0.5)
        assert write_stream_clustering(found) == write_stream_clustering(read_stream_clustering(run(), document))

    def test_balls_from_a_table(self, document):
        text = b"time,cluster,radius,c1,c2\n1,a,0,0,1\n4,a,2,1,1\n4,b,0.5,1,2\n"
        found = read_stream_clustering(text, document)
        assert [(snapshot.time, len(snapshot.clusters)) for snapshot in found.snapshots] == [(1, 1), (4, 2)]
        assert found.cluster_ids == (("a",), ("a", "b"))
        assert (found.stream_id, found.algorithm) == ("s", "")

    def test_read_clustering_can_be_measured(self, document):
        series = measure_stream(
            document.stream, read_stream_clustering(run(), document).snapshots, LastPoints(3), flat=False
        )
        assert [moment.points for moment in series.moments] == [3, 3]

    def test_stream_id_is_optional(self, document):
        value = run()
        del value["stream"]
        assert read_stream_clustering(value, document).stream_id == "s"

    def test_unknown_fields_are_kept_everywhere(self, document):
        value = run(note={"b": 1, "a": 2})
        value["snapshots"][1]["took"] = 0.1
        value["snapshots"][1]["clusters"][1]["weight"] = 9
        written = json.loads(write_stream_clustering(read_stream_clustering(value, document)))
        assert written["note"] == {"a": 2, "b": 1}
        assert written["snapshots"][1]["took"] == 0.1
        assert written["snapshots"][1]["clusters"][1]["weight"] == 9

    @pytest.mark.parametrize(("made", "at"), [(encoded, "snapshots[{}]."), (lines_of, "line {}: ")])
    def test_all_problems_are_reported_by_snapshot_and_cluster(self, made, at, document):
        snapshots = [
            {"time": 1, "clusters": [{"id": "a", "points": [0, 3]}, {"id": "a", "points": [4, -1, 10**30]}]},
            {"time": 0, "clusters": [{"id": "b", "points": [0, 0]}, {"id": "c", "points": [1.0]}, {"id": "d"}]},
            {"clusters": [{"id": "", "centre": [1], "radius": -1}, {"id": "f", "centre": [1, "x"]}]},
            {"time": 5, "clusters": [{"id": "a", "centre": [0, 0], "radius": 1, "points": []}]},
        ]
        first, second, third, fourth = (at.format(number + 2 * (made is lines_of)) for number in range(4))
        found = problems(read_stream_clustering, made(run(stream="t", snapshots=snapshots)), document, name="f")
        assert found == [
            ("other-stream", "f: stream"),
            ("point-not-arrived", f"f: {first}clusters[0].points"),
            ("unknown-point", f"f: {first}clusters[1].points"),
            ("duplicate-cluster", f"f: {first}clusters[1].id"),
            ("times-not-ordered", f"f: {second}time"),
            ("point-twice", f"f: {second}clusters[0].points"),
            ("wrong-type", f"f: {second}clusters[1].points[0]"),
            ("bad-cluster", f"f: {second}clusters[2]"),
            ("missing-field", f"f: {third}time"),
            ("empty-id", f"f: {third}clusters[0].id"),
            ("wrong-vector-length", f"f: {third}clusters[0].centre"),
            ("bad-radius", f"f: {third}clusters[0].radius"),
            ("bad-vector", f"f: {third}clusters[1].centre[1]"),
            ("bad-radius", f"f: {third}clusters[1].radius"),
            ("bad-cluster", f"f: {fourth}clusters[0]"),
        ]

    def test_all_table_problems_are_reported_by_line(self, document):
        text = b"time,cluster,radius,c1,c2\n2,a,1,1,1\n2,a,-1,1,1\n1,,x,1,\n3,b\n3,b,1,,\n"
        assert sorted(problems(read_stream_clustering, text, document, name="f.csv"), key=lambda at: at[1]) == [
            ("duplicate-cluster", "f.csv: line 3"),
            ("bad-radius", "f.csv: line 3, column radius"),
            ("bad-vector", "f.csv: line 4, column c2"),
            ("empty-id", "f.csv: line 4, column cluster"),
            ("bad-radius", "f.csv: line 4, column radius"),
            ("times-not-ordered", "f.csv: line 4, column time"),
            ("bad-row", "f.csv: line 5"),
            ("missing-vector", "f.csv: line 6"),
        ]

    def test_table_of_other_dimensions_is_rejected(self, document):
        text = b"time,cluster,radius,c1\n2,a,1,1\n"
        assert problems(read_stream_clustering, text, document) == [("wrong-vector-length", "input: line 2")]

    def test_line_that_is_not_json_is_reported(self, document):
        text = lines_of(run()) + b"{\n"
        assert problems(read_stream_clustering, text, document, name="f") == [("not-json", "f: line 4, column 2")]

    def test_snapshots_on_the_first_json_line_are_rejected(self, document):
        text = encoded(run()) + b"\n" + encoded(run()["snapshots"][1]) + b"\n"
        assert ("bad-header", "input: line 1: snapshots") in problems(read_stream_clustering, text, document)

    @pytest.mark.parametrize(
        ("source", "code"),
        [
            (b"", "empty-file"),
            (stream(), "unknown-format"),
            (run(snapshots=[]), "no-snapshots"),
            (run(snapshots=3), "wrong-type"),
            (b"time,cluster,radius,c1,c2\n", "no-snapshots"),
            (b"time,cluster,point\n0,a,0\n", "bad-header"),
        ],
    )
    def test_other_files_are_rejected_as_clusterings(self, source, code, document):
        assert code in [found for found, _ in problems(read_stream_clustering, source, document)]

    @pytest.mark.parametrize("limit", ["snapshots", "clusters", "memberships"])
    @pytest.mark.parametrize("made", [encoded, lines_of])
    def test_limits(self, limit, made, document):
        limits = replace(DEFAULT_LIMITS, **{limit: 1})
        codes = [code for code, _ in problems(read_stream_clustering, made(run()), document, limits=limits)]
        assert set(codes) == {f"limit-{limit}"}


finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e100, max_value=1e100)
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)


@st.composite
def streams(draw) -> dict:
    dimensions = draw(st.integers(1, 3))
    times = sorted(draw(st.lists(finite, min_size=1, max_size=8)))
    labels = st.none() | st.integers(-3, 3) | words
    extra = st.dictionaries(st.sampled_from(["weight", "näme"]), finite | words, max_size=1)
    points = [
        draw(extra)
        | {
            "time": time,
            "class": draw(labels),
            "vector": draw(st.lists(finite | st.integers(-9, 9), min_size=dimensions, max_size=dimensions)),
        }
        for time in times
    ]
    return stream(points=points, stream={"id": draw(words.filter(str.strip)), "text": draw(words)})


@st.composite
def runs(draw, document) -> dict:
    snapshots = []
    for time in sorted(draw(st.lists(finite, min_size=1, max_size=4))):
        arrived = int(np.searchsorted(document.times, time, side="right"))
        numbers = st.lists(st.integers(0, max(arrived - 1, 0)), unique=True, max_size=arrived)
        centres = st.lists(finite, min_size=document.n_dimensions, max_size=document.n_dimensions)
        ids = draw(st.lists(words.filter(str.strip), unique=True, max_size=3))
        clusters = [
            {"id": name, "points": draw(numbers)}
            if draw(st.booleans())
            else {"id": name, "centre": draw(centres), "radius": draw(st.floats(0, 1e100))}
            for name in ids
        ]
        snapshots.append({"time": time, "clusters": clusters})
    return run(stream=document.id, snapshots=snapshots, algorithm=draw(words))


@given(st.data())
def test_files_survive_byte_for_byte(data):
    document = read_stream(data.draw(streams()))
    written = write_stream(document)
    assert write_stream(read_stream(written)) == written
    again = read_stream_clustering(data.draw(runs(document)), document)
    bytes_ = write_stream_clustering(again)
    assert write_stream_clustering(read_stream_clustering(bytes_, read_stream(written))) == bytes_


@given(damaged(stream()))
def test_any_damage_to_a_stream_is_an_input_error(value):
    for source in (value, json.dumps(value).encode("utf-8", "surrogatepass")):
        with contextlib.suppress(InputError):
            write_stream(read_stream(source))


@given(damaged(run()))
def test_any_damage_to_a_clustering_of_a_stream_is_an_input_error(value):
    document = read_stream(stream())
    sources = [value, json.dumps(value).encode("utf-8", "surrogatepass")]
    if isinstance(value.get("snapshots"), list):
        sources.append(lines_of(value))
    for source in sources:
        with contextlib.suppress(InputError):
            found = read_stream_clustering(source, document)
            measure_stream(document.stream, found.snapshots, LastPoints(3))


pieces = st.sampled_from(
    [*'0123-\n\n,,;\t"', "time", "class", "x1", "x2", "cluster", "radius", "c1", "c2", "nan", "\r\n", "é"]
)


@given(
    st.sampled_from(["", "time,class,x1\n", "time,cluster,radius,c1,c2\n"]),
    st.lists(pieces, max_size=20).map("".join) | st.text(max_size=20),
)
def test_any_text_is_read_or_rejected(header, text):
    data = (header + text).encode("utf-8", "surrogatepass")
    with contextlib.suppress(InputError):
        read_stream(data)
    with contextlib.suppress(InputError):
        read_stream_clustering(data, read_stream(stream()))

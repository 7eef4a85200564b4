"""No small file causes a high cost: the contents of a whole upload are counted before they are processed."""

from __future__ import annotations

import contextlib
import json
import struct
import zipfile
from collections.abc import Callable
from dataclasses import fields
from typing import get_args
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.io import (
    Limits,
    read_collection,
    read_gold,
    read_submission,
    read_submissions,
    read_vectors,
    strict_json,
)
from qc4.io.limits import Budget, BudgetError, Charge
from qc4.io.streams import read_stream
from qc4.io.strict_json import parse_json_text
from qc4.problems import MAX_ERRORS, InputError, Problem
from tests.qc4.io.format_examples import clustering, codes_of, gold, problems_of, zipped

PAGES = {"jaguar": ("1", "2", "3", "4", "5", "6"), "puma": ("1", "2", "3", "4", "5", "6")}
LINE = json.dumps(clustering())


def many(piece: str, n: int) -> bytes:
    """Return a JSON list."""
    return f"[{','.join([piece] * n)}]".encode()


def only_problem(read: Callable[[], object]) -> Problem:
    [problem] = problems_of(read)
    return problem


@pytest.mark.parametrize("piece", ["[]", "{}", '{"a":{}}', '{"a":1,"a":1}', "NaN", "9" * 101, '[["x"]]'])
def test_values_are_counted_over_all_files_of_a_zip(piece: str) -> None:
    files = {f"{n}.json": many(piece, 30) for n in range(40)}
    each = strict_json.estimated_values(many(piece, 30).decode())
    with patch.object(strict_json.json, "loads", wraps=json.loads) as parsed:
        problems = problems_of(
            lambda: read_submissions(zipped(files), PAGES, name="s.zip", limits=Limits(json_values=3 * each))
        )
    last = problems[-1]
    assert last.code == "limit-json-values"
    assert last.where == "s.zip/3.json"
    assert f"{each:,} here, which makes {4 * each:,}" in last.found
    assert f"{3 * each:,} (limit 'json_values')" in last.expected
    assert last.fix
    assert parsed.call_count <= 2 * 3  # twice if something is wrong


@pytest.mark.parametrize(
    ("limit", "one", "read"),
    [
        ("json_values", b"[1,2,3,4]", read_submissions),
        ("json_values", json.dumps(gold()).encode(), read_collection),
        ("xml_nodes", b"<searchresult><group id='a'/><!----><?x?></searchresult>", read_submissions),
        ("xml_nodes", b"<searchresult><document id='a' xmlns='b'/></searchresult>", read_collection),
        ("cells", b"page,label\n1,a\n2,b\n", read_submissions),
        ("cells", b"id\ttitle\n1\ta\n", read_collection),
        ("clusterings", b"query,page,STC,Lingo\njaguar,1,a,b\npuma,1,a,b\n", read_submissions),
        ("clusterings", f"{LINE}\n{LINE}\n".encode(), read_submissions),
    ],
)
def test_upload_limits_apply_to_all_files_together(limit: Charge, one: bytes, read: Callable) -> None:
    def budget(data: bytes, most: int) -> list[str]:
        try:
            read(data, name="s.zip", limits=Limits(**{limit: most}))
        except InputError as error:
            return [problem.code for problem in error.problems]
        return []

    cost = next(n for n in range(1, 200) if f"limit-{limit.replace('_', '-')}" not in budget(one, n))
    together = zipped({f"{n}.x": one for n in range(5)})
    code = f"limit-{limit.replace('_', '-')}"
    assert code not in budget(together, 5 * cost)
    assert budget(together, 5 * cost - 1).count(code) == 1


def test_four_tables_of_a_layout_are_counted_together() -> None:
    files = {
        "topics.txt": b"ID\tdescription\n1\tx\n",
        "subTopics.txt": b"ID\tdescription\n1.1\ty\n",
        "results.txt": b"ID\turl\n1.1\tz\n",
        "STRel.txt": b"subTopicID\tresultID\n1.1\t1.1\n",
    }
    assert read_collection(zipped(files), limits=Limits(cells=20)).documents
    assert codes_of(lambda: read_collection(zipped(files), limits=Limits(cells=19))) == ["limit-cells"]


def test_upload_limits_are_fields_of_limits() -> None:
    assert set(get_args(Charge)) <= {field.name for field in fields(Limits)}


def test_problems_before_the_budget_is_spent_are_reported() -> None:
    files = {"a.json": b"{", "b.json": many("1", 50)}
    data = zipped(files)
    assert codes_of(lambda: read_submission(data, limits=Limits(json_values=20))) == ["not-json", "limit-json-values"]


def test_first_line_over_the_limit_is_not_parsed() -> None:
    line = json.dumps({"a": [1] * 100})
    with patch("qc4.io.content.json.loads", side_effect=AssertionError):
        problem = only_problem(lambda: read_submission(f"{line}\n{line}".encode(), limits=Limits(json_values=50)))
    assert problem.code == "limit-json-values"


@pytest.mark.parametrize(
    "data",
    [
        {"format": "qc4-clustering/1", "query": "jaguar", "clusters": [{}] * 50_000},
        {"format": "qc4-clustering/1", "query": "q", "clusters": [{"id": "a", "pages": [1] * 50_000}]},
        {"format": "qc4-gold/1", "query": {"id": "q"}, "pages": [{}] * 50_000},
        {"format": "qc4-gold/1", "query": {"id": "q"}, "pages": [{"id": "a"}] * 50_000},
    ],
)
def test_checks_stop_after_too_many_errors(data: object) -> None:
    read = read_collection if "gold" in str(data)[:40] else read_submission
    problems = problems_of(lambda: read(json.dumps(data).encode()))
    more = [problem.found for problem in problems if "more of this kind" in problem.found]
    assert more
    assert all("the rest was not checked" in found for found in more)
    assert sum(int(found.split()[0].replace(",", "")) for found in more) <= 2 * MAX_ERRORS


def test_parsing_stops_after_too_many_wrong_lines() -> None:
    with patch("qc4.io.qc4_json.parse_json_text", wraps=parse_json_text) as parsed:
        problems_of(lambda: read_submission(b'{"a":1}\n' * 50_000))
    assert parsed.call_count <= 2 * MAX_ERRORS


def test_length_of_a_text_is_limited_in_every_format() -> None:
    limits, text = Limits(value_chars=100), "x" * 101
    answer = clustering() | {"note": text}
    table = f'page,label\n1,"{text}"\n'.encode()
    xml = f"<searchresult><query>{text}</query></searchresult>".encode()
    for data in (json.dumps(answer).encode(), table, table.replace(b",", b"\t"), xml):
        assert codes_of(lambda data=data: read_submission(data, limits=limits)) == ["limit-value-chars"]
    points = [{"time": 1, "class": "a", "vector": [0]}]
    stream = {"format": "qc4-stream/1", "stream": {"id": "s", "text": text}, "points": points}
    assert codes_of(lambda: read_stream(json.dumps(stream).encode(), limits=limits)) == ["limit-value-chars"]


# --- ZIP --------------------------------------------------------------------------------------------------------------


def test_many_small_bombs_exceed_the_ratio_of_the_whole_zip() -> None:
    data = zipped({f"{n}.json": b"[]" + b" " * 900_000 for n in range(40)})
    problem = only_problem(lambda: read_submissions(data, PAGES, name="s.zip"))
    assert problem.code == "limit-archive-ratio"
    assert problem.where == "s.zip"


def test_too_many_entries_are_rejected_before_the_zip_is_opened() -> None:
    data = zipped({f"{n}.json": b"" for n in range(30)})
    with patch("qc4.io.archives.zipfile.ZipFile", side_effect=AssertionError):
        assert codes_of(lambda: read_submission(data, limits=Limits(archive_entries=29))) == ["limit-archive-entries"]


def test_overlapping_entries_are_rejected() -> None:
    """A ZIP whose table of contents lists one packed file twice is a bomb without a high ratio."""
    data = bytearray(zipped({"a.json": LINE.encode(), "b.json": LINE.encode()}))
    second = data.rindex(b"PK\x01\x02")
    first = data.index(b"PK\x01\x02")
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    assert codes_of(lambda: read_submission(bytes(data))) == ["bad-zip"]


def test_real_sizes_are_counted_over_all_files() -> None:
    data = bytearray(zipped({f"{n}.json": bytes(range(256)) * 800 for n in range(10)}, compression=zipfile.ZIP_STORED))
    for signature, offset in ((b"PK\x01\x02", 24),):
        place = -1
        while (place := data.find(signature, place + 1)) >= 0:
            struct.pack_into("<I", data, place + offset, 1)
    assert set(codes_of(lambda: read_submission(bytes(data), limits=Limits(archive_bytes=500_000)))) <= {
        "bad-zip",
        "limit-archive-bytes",
    }


# --- XML, vectors, streams --------------------------------------------------------------------------------------------


def test_long_namespace_is_rejected() -> None:
    data = f'<searchresult xmlns="{"n" * 1000}"><a/><b/></searchresult>'.encode()
    assert codes_of(lambda: read_submission(data)) == ["unsafe-xml"]


def test_depth_of_nested_groups_is_limited() -> None:
    data = b"<searchresult>" + b"<group>" * 5000 + b"</group>" * 5000 + b"</searchresult>"
    assert codes_of(lambda: read_submission(data, PAGES, query="jaguar")) == ["limit-json-depth"]


def test_short_rows_do_not_get_the_memory_of_a_long_first_row() -> None:
    data = ("1," * 5000 + "1\n" + "1\n" * 3000).encode()
    with patch("qc4.io.vector_files.np.full", side_effect=AssertionError):
        problems = problems_of(lambda: read_vectors(data, ["a"]))
    assert {problem.code for problem in problems} == {"wrong-vector-length"}


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 1000000000000), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1, 1), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -1), }",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (" + "1," * 40_000 + "), }",
        "(" * 5000,
        "{'descr': '<f8'",
    ],
)
@pytest.mark.parametrize("version", [1, 2, 3])
def test_false_numpy_header_is_rejected(header: str, version: int) -> None:
    text = header.encode() + b"\n"
    size = struct.pack("<H", len(text) & 0xFFFF) if version == 1 else struct.pack("<I", len(text))
    data = b"\x93NUMPY" + bytes([version, 0]) + size + text + b"\x80\x04N."
    assert codes_of(lambda: read_vectors(data, ["a"])) == ["bad-npy"]


def test_stream_with_too_many_values_is_rejected_before_parsing() -> None:
    data = b'{"format":"qc4-stream/1","stream":{"id":"s"},"points":' + many("{}", 100) + b"}"
    assert codes_of(lambda: read_stream(data, limits=Limits(json_values=99))) == ["limit-json-values"]


# --- Arbitrary input ---

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**120), 10**120) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=30,
)


@given(values, st.integers(0, 40))
def test_json_is_read_within_the_budget_and_rejected_above_it(value: object, most: int) -> None:
    text = json.dumps(value)
    budget = Budget(Limits(json_values=most))
    if strict_json.estimated_values(text) > most:
        with pytest.raises(BudgetError):
            parse_json_text(text, "x", budget)
        return
    with contextlib.suppress(InputError):  # huge integers, lone surrogates
        assert parse_json_text(text, "x", budget) == value
    assert budget.spent["json_values"] == strict_json.estimated_values(text)


@given(st.lists(values, max_size=6), st.integers(0, 60), st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
def test_any_zip_stays_within_its_budget(found: list[object], most: int, compression: int) -> None:
    texts = [json.dumps({"format": "qc4-clustering/1", "query": "q", "clusters": [], "x": value}) for value in found]
    data = zipped({f"{n}.json": text.encode() for n, text in enumerate(texts)}, compression=compression)
    total = sum(map(strict_json.estimated_values, texts))
    with patch.object(strict_json.json, "loads", wraps=json.loads) as loads, contextlib.suppress(InputError):
        read_submissions(data, limits=Limits(json_values=most))
        assert total <= most
    parsed = {call.args[0] for call in loads.call_args_list}
    if len(set(texts)) == len(texts):
        assert sum(map(strict_json.estimated_values, parsed)) <= most


def test_gold_standard_is_charged_to_the_budget() -> None:
    assert codes_of(lambda: read_gold(json.dumps(gold()).encode(), limits=Limits(json_values=3))) == [
        "limit-json-values"
    ]


LONG = "y" * 60 + '"' * 60
"""A text of 120 characters, half of them quotes, each of which JSON escapes with a backslash."""


@pytest.mark.parametrize("text", [LONG, LONG[::-1], "z" * 101, '"' * 101, "\\" * 101, '\\"' * 60, "ä" * 101])
@pytest.mark.parametrize("before", [0, 1, 50, 99, 100, 101, 150])
def test_long_text_is_rejected_anywhere_in_a_large_file(text: str, before: int) -> None:
    content = json.dumps({"format": "qc4-clustering/1", "query": "a" * before, "clusters": [], "note": text})
    codes = codes_of(lambda: read_submission(content.encode(), name="a.json", limits=Limits(value_chars=100)))
    assert "limit-value-chars" in codes


@given(st.lists(st.text(alphabet='ab"\\:{,\n', max_size=20), max_size=40))
def test_short_texts_are_accepted(texts: list[str]) -> None:
    content = json.dumps({"format": "qc4-clustering/1", "query": "a", "clusters": [], "notes": texts})
    limits = Limits(value_chars=20)
    assert read_submission(content.encode(), name="a.json", limits=limits) is not None

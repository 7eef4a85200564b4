"""Small files are read where somebody waits, all others in a process of their own; what is said of them is the same."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from unittest.mock import patch

import pytest

from common import file_reading
from common.capacity import CrowdedError
from common.file_reading import read_sent
from common.limits import QUICK
from qc4.io import read_collection, read_submissions
from qc4.problems import InputError
from tests.qc4.io.format_examples import clustering, gold, zipped

APART = "common.file_reading.call_apart"


def test_a_small_file_is_read_here() -> None:
    with patch(APART, side_effect=AssertionError):
        [found] = read_sent(read_submissions, json.dumps(clustering()).encode(), name="a.json")
    assert found.algorithm == "STC"


@pytest.mark.parametrize(
    "data",
    [
        b" " * (QUICK.file_bytes + 1),
        b"[" + b"[]," * QUICK.json_values + b"1]",
        b"<searchresult>" + b"<a/>" * QUICK.xml_nodes + b"</searchresult>",
        b"page,label\n" + b"," * QUICK.cells,
        b"{}\n" * (QUICK.clusterings + 1),
        zipped({f"{n}.json": b"[]" for n in range(QUICK.archive_entries + 1)}),
        zipped({"a.json": bytes(range(256)) * 9000}, compression=zipfile.ZIP_DEFLATED),
    ],
    ids=["bytes", "values", "nodes", "cells", "clusterings", "entries", "unpacked"],
)
def test_a_file_that_holds_more_than_a_little_is_read_apart(data: bytes) -> None:
    with patch(APART, return_value="apart") as called:
        assert read_sent(read_submissions, data, name="x") == "apart"
    assert called.call_count == 1


def test_a_small_file_that_is_wrong_is_refused_here() -> None:
    with patch(APART, side_effect=AssertionError), pytest.raises(InputError) as caught:
        read_sent(read_submissions, b"{", name="a.json")
    assert caught.value.problems[0].where.startswith("a.json: line 1")


def test_a_folder_is_read_as_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "jaguar.json").write_text(json.dumps(gold()), encoding="utf-8")
    assert len(read_sent(read_collection, tmp_path).documents) == 1


def test_what_is_read_apart_is_what_is_there() -> None:
    data = json.dumps(gold() | {"note": "x" * QUICK.file_bytes}).encode()
    assert read_sent(read_collection, data, name="a.json").documents == read_collection(data, name="a.json").documents


def test_a_large_file_is_sent_back_at_once_where_others_are_read_and_one_that_fails_gives_its_place_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(file_reading, "READ_AT_ONCE", 1)
    large = b" " * (QUICK.file_bytes + 1)

    def another(*_: object, **__: object) -> None:
        with pytest.raises(CrowdedError):
            read_sent(read_submissions, large, name="b.json")
        raise RuntimeError("work apart failed")

    with patch(APART, side_effect=another), pytest.raises(RuntimeError):
        read_sent(read_submissions, large, name="a.json")
    with patch(APART, return_value="apart"):
        assert read_sent(read_submissions, large, name="a.json") == "apart"

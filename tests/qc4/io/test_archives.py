"""Untrusted ZIPs: sizes are limited, paths stay inside, and only plain files are accepted."""

from __future__ import annotations

import io
import json
import stat
import struct
import zipfile

import pytest

from qc4.io import Limits, read_collection, read_submission
from tests.qc4.io.format_examples import clustering, codes_of, gold, problems_of, zipped

GOOD = json.dumps(clustering()).encode()


def zip_with(name: str, data: bytes = GOOD, mode: int = 0) -> bytes:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, data)
    return buffer.getvalue()


def test_a_zip_of_clusterings_is_one_submission():
    data = zipped({"a.json": GOOD, "deep/er/b.json": json.dumps(clustering("puma")).encode()})
    submission = read_submission(data)
    assert [answer.query for answer in submission.clusterings] == ["jaguar", "puma"]
    assert submission.algorithm == "STC"
    assert submission.parameters == {"merge": 0.6}


def test_files_left_by_operating_systems_are_skipped():
    data = zipped({"a.json": GOOD, "__MACOSX/._a.json": b"\0\5", ".DS_Store": b"\0", "folder/": b""})
    assert len(read_submission(data).clusterings) == 1


@pytest.mark.parametrize("cut", [10, 60, -1, -30])
def test_truncated_zip_is_reported_as_damaged(cut):
    [problem] = problems_of(lambda: read_submission(zipped({"a.json": GOOD})[:cut], name="s.zip"))
    assert problem.code == "bad-zip"
    assert problem.where == "s.zip"


def test_zip_with_changed_bytes_is_reported_as_damaged():
    data = bytearray(zipped({"a.json": GOOD}))
    data[45] ^= 0xFF
    assert codes_of(lambda: read_submission(bytes(data))) == ["bad-zip"]


def test_zip_with_a_negative_offset_is_reported_as_damaged():
    data = bytearray(zipped({"a.json": GOOD}))
    place = data.index(b"PK\x05\x06") + 16
    (offset,) = struct.unpack_from("<I", data, place)
    struct.pack_into("<I", data, place, offset + 256)
    assert codes_of(lambda: read_submission(bytes(data))) == ["bad-zip"]


@pytest.mark.parametrize("name", ["../../etc/cron.d/x", "/etc/passwd", "a/../../b.json", "C:\\x.json", "..\\x.json"])
def test_path_out_of_the_archive_is_rejected(name):
    [problem] = problems_of(lambda: read_submission(zip_with(name)))
    assert problem.code == "unsafe-path"
    assert repr(name) in problem.where


def test_symbolic_link_is_rejected():
    [problem] = problems_of(lambda: read_submission(zip_with("link.json", b"/etc/passwd", stat.S_IFLNK | 0o777)))
    assert problem.code == "link"
    assert "'link.json'" in problem.where


def test_nested_archive_is_rejected_under_any_name():
    data = zipped({"a.json": GOOD, "notes.json": zipped({"b.json": GOOD})})
    [problem] = problems_of(lambda: read_submission(data))
    assert problem.code == "nested-archive"
    assert "'notes.json'" in problem.where


def test_encrypted_entry_is_rejected():
    data = bytearray(zipped({"a.json": GOOD}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        position = data.index(signature) + offset
        data[position] |= 1
    assert codes_of(lambda: read_submission(bytes(data))) == ["encrypted"]


def test_zip_bomb_is_rejected_before_unpacking():
    [problem] = problems_of(lambda: read_submission(zipped({"bomb.json": b"0" * 20_000_000})))
    assert problem.code == "limit-archive-ratio"
    assert "'bomb.json'" in problem.where


def test_total_size_of_files_is_limited():
    files = {f"{n}.json": bytes(range(256)) * 40 for n in range(20)}
    assert codes_of(lambda: read_submission(zipped(files), limits=Limits(archive_bytes=100_000))) == [
        "limit-archive-bytes"
    ]


def test_number_of_entries_is_limited():
    files = {f"{n}.json": GOOD for n in range(20)}
    assert codes_of(lambda: read_submission(zipped(files), limits=Limits(archive_entries=10))) == [
        "limit-archive-entries"
    ]


def test_real_sizes_are_counted_not_those_in_the_headers():
    data = bytearray(zipped({"bomb.json": b"0" * 4_000_000}))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        position = data.index(signature) + offset
        data[position : position + 4] = struct.pack("<I", 1000)
    assert codes_of(lambda: read_submission(bytes(data))) in (["bad-zip"], ["limit-archive-ratio"])


def test_problems_of_all_files_are_reported_together():
    broken = clustering()
    broken["clusters"][0]["pages"] = 3
    data = zipped({"a.json": b"{", "b.json": json.dumps(broken).encode(), "c.txt": b"hello", "d.json": b"\xff"})
    problems = problems_of(lambda: read_submission(data, name="s.zip"))
    assert [problem.code for problem in problems] == ["not-json", "wrong-type", "unknown-format", "not-utf8"]
    assert [problem.where.split(":")[0] for problem in problems] == [
        f"s.zip/{n}" for n in ("a.json", "b.json", "c.txt", "d.json")
    ]


def test_empty_zip_is_not_a_collection():
    assert codes_of(lambda: read_collection(zipped({}))) == ["empty-collection"]


def test_empty_zip_is_not_a_submission():
    assert codes_of(lambda: read_submission(zipped({}))) == ["empty-submission"]


def test_zip_of_gold_standards_is_a_collection_without_its_readme():
    other = gold() | {"query": {"id": "puma", "text": "puma"}}
    data = zipped({"README.txt": b"hello", "j.json": json.dumps(gold()).encode(), "p.json": json.dumps(other).encode()})
    collection = read_collection(data, name="cats.zip")
    assert collection.name == "cats"
    assert [document.query_id for document in collection.documents] == ["jaguar", "puma"]
    assert collection.notes == ("cats.zip/README.txt skipped",)


def test_repeated_query_in_a_collection_is_rejected():
    data = zipped({"a.json": json.dumps(gold()).encode(), "b.json": json.dumps(gold()).encode()})
    assert codes_of(lambda: read_collection(data)) == ["duplicate-query"]


def test_link_in_a_folder_is_rejected(tmp_path):
    (tmp_path / "a.json").symlink_to("/etc/passwd")
    assert codes_of(lambda: read_collection(tmp_path)) == ["link"]


def test_folder_over_the_limits_is_rejected(tmp_path):
    for number in range(5):
        (tmp_path / f"{number}.json").write_bytes(GOOD)
    assert codes_of(lambda: read_submission(tmp_path, limits=Limits(archive_entries=4))) == ["limit-archive-entries"]
    assert codes_of(lambda: read_submission(tmp_path, limits=Limits(archive_bytes=400))) == ["limit-archive-bytes"]

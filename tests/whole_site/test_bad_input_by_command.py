"""Bad files by command: exit status 2, a message that names the place, all problems together, nothing stored."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotations.models import Collection, Gold, Page
from evaluation.models import Algorithm, Run, Submission, Upload
from evaluation.scoring import cases
from qc4.io import write_gold
from qc4.model.gold_document import GoldDocument, Topic
from tests.fixtures.commands import Manage, Outcome
from tests.samples.documents import mercury, pages

MEBIBYTE = 1024 * 1024


def changed(**fields: Any) -> bytes:
    """The good gold standard with something else in it."""
    return write_gold(replace(mercury(), **fields))


def without_id() -> bytes:
    value = json.loads(write_gold(mercury()))
    del value["pages"][2]["id"]
    value["pages"][3]["rank"] = "first"
    return json.dumps(value).encode()


def topics_with(*more: Topic) -> tuple[Topic, ...]:
    return (*mercury().topics, *more)


GOOD = write_gold(mercury())
REFUSED_GOLD: dict[str, tuple[bytes, list[str]]] = {
    "not JSON": (GOOD[:-20] + b"]]", ["bad.json: line", "JSON"]),
    "cut off": (GOOD[: len(GOOD) // 2], ["bad.json: line"]),
    "empty": (b"", ["an empty file"]),
    "blank": (b" \n\n", ["an empty file"]),
    "UTF-16": (GOOD.decode().encode("utf-16"), ["UTF-16", "UTF-8"]),
    "Latin-1": (changed(query_text="Mercur\u00e9").decode().encode("latin-1"), ["line 5", "0xe9"]),
    "another format": (b'{"format": "qc4-gold/9"}', ["qc4-gold/9"]),
    "missing fields": (without_id(), ["pages[2]", "pages[3].rank"]),
    "unknown page": (changed(topics=topics_with(Topic("t", "T", pages=("p1", "nope")))), ["'nope'", "topics[4]"]),
    "duplicate page": (changed(pages=(*pages(8), *pages(1))), ["'p1'"]),
    "duplicate topic": (changed(topics=topics_with(Topic("boats", "Again", pages=("p4",)))), ["'boats'"]),
    "cycle": (
        changed(topics=topics_with(Topic("x", "X", "y", pages=("p1",)), Topic("y", "Y", "x", pages=("p1",)))),
        ["cycle", "'x'"],
    ),
    "level not below its parent's": (
        changed(topics=(*mercury().topics[:3], replace(mercury().topics[3], level=1))),
        ["'parts'", "level"],
    ),
    "page without a topic on level 2": (
        changed(topics=(*mercury().topics[:3], replace(mercury().topics[3], pages=("p3", "p6")))),
        ["level 2", "'boats'", "'p7'"],
    ),
    "outlier in a topic": (changed(outliers=("p8", "p1")), ["'p1'", "outliers", "'space'"]),
}


@pytest.mark.parametrize("case", REFUSED_GOLD)
def test_a_bad_gold_file_is_refused_with_its_place(manage: Manage, tmp_path: Path, case: str) -> None:
    content, words = REFUSED_GOLD[case]
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    told = manage("import_collection", path, "--name", "Bad")
    refused(told, *words)
    assert not Upload.objects.exists()


def test_all_problems_of_all_files_come_together(manage: Manage, tmp_path: Path) -> None:
    for number, case in enumerate(("cut off", "Latin-1", "missing fields")):
        (tmp_path / f"{number}.json").write_bytes(REFUSED_GOLD[case][0])
    (tmp_path / "good.json").write_bytes(GOOD)
    told = manage("import_collection", tmp_path, "--name", "Bad")
    refused(told, "0.json: line", "1.json: line 5", "2.json: pages[2]", "2.json: pages[3].rank")


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf" + GOOD, GOOD.replace(b"\n", b"\r\n")], ids=["BOM", "CRLF"])
def test_marks_and_line_ends_of_other_systems_are_fine(manage: Manage, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "good.json"
    path.write_bytes(content)
    assert manage("import_collection", path, "--name", "Good").status == 0
    assert Gold.objects.get().n_outliers == 1


def test_a_file_of_100_megabytes_is_refused_unread(manage: Manage, tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(100 * MEBIBYTE)
    refused(manage("import_collection", path, "--name", "Huge"), "104,857,600", "file_bytes")


def test_a_missing_file_is_named(manage: Manage, tmp_path: Path) -> None:
    refused(manage("import_collection", tmp_path / "nothing.json", "--name", "None"), "nothing.json", "No such file")


def bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", b"[" * 60 * MEBIBYTE)


def traversal(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../outside.json", GOOD)


def truncated(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mercury.gold.json", GOOD)
    path.write_bytes(path.read_bytes()[:-40])


ARCHIVES: dict[str, tuple[Callable[[Path], None], str]] = {
    "ratio": (bomb, "archive_ratio"),
    "path": (traversal, "outside.json"),
    "truncated": (truncated, "damaged or cut off"),
}


@pytest.mark.parametrize("kind", ARCHIVES)
def test_hostile_and_broken_archives_are_refused(manage: Manage, tmp_path: Path, kind: str) -> None:
    make, word = ARCHIVES[kind]
    path = tmp_path / "archive.zip"
    make(path)
    refused(manage("import_collection", path, "--name", "Archive"), word)
    assert not (tmp_path.parent / "outside.json").exists()


def test_a_good_archive_is_imported(manage: Manage, tmp_path: Path) -> None:
    path = tmp_path / "archive.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("gold/mercury.gold.json", GOOD)
    assert manage("import_collection", path, "--name", "Archive").status == 0
    assert Page.objects.count() == 8


STRANGE = [
    "tab\there",
    "quote\"s and 'more'",
    "<script>alert(1)</script>",
    "\u202egnorw\u202c",
    "line\nbreak",
    "=1+1",
    "🪐",
]


def test_strange_names_are_kept_as_they_are(manage: Manage, tmp_path: Path) -> None:
    topics = tuple(Topic(f"t{number}", name, pages=("p1",)) for number, name in enumerate(STRANGE))
    document = GoldDocument("q", STRANGE[2], pages(1), topics)
    path = tmp_path / "strange.json"
    path.write_bytes(write_gold(document))
    told = manage("import_collection", path, "--name", STRANGE[2])
    assert told.status == 0, told.err
    assert cases.load_gold_document(Gold.objects.get()) == document
    assert "\u202e" not in told.out + told.err


# --- Submissions ------------------------------------------------------------------------------------------------------


@pytest.fixture
def imported(manage: Manage, gold_path: Path) -> Iterator[Collection]:
    assert manage("import_collection", gold_path, "--name", "Words").status == 0
    yield Collection.objects.get()
    assert not Submission.objects.exists()
    assert not Algorithm.objects.exists()
    assert Upload.objects.count() == Run.objects.count() == 1


REFUSED_CLUSTERS: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "unknown page": ([{"id": "a", "pages": ["p1", "p99"]}], ["'p99'", "clusters[0]", "'mercury'"]),
    "page twice": ([{"id": "a", "pages": ["p1", "p1"]}], ["'p1'", "clusters[0]"]),
    "duplicate id": ([{"id": "a", "pages": ["p1"]}, {"id": "a", "pages": ["p2"]}], ["'a'", "clusters[1]"]),
    "no pages field": ([{"id": "a"}], ["clusters[0]", "pages"]),
    "unknown parent": ([{"id": "a", "parent": "z", "pages": ["p1"]}], ["'z'"]),
    "cycle": ([{"id": "a", "parent": "b", "pages": ["p1"]}, {"id": "b", "parent": "a", "pages": ["p2"]}], ["cycle"]),
    "several": (
        [{"id": "a", "pages": ["p1", "p1"]}, {"id": "b", "pages": ["p9"]}, {"id": "b", "pages": ["p10"]}],
        ["'p1'", "clusters[2]"],
    ),
}


@pytest.mark.parametrize("case", REFUSED_CLUSTERS)
def test_a_bad_clustering_is_refused_with_its_place(
    manage: Manage, imported: Collection, write_clustering: Callable[..., Path], case: str
) -> None:
    clusters, words = REFUSED_CLUSTERS[case]
    told = manage("submit", "words", write_clustering(*clusters), "--algorithm", "Lingo")
    assert told.status == 2
    for word in words:
        assert word in told.err


def test_a_clustering_for_an_unknown_query_is_refused(
    manage: Manage, imported: Collection, write_clustering: Callable[..., Path]
) -> None:
    told = manage("submit", "words", write_clustering(query="venus"), "--algorithm", "Lingo")
    assert (told.status, "'venus'" in told.err, "'mercury'" in told.err) == (2, True, True)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"PK\x03\x04broken", b"plain words"])
def test_a_file_of_no_format_is_refused(manage: Manage, imported: Collection, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "answer.bin"
    path.write_bytes(content)
    told = manage("submit", "words", path, "--algorithm", "Lingo")
    assert told.status == 2
    assert "answer.bin" in told.err


def refused(told: Outcome, *words: str) -> None:
    """Status 2, every word in the message, and an empty database."""
    assert (told.status, told.out) == (2, "")
    for word in words:
        assert word in told.err
    assert "Traceback" not in told.err
    assert not Collection.objects.exists()
    assert not Page.objects.exists()
    assert not Run.objects.exists()

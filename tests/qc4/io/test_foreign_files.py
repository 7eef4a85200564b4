"""Files of foreign kinds: the message says what they are, and how to convert them."""

from __future__ import annotations

import io
import json

import pytest

from qc4.io import page_lists, read_gold, read_gold_document, read_submission, read_submissions
from qc4.io.kinds import EXAMPLE
from qc4.problems import InputError, Problem, ProblemList
from tests.qc4.io.format_examples import packed

GOLD = {
    "format": "qc4-gold/1",
    "query": {"id": "jaguar"},
    "pages": [{"id": "p1"}, {"id": "p2"}, {"id": "p3"}],
    "topics": [{"id": "cars", "name": "Cars", "pages": ["p1", "p2", "p3"]}],
}
PAGES = page_lists([read_gold_document(GOLD)])


def problem_of(data: bytes) -> Problem:
    with pytest.raises(InputError) as error:
        read_submissions(data, PAGES)
    (problem,) = error.value.problems
    return problem


@pytest.mark.parametrize(
    ("data", "what", "fix"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a PNG image", EXAMPLE),
        (b"\xff\xd8\xff\xe0\x00", "a JPEG image", EXAMPLE),
        (b"%PDF-1.7\n", "a PDF document", EXAMPLE),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel or Word file", "CSV"),
        (packed("[Content_Types].xml", "xl/workbook.xml"), "an Excel file (.xlsx)", "query,page,cluster"),
        (packed("[Content_Types].xml", "word/document.xml"), "a Word file (.docx)", "CSV"),
        (packed("mimetype", content=b"application/vnd.oasis.opendocument.spreadsheet"), "an OpenDocument file", "CSV"),
        (b"\x80\x04\x95\x00", "a Python pickle", "json.dump"),
        (b"\x1f\x8b\x08\x00", "a gzip file", "Unpack it"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "Unpack it"),
        (b"\x00" * 257 + b"ustar", "a tar archive", "Unpack it"),
        (b"\xef\xbb\xbf <!DOCTYPE HTML><html>", "an HTML page", "needs sign-in"),
        (packed("inner.zip", content=packed("a.csv")), "an archive inside the archive", "Unpack it"),
        ("page,label\np1,x\n".encode("utf-16"), "UTF-16 text", "UTF-8"),
        (b"", "an empty file", "saved"),
        (b"page|label\np1|x\n", "a file that begins with", "commas, semicolons or tabs"),
    ],
)
def test_message_describes_the_file_and_the_fix(data: bytes, what: str, fix: str) -> None:
    problem = problem_of(data)
    assert what in problem.found
    assert fix in problem.fix


def test_gold_standard_readers_give_the_same_message() -> None:
    with pytest.raises(InputError, match="a PNG image"):
        read_gold(b"\x89PNG\r\n\x1a\n\x00\x00")


def test_zip_with_a_spreadsheet_like_file_name_is_read() -> None:
    table = b"query,page,cluster\njaguar,p1,a\n"
    assert read_submission(packed("answers.csv", content=table), PAGES).clusterings


CLUSTERS_BY_NAME = {"cars": ["p1", "p2"], "cats": ["p3"]}


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (CLUSTERS_BY_NAME, "clusters as a dict"),
        ({"format": "qc4-clustering/1", "query": "jaguar", "clusters": CLUSTERS_BY_NAME}, "clusters as a dict"),
        ({"format": "qc4-clustering/1", "query": "jaguar", "clusters": [["p1"], ["p2"]]}, "a list of lists"),
        ({"jaguar": CLUSTERS_BY_NAME}, "clusters as a dict, for each query"),
        ({"p1": 0, "p2": 1}, "pages as a dict"),
        ([["p1", "p2"], ["p3"]], "a list of lists"),
        ([0, 0, 1], "a list of labels"),
    ],
)
def test_json_with_clusters_in_another_format_gets_conversion_code(value: object, what: str) -> None:
    problem = problem_of(json.dumps(value).encode())
    assert what in problem.found
    assert "json.dump(" in problem.fix
    assert EXAMPLE in problem.fix


@pytest.mark.parametrize(
    ("found", "value"),
    [
        (CLUSTERS_BY_NAME, CLUSTERS_BY_NAME),
        ({"p1": 0, "p2": 0, "p3": 1}, {"p1": 0, "p2": 0, "p3": 1}),
        ([["p1", "p2"], ["p3"]], [["p1", "p2"], ["p3"]]),
    ],
)
def test_conversion_code_works(found: object, value: object) -> None:
    fix = problem_of(json.dumps(value).encode()).fix
    code = fix.partition("In Python: ")[2].partition(" A whole file")[0]
    file = io.StringIO()
    exec(code.removesuffix("."), {"found": found, "json": json, "file": file})
    written = file.getvalue().encode()
    assert {len(cluster.pages) for cluster in read_submission(written, PAGES).clusterings[0].clusters} == {1, 2}


def test_example_in_messages_can_be_read() -> None:
    assert read_submission(EXAMPLE.encode(), PAGES).clusterings[0].clusters[0].pages == ("p1", "p2")


@pytest.mark.parametrize("label", ["nan", "NaN", "<NA>", "", " nan "])
def test_pages_without_a_label_are_in_no_cluster_with_a_warning(label: str) -> None:
    notes = ProblemList()
    table = f"query,page,label\njaguar,p1,{label}\njaguar,p2,x\n".encode()
    (submission,) = read_submissions(table, PAGES, notes=notes)
    assert [cluster.id for cluster in submission.clusterings[0].clusters] == ["x"]
    (note,) = notes
    assert (note.code, note.severity) == ("no-label", "warning")
    assert "1 page" in note.found


@pytest.mark.parametrize("label", ["-1", "0", "nano", "x#y"])
def test_other_labels_need_no_warning(label: str) -> None:
    notes = ProblemList()
    read_submissions(f"query,page,label\njaguar,p1,{label}\njaguar,p2,x\n".encode(), PAGES, notes=notes)
    assert list(notes) == []

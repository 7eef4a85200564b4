"""``qc4-gold/1`` and ``qc4-clustering/1``: valid input, rejected input and messages."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.io import Limits, read_clustering, read_gold, read_gold_document
from qc4.io.strict_json import value_problems
from tests.qc4.io.format_examples import clustering, codes_of, gold, problems_of

json_scalars = st.none() | st.booleans() | st.integers() | st.just(10**101) | st.text(st.sampled_from("aé\0\ud800"))


def as_bytes(value: object) -> bytes:
    return json.dumps(value).encode()


def gold_with(change) -> dict:
    value = gold()
    change(value)
    return value


def test_a_gold_file_is_read_from_a_path_bytes_an_open_file_or_an_object(tmp_path):
    path = tmp_path / "jaguar.json"
    path.write_bytes(as_bytes(gold()))
    readings = [read_gold(path), read_gold(str(path)), read_gold(as_bytes(gold())), read_gold(gold())]
    with path.open("rb") as file:
        readings.append(read_gold(file))
    assert {reading.topic_names for reading in readings} == {("Cars", "XK", "Dealers", "Animal")}
    assert {reading.query_id for reading in readings} == {"jaguar"}


def test_a_byte_order_mark_and_crlf_are_accepted():
    data = b"\xef\xbb\xbf" + json.dumps(gold(), indent=1).replace("\n", "\r\n").encode()
    assert read_gold(data).n_pages == 6


def test_strict_rejects_pages_without_topic_and_complete_assigns_them():
    value = gold_with(lambda g: g.update(outliers=[]))
    [problem] = problems_of(lambda: read_gold(value, name="jaguar.json"))
    assert problem.code == "page-without-topic"
    assert problem.where == "jaguar.json: level 1"
    completed = read_gold(value, "complete")
    assert completed.hierarchy.outliers.tolist() == [5]
    assert completed.document.extra["completion"]["outliers"] == 1


def test_a_page_list_without_topics_is_a_document_but_not_a_gold_standard():
    value = gold_with(lambda g: g.update(topics=[], outliers=[]))
    assert not read_gold_document(value).has_gold
    assert codes_of(lambda: read_gold(value)) == ["no-gold"]


def test_invalid_json_is_reported_with_line_and_column():
    [problem] = problems_of(lambda: read_gold(b'{"format": "qc4-gold/1",\n "pages": [1,,2]}', name="g.json"))
    assert problem.code == "not-json"
    assert problem.where == "g.json: line 2, column 14"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b'{"format": "qc4', "unterminated string starting at '\"qc4'"),
        (b'{"a": "\x01"}', "invalid control character at '\\x01\"}'"),
        (b'{"a": ', "the end of the file (expecting value)"),
        (b"{a}", "expecting property name enclosed in double quotes at 'a}'"),
    ],
)
def test_message_about_text_that_is_not_json_reads_as_a_sentence(text, found):
    [problem] = problems_of(lambda: read_gold(text, name="g.json"))
    assert problem.found == found


@pytest.mark.parametrize("data", [b"page,label\np1,a\n", b"<searchresult/>", b'{"format": 1}\n{"format": 1}\n'])
def test_clustering_in_another_format_names_its_reader(data):
    [problem] = problems_of(lambda: read_clustering(data, name="x.csv"))
    assert (problem.code, problem.where) == ("unknown-format", "x.csv")
    assert problem.fix == "Use qc4.io.read_submission to read CSV and other formats."


def test_wrong_encoding_is_reported_with_the_byte():
    [problem] = problems_of(lambda: read_gold(b'{"a":\n "caf\xe9"}', name="g.json"))
    assert problem.code == "not-utf8"
    assert "line 2" in problem.where
    assert "0xe9 at offset 11" in problem.found


def test_utf16_is_recognised():
    [problem] = problems_of(lambda: read_gold(json.dumps(gold()).encode("utf-16")))
    assert "UTF-16" in problem.found


@pytest.mark.parametrize("data", [b"", b" \r\n\t", b"\xef\xbb\xbf"])
def test_empty_file_is_reported_as_empty(data):
    assert codes_of(lambda: read_clustering(data)) == ["empty-file"]


def test_missing_file_is_reported(tmp_path):
    [problem] = problems_of(lambda: read_gold(tmp_path / "nowhere.json"))
    assert problem.code == "unreadable-file"
    assert "nowhere.json" in problem.where


def test_file_opened_as_text_is_rejected():
    assert codes_of(lambda: read_gold(io.StringIO("{}"))) == ["unreadable-file"]


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ('{"query": {"id": "a", "id": "b"}}', "duplicate-key", "query"),
        ('{"score": NaN}', "not-finite", "score"),
        ('{"score": [1, -Infinity]}', "not-finite", "score[1]"),
        ('{"score": 1e999}', "not-finite", "score"),
        ('{"n": ' + "9" * 5000 + "}", "huge-integer", "n"),
        ('{"pages": [{"id": "\\ud800"}]}', "bad-character", "pages[0].id"),
        ('{"name": "a\\u0000b"}', "bad-character", "name"),
        ('{"a": ' * 60 + "1" + "}" * 60, "limit-json-depth", "a.a"),
        ("[" * 100_000, "limit-json-depth", ""),
    ],
)
def test_unsafe_json_values_are_rejected_by_path(text, code, place):
    problems = problems_of(lambda: read_clustering(text.encode(), name="c.json"))
    assert problems[0].code == code
    assert place in problems[0].where


@given(st.lists(json_scalars) | st.lists(st.dictionaries(st.sampled_from("ab\udc80"), json_scalars, max_size=2)))
def test_values_checked_together_fail_like_single_values(values):
    """Long lists of ids and of plain objects are the bulk of a file."""

    def refused(value, place: str) -> set[str]:
        return {f"{problem.code} {problem.where}" for problem in value_problems(value, place, Limits())}

    one_by_one = [refused([0.5, value], "x") for value in values]  # values of mixed types are not checked all at once
    expected = {line.replace("x: [1]", f"x: [{number}]") for number, lines in enumerate(one_by_one) for line in lines}
    assert refused(values, "x") == expected


@pytest.mark.parametrize("deepest", [[], {}, [[]], [{}], [{"a": 1}], [{}, []]], ids=str)
def test_nesting_depth_does_not_depend_on_the_innermost_value(deepest):
    """This also holds if the innermost value is a list of plain objects."""
    below = 1 + bool(deepest)
    for depth in (5, 6):
        value = deepest
        for _ in range(depth - below):
            value = [value]
        found = value_problems(value, "x", Limits(json_depth=5))
        assert [problem.code for problem in found[:1]] == ["limit-json-depth"] * (depth > 5)


def test_other_format_is_named_in_the_message():
    [problem] = problems_of(lambda: read_clustering(gold()))
    assert problem.code == "unknown-format"
    assert "qc4-gold/1" in problem.found
    assert "qc4-clustering/1" in problem.expected


def test_every_wrong_field_of_a_gold_file_is_reported_at_once_by_path():
    value = gold()
    value["pages"][0]["rank"] = "first"
    value["pages"][1]["id"] = 7
    del value["topics"][1]["name"]
    value["topics"][2]["pages"] = "2"
    value["topics"][3]["level"] = 0
    value["outliers"] = {"6": True}
    places = {problem.where: problem.code for problem in problems_of(lambda: read_gold(value, name="g"))}
    assert places == {
        "g: pages[0].rank": "wrong-type",
        "g: pages[1].id": "wrong-type",
        "g: topics[1].name": "missing-field",
        "g: topics[2].pages": "wrong-type",
        "g: topics[3].level": "out-of-range",
        "g: outliers": "wrong-type",
    }


def test_numeric_id_gets_the_advice_to_use_quotes():
    value = clustering()
    value["clusters"][0]["pages"] = [1, 2]
    assert all("quotes" in problem.fix for problem in problems_of(lambda: read_clustering(value)))


def test_duplicate_page_ids_are_rejected_in_page_lists():
    value = gold_with(lambda g: g["pages"].append({"id": "1"}))
    assert codes_of(lambda: read_gold_document(value)) == ["duplicate-page"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda c: c["clusters"][1].update(id="c1"), "duplicate-cluster"),
        (lambda c: c["clusters"][1].update(parent="c9"), "unknown-parent"),
        (lambda c: c["clusters"][1].update(parent="c2"), "parent-cycle"),
        (lambda c: c["clusters"][0]["pages"].append("1"), "page-twice"),
        (lambda c: c["clusters"][0].update(id="  "), "empty-id"),
        (lambda c: c["clusters"][0].update(id="x" * 300), "limit-id-chars"),
        (lambda c: c.pop("clusters"), "missing-field"),
        (lambda c: c.pop("query"), "missing-field"),
    ],
)
def test_defective_clustering_is_rejected(change, code):
    value = clustering()
    change(value)
    assert codes_of(lambda: read_clustering(value)) == [code]


def test_an_empty_clustering_is_allowed():
    value = clustering()
    value["clusters"] = []
    assert read_clustering(value).clusters == ()


def test_names_may_contain_any_text():
    names = ["tab\there", 'a "quoted" name', "<script>alert(1)</script>", "\u202egnp.exe", "line\nbreak", "😀", ""]
    value = clustering()
    value["clusters"] = [{"id": str(n), "label": name, "pages": []} for n, name in enumerate(names)]
    assert [cluster.label for cluster in read_clustering(as_bytes(value)).clusters] == names


def test_messages_escape_direction_marks():
    value = clustering()
    value["clusters"][1]["parent"] = "\u202eevil"
    [problem] = problems_of(lambda: read_clustering(value))
    assert "\u202e" not in str(problem)
    assert "\\u202e" in str(problem)


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (Limits(pages=5), "limit-pages"),
        (Limits(topics=3), "limit-topics"),
        (Limits(memberships=6), "limit-memberships"),
        (Limits(file_bytes=100), "limit-file-bytes"),
    ],
)
def test_message_names_the_limit_and_its_value(limits, code):
    [problem] = problems_of(lambda: read_gold(as_bytes(gold()), limits=limits))
    assert problem.code == code
    assert f"limit '{code.removeprefix('limit-').replace('-', '_')}'" in problem.expected


def test_oversized_file_is_rejected_without_being_read(tmp_path):
    path = tmp_path / "big.json"
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    [problem] = problems_of(lambda: read_gold(path))
    assert problem.code == "limit-file-bytes"
    assert "104,857,600" in problem.found
    assert "67,108,864" in problem.expected


def test_open_file_is_read_only_up_to_the_limit():
    class Endless(io.RawIOBase):
        taken = 0

        def read(self, size=-1):
            assert size >= 0
            self.taken += size
            return b" " * size

    endless = Endless()
    assert codes_of(lambda: read_gold(endless, limits=Limits(file_bytes=1000))) == ["limit-file-bytes"]
    assert endless.taken <= 1001


def test_ten_thousand_clusters_are_read():
    value = clustering()
    value["clusters"] = [{"id": str(n), "pages": [str(n), str(n + 1)]} for n in range(10_000)]
    assert len(read_clustering(as_bytes(value)).clusters) == 10_000


def test_many_problems_are_counted_instead_of_listed():
    value = clustering()
    value["clusters"] = [{"id": str(n), "pages": ["1", "1"]} for n in range(5_000)]
    problems = problems_of(lambda: read_clustering(value))
    assert len(problems) == 201
    assert "4,800 more" in problems[-1].found

"""Labels, names and ids are the same in every Unicode form, in every reader; HTML entities are decoded once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qc4 import Clustering, GoldStandard, compare_clusterings, read_gold, score
from qc4.cli import main
from qc4.io import (
    page_lists,
    read_clustering,
    read_collection,
    read_gold_document,
    read_submission,
    read_submissions,
    read_vectors,
)
from qc4.io.score_tables import read_score_table
from qc4.io.streams import read_stream, read_stream_clustering
from qc4.model.spelling import unusual_gold_texts
from qc4.problems import InputError, ProblemList
from qc4.scoring.what_if import Changes, what_if
from qc4.text import comparison_key, decode_entities, difference, name_key

ONE, TWO = "caf\u00e9", "cafe\u0301"
HIDDEN = "caf\u00e9\u200b"
PERSIAN = "\u0645\u06cc\u200c\u0631\u0648\u0645"
"""A Persian verb in which U+200C has a meaning."""


def gold_value(pages: list[str], topics: list[dict[str, object]], outliers: tuple[str, ...] = ()) -> dict[str, object]:
    return {
        "format": "qc4-gold/1",
        "query": {"id": "q", "text": ""},
        "pages": [{"id": page} for page in pages],
        "topics": topics,
        "outliers": list(outliers),
    }


def two_topics(first: str, second: str) -> dict[str, object]:
    topics = [
        {"id": "t1", "name": "Drinks", "pages": [first, "tea"]},
        {"id": "t2", "name": "Cats", "pages": ["puma", second]},
    ]
    return gold_value([ONE, "tea", "puma", "lion"], topics)


def clustering_value(first: str) -> dict[str, object]:
    clusters = [{"id": "c1", "pages": [first, "tea"]}, {"id": "c2", "pages": ["puma", "lion"]}]
    return {"format": "qc4-clustering/1", "query": "q", "clusters": clusters}


def error_message(read: object, *arguments: object, **named: object) -> str:
    with pytest.raises(InputError) as error:
        read(*arguments, **named)  # type: ignore[operator]
    return str(error.value)


@pytest.mark.parametrize("other", [TWO, HIDDEN, "\ufeffcaf\u00e9", "ca\u2060fe\u0301"])
def test_key_ignores_form_and_zero_width_spaces(other: str) -> None:
    assert comparison_key(other) == comparison_key(ONE) == ONE
    assert name_key(other.upper()) == name_key(ONE)


def test_key_keeps_joiners_and_other_letters() -> None:
    assert comparison_key(PERSIAN) == PERSIAN
    assert comparison_key("\u200d") == "\u200d"
    assert name_key("stra\u00dfe") == name_key("STRASSE")
    assert comparison_key("\ufb01") != "fi"


def test_difference_names_code_points() -> None:
    assert "U+00E9 against U+0065 U+0301" in difference(ONE, TWO)
    assert "nothing against U+200B" in difference("p1", "p1\u200b")
    assert "U+0061 against U+0430" in difference("p\u0061", "p\u0430")
    assert difference("p1", "p2") == difference("p1", "p1") == ""


# --- References to pages --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [ONE, TWO, HIDDEN])
def test_clustering_in_another_form_scores_the_same(other: str) -> None:
    gold = read_gold(two_topics(other, "lion"))
    found = score(gold, read_clustering(clustering_value(other)), ["ari", "qc4_f"])
    assert [one.value for one in found.scores] == [1, 1]
    assert any(warning.code == "unicode-form" for warning in found.warnings) == (other != ONE)


def test_gold_keeps_the_spelling_of_its_page_list() -> None:
    document = read_gold_document(two_topics(TWO, "lion"))
    assert document.topics[0].pages == (ONE, "tea")
    assert document.page_ids[0] == ONE
    parents = [{"id": ONE, "name": "A", "pages": ["p"]}, {"id": "b", "name": "B", "parent": TWO, "pages": ["p"]}]
    assert read_gold_document(gold_value(["p"], parents)).topics[1].parent == ONE


def csv_of(page: str) -> bytes:
    return f"page,label\n{page},x\ntea,x\npuma,y\nlion,y\n".encode()


@pytest.mark.parametrize(
    "file",
    [
        json.dumps(clustering_value(TWO)).encode(),
        (json.dumps(clustering_value(TWO)) + "\n" + json.dumps(clustering_value(TWO) | {"algorithm": "b"})).encode(),
        csv_of(TWO),
        csv_of(HIDDEN),
        b"<searchresult><query>q</query>"
        + "".join(f'<document id="{page}"/>' for page in (ONE, "tea", "puma", "lion")).encode()
        + f'<group id="1"><document refid="{TWO}"/><document refid="tea"/></group>'.encode()
        + b'<group id="2"><document refid="puma"/><document refid="lion"/></group></searchresult>',
    ],
    ids=["json", "json lines", "csv", "csv with U+200B", "xml"],
)
def test_every_reader_finds_pages_in_another_form(file: bytes) -> None:
    document = read_gold_document(two_topics(ONE, "lion"))
    found = read_submissions(file, page_lists([document]))
    assert [cluster.pages for cluster in found[0].clusterings[0].clusters] == [(ONE, "tea"), ("puma", "lion")]


def test_reader_warns_about_pages_in_another_form() -> None:
    notes = ProblemList()
    lists = page_lists([read_gold_document(two_topics(ONE, "lion"))])
    read_submissions(csv_of(TWO), lists, notes=notes)
    assert "U+00E9 against U+0065 U+0301" in next(str(note) for note in notes if note.code == "unicode-form")


def test_ambient_relations_and_layout(tmp_path: Path) -> None:
    files = {
        "topics.txt": "ID\tdescription\n1\tR&amp;B\n",
        "subTopics.txt": "ID\tdescription\n1.1\tMills&amp; Boon\n1.2\tother\n",
        "results.txt": "ID\turl\ttitle\tsnippet\n"
        "1.1\ufeff\thttp://x.org/?a=1&amp;b=2&copy=3\tA &amp;amp; B\tc\n1.2\tu\tt\ts\n",
        "STRel.txt": "subTopicID\tresultID\n1.1\t1.1\n1.2\u200b\t1.2\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = read_collection(tmp_path)
    [document] = found.documents
    assert document.query_text == "R&B"
    assert [topic.name for topic in document.topics] == ["Mills& Boon", "other"]
    assert document.pages[0].url == "http://x.org/?a=1&b=2&copy=3"
    assert document.pages[0].title == "A &amp; B"
    assert "HTML entities decoded once in 4 texts" in found.notes
    assert [(warning.code, warning.where) for warning in found.warnings] == [("html-entities", "titles")]
    assert read_collection(tmp_path, html_entities="twice").documents[0].pages[0].title == "A & B"
    kept = read_collection(tmp_path, html_entities="keep")
    assert kept.documents[0].query_text == "R&amp;B"
    assert not kept.warnings
    answer = read_submission("subTopicID\tresultID\n1.a\t1.1\u200b\n1.a\t1.2\n".encode(), page_lists([document]))
    assert answer.clusterings[0].clusters[0].pages == ("1.1", "1.2")


def test_vectors_and_score_tables() -> None:
    assert read_vectors(f"page,x\n{TWO},1\ntea,2\n".encode(), [ONE, "tea"]).points.tolist() == [[1], [2]]
    assert "queries named twice" in error_message(read_score_table, f"query,a\n{ONE},1\n{TWO},2\n".encode())
    table = read_score_table(f"query,{TWO}\n{TWO},1\n".encode()).renamed_like([ONE], [ONE])
    assert (table.systems, table.queries) == ((ONE,), (ONE,))


def test_streams() -> None:
    stream = read_stream(f"time,class,x1\n0,{ONE},1\n1,{TWO},2\n2,b,3\n".encode(), name=f"{ONE}.csv")
    assert stream.class_names == (ONE, "b")
    assert stream.classes.tolist() == [0, 0, 1]
    value = {"format": "qc4-stream-clustering/1", "stream": TWO, "snapshots": [{"time": 2, "clusters": []}]}
    assert read_stream_clustering(value, stream).n_snapshots == 1


# --- Equal ids ---


def test_ids_that_look_alike_are_rejected_with_their_difference() -> None:
    shown = "U+00E9 against U+0065 U+0301"
    topics = [{"id": "t", "name": "T", "pages": [ONE]}]
    assert shown in error_message(read_gold, gold_value([ONE, TWO], topics))
    assert shown in error_message(read_collection, f"id,title\n{ONE},a\n{TWO},b\n".encode(), name="q.csv")
    same = [{"id": ONE, "pages": ["a"]}, {"id": TWO, "pages": ["b"]}]
    assert shown in error_message(read_clustering, {"format": "qc4-clustering/1", "query": "q", "clusters": same})
    twice = [{"id": "c", "pages": [ONE, TWO]}]
    assert shown in error_message(read_clustering, {"format": "qc4-clustering/1", "query": "q", "clusters": twice})
    assert shown in error_message(GoldStandard.from_sets, {ONE: ["a"], TWO: ["b"]})
    assert shown in error_message(Clustering.from_labels, [0, 1], pages=[ONE, TWO])


def test_unknown_id_that_looks_known_is_explained() -> None:
    gold = GoldStandard.from_sets({"a": ["pa", "pb"], "b": ["pc"]})
    message = error_message(score, gold, Clustering.from_sets([["p\u0430"]]))
    assert "'pa' is there" in message
    assert "U+0061 against U+0430" in message


def test_sibling_names_in_two_forms_break_rule_r6() -> None:
    topics = [{"id": "a", "name": ONE.upper(), "pages": ["p"]}, {"id": "b", "name": TWO, "pages": ["q"]}]
    assert "R6" in error_message(read_gold, gold_value(["p", "q"], topics))
    topics[0]["name"] = ONE
    assert "U+00E9 against U+0065 U+0301" in error_message(read_gold, gold_value(["p", "q"], topics))


def test_names_below_different_parents_are_a_warning() -> None:
    topics = [
        {"id": "a", "name": "A", "pages": ["p", "q"]},
        {"id": "b", "name": "B", "pages": ["r", "s"]},
        {"id": "a1", "name": ONE, "parent": "a", "pages": ["p", "q"]},
        {"id": "b1", "name": TWO, "parent": "b", "pages": ["r", "s"]},
    ]
    found = unusual_gold_texts(read_gold_document(gold_value(["p", "q", "r", "s"], topics)))
    assert [one.severity for one in found if one.code == "unicode-form"] == ["warning"]


def test_joiners_count_and_cause_a_warning() -> None:
    plain = PERSIAN.replace("\u200c", "")
    topics = [{"id": "a", "name": PERSIAN, "pages": ["p", "q"]}, {"id": "b", "name": plain, "pages": ["r", "s"]}]
    found = list(unusual_gold_texts(read_gold_document(gold_value(["p", "q", "r", "s"], topics))))
    assert [(one.code, one.severity) for one in found] == [("invisible-character", "warning")]
    assert "U+200C" in found[0].found


# --- Labels ---------------------------------------------------------------------------------------------------------


def test_labels_in_two_forms_are_one_cluster_with_a_warning() -> None:
    labels = [ONE, TWO, "b", HIDDEN]
    assert [cluster.pages for cluster in Clustering.from_labels(labels).clusters] == [("0", "1", "3"), ("2",)]
    found = score([0, 0, 1, 0], labels, ["ari"])
    assert found.scores[0].value == 1
    assert {warning.code for warning in found.warnings} >= {"unicode-form", "invisible-character"}
    assert compare_clusterings([0, 0, 1, 0], labels, ["ari"]).scores[0].value == 1
    notes = ProblemList()
    text = "page,label\n" + "".join(f"{page},{label}\n" for page, label in zip("wxyz", labels, strict=True))
    answer = read_submissions(text.encode(), {"q": ("w", "x", "y", "z")}, notes=notes)[0].clusterings[0]
    assert [(cluster.label, cluster.pages) for cluster in answer.clusters] == [(ONE, ("w", "x", "z")), ("b", ("y",))]
    assert "unicode-form" in {note.code for note in notes}


def test_query_column_in_two_forms_is_one_query() -> None:
    text = f"query,id,title\n{ONE},1,a\n{TWO},2,b\n".encode()
    [document] = read_collection(text, name="pages.csv").documents
    assert document.page_ids == ("1", "2")


def test_comparison_of_clusterings_joins_pages_in_any_form() -> None:
    first, second = Clustering.from_sets([[ONE, "a"], ["b"]]), Clustering.from_sets([[TWO, "a"], ["b"]])
    found = compare_clusterings(first, second, ["ari"])
    assert (found.pages, found.scores[0].value) == (3, 1)


def test_clusters_are_found_by_any_form_of_their_id() -> None:
    gold = GoldStandard.from_sets({"a": ["p", ONE], "b": ["q", "r"]})
    clustering = Clustering.from_sets({ONE: ["p", TWO, "q"], "d": ["r"]})
    found = what_if(gold, clustering, Changes(clean=(TWO,)))
    assert [cluster.pages for cluster in found.clustering.clusters] == [("p", ONE), ("r",)]


# --- HTML entities ---------------------------------------------------------------------------------------------------


def test_entities_are_decoded_once() -> None:
    assert decode_entities("&amp;lt; &#39; &#x27; &notit; &nosuch; &copy=1 &") == "&lt; ' ' &notit; &nosuch; &copy=1 &"
    assert decode_entities("&amp;lt;", "twice") == "<"
    assert decode_entities("&lt;", "keep") == "&lt;"


def test_other_formats_keep_entities_and_warn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    csv = b"id,title,url\n1,A &amp; B,http://x.org/?a&amp;b\n2,C,http://x.org/?a&copy=1\n"
    found = read_collection(csv, name="q.csv")
    assert found.documents[0].pages[0].title == "A &amp; B"
    assert [(warning.where, warning.severity) for warning in found.warnings] == [
        ("titles", "warning"),
        ("URLs", "warning"),
    ]
    once = read_collection(csv, name="q.csv", html_entities="once")
    assert once.documents[0].pages[0].title == "A & B"
    assert not once.warnings
    assert "html_entities: found 'never'" in error_message(read_collection, csv, html_entities="never")
    value = gold_value(["p", "q"], [{"id": "t", "name": "R&amp;B", "pages": ["p", "q"]}])
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(value))
    assert main(["check", str(path)]) == 0
    assert "'&amp;' in 'R&amp;B'" in capsys.readouterr().out

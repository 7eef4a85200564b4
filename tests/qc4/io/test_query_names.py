"""Files may name queries by key or by text. One place resolves the names for all formats."""

from __future__ import annotations

import json

import pytest

from qc4.io import read_submission
from qc4.model.clustering import Cluster, Clustering
from qc4.model.query_names import PageListsWithTexts, QueryNames
from qc4.problems import InputError

LISTS = PageListsWithTexts(
    {"q1": ("a", "b"), "q2": ("c", "d"), "q3": ("e",), "q4": ("f",)},
    {"q1": "Coral Sea", "q2": "jaguar", "q3": "java", "q4": "Java"},
)


def answered(source: bytes | dict[str, object], name: str = "file.jsonl") -> list[str]:
    return [answer.query for answer in read_submission(source, LISTS, name=name).clusterings]


def jsonl(*queries: str) -> bytes:
    clusters = [{"id": "c", "pages": []}]
    lines = ({"format": "qc4-clustering/1", "query": query, "clusters": clusters} for query in queries)
    return "\n".join(map(json.dumps, lines)).encode()


@pytest.mark.parametrize("name", ["q1", "Coral Sea", "coral sea", "  CORAL   SEA ", "Q1"])
def test_a_query_is_known_by_key_or_text(name: str) -> None:
    assert answered(jsonl(name)) == ["q1"]


def test_tables_file_names_and_objects_may_use_query_texts() -> None:
    assert answered(b"query,page,label\ncoral sea,a,1\nq1,b,2\nJAGUAR,c,1\n", "x.csv") == ["q1", "q2"]
    assert answered(b"1\n2\n", "Coral Sea.txt") == ["q1"]
    assert answered({"format": "qc4-clustering/1", "query": "Jaguar", "clusters": []}) == ["q2"]


def test_ambiguous_query_text_is_rejected_with_the_keys() -> None:
    with pytest.raises(InputError) as refused:
        answered(jsonl("JAVA"))
    (problem,) = refused.value.problems
    assert (problem.code, problem.found) == ("ambiguous-query", "the text of 2 queries")
    assert problem.expected == "the key of one of them: 'q3', 'q4'"


def test_unknown_query_lists_keys_and_texts() -> None:
    with pytest.raises(InputError) as refused:
        answered(jsonl("coral"))
    assert "'q1' (“Coral Sea”), 'q2' (“jaguar”)" in str(refused.value)


def test_query_named_by_key_and_text_is_a_repetition() -> None:
    with pytest.raises(InputError) as refused:
        answered(jsonl("q2", "jaguar"))
    assert [problem.code for problem in refused.value.problems] == ["duplicate-query"]


def test_key_takes_precedence_over_the_text_of_another_query() -> None:
    names = QueryNames({"java": "coffee", "q2": "Java"})
    assert names.key("java") == "java"
    assert names.keys("JAVA") == ["java", "q2"]
    renamed = names.renamed_answer(Clustering("coffee", (Cluster("c", ()),)))
    assert renamed.query == "java"

"""Files may name queries by key or by text; what they mean is found in one place, for all formats."""

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


def test_tables_files_called_after_a_text_and_objects_may_name_texts_too() -> None:
    assert answered(b"query,page,label\ncoral sea,a,1\nq1,b,2\nJAGUAR,c,1\n", "x.csv") == ["q1", "q2"]
    assert answered(b"1\n2\n", "Coral Sea.txt") == ["q1"]
    assert answered({"format": "qc4-clustering/1", "query": "Jaguar", "clusters": []}) == ["q2"]


def test_a_text_of_several_queries_is_refused_with_their_keys() -> None:
    with pytest.raises(InputError) as refused:
        answered(jsonl("JAVA"))
    (problem,) = refused.value.problems
    assert (problem.code, problem.found) == ("ambiguous-query", "the text of 2 queries")
    assert problem.expected == "the key of one of them: 'q3', 'q4'"


def test_an_unknown_query_is_told_with_keys_and_texts() -> None:
    with pytest.raises(InputError) as refused:
        answered(jsonl("coral"))
    assert "'q1' (“Coral Sea”), 'q2' (“jaguar”)" in str(refused.value)


def test_the_same_query_by_key_and_text_is_one_query_twice() -> None:
    with pytest.raises(InputError) as refused:
        answered(jsonl("q2", "jaguar"))
    assert [problem.code for problem in refused.value.problems] == ["duplicate-query"]


def test_a_key_comes_before_anothers_text() -> None:
    names = QueryNames({"java": "coffee", "q2": "Java"})
    assert names.key("java") == "java"
    assert names.keys("JAVA") == ["java", "q2"]
    renamed = names.renamed_answer(Clustering("coffee", (Cluster("c", ()),)))
    assert renamed.query == "java"

"""Writers: canonical bytes, which can be read and written again unchanged."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from qc4.io import (
    qc4_json as gold_json,
)
from qc4.io import (
    read_clustering,
    read_gold_document,
    read_submission,
    write_clustering,
    write_gold,
    write_submission,
)
from qc4.model.clustering import Cluster, Clustering, SubmissionDocument
from qc4.model.gold_document import PAGE_FIELDS, PAGE_TEXTS, GoldDocument, Page, Topic
from tests.qc4.io.format_examples import gold

# The machine may be busy: only the outcome counts, not the time of an example.
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
ids = words.filter(str.strip)
optional = st.none() | words
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=5,
)


def extras(*known: str) -> st.SearchStrategy[dict]:
    return st.dictionaries(words.filter(lambda key: key not in known), values, max_size=2)


pages = st.builds(
    Page,
    ids,
    st.none() | st.integers(1, 1000),
    **dict.fromkeys(PAGE_TEXTS, optional),
    extra=extras("id", *PAGE_FIELDS),
)
topics = st.builds(
    Topic,
    ids,
    words,
    st.none() | ids,
    st.none() | st.integers(1, 100),
    st.lists(ids, max_size=3).map(tuple),
    extras("id", "name", "parent", "level", "pages"),
)
golds = st.builds(
    GoldDocument,
    ids,
    words,
    st.lists(pages, max_size=3, unique_by=lambda page: page.id).map(tuple),
    st.lists(topics, max_size=3).map(tuple),
    st.lists(ids, max_size=3).map(tuple),
    extras("format", "query", "pages", "topics", "outliers"),
    extras("id", "text"),
)
clusters = st.builds(
    Cluster,
    ids,
    st.lists(ids, max_size=3, unique=True).map(tuple),
    words,
    st.none(),
    extras("id", "label", "parent", "pages"),
)
clusterings = st.builds(
    Clustering,
    ids,
    st.lists(clusters, max_size=3, unique_by=lambda cluster: cluster.id).map(tuple),
    words,
    st.dictionaries(words, values, max_size=2),
    extras("format", "query", "algorithm", "parameters", "clusters"),
)


@given(golds)
def test_a_gold_document_survives_its_file_byte_for_byte(document):
    data = write_gold(document)
    again = read_gold_document(data)
    assert again == document
    assert write_gold(again) == data


@given(clusterings)
def test_a_clustering_survives_its_file_byte_for_byte(clustering):
    data = write_clustering(clustering)
    assert read_clustering(data) == clustering
    assert write_clustering(read_clustering(data)) == data


@given(st.lists(clusterings, max_size=3, unique_by=lambda clustering: clustering.query), words, values)
def test_a_submission_survives_its_file_byte_for_byte(answers, algorithm, note):
    data = write_submission(SubmissionDocument(tuple(answers), algorithm, {"a": 1}, {"note": note}))
    assert write_submission(read_submission(data)) == data


def test_later_page_field_does_not_change_older_files(monkeypatch):
    monkeypatch.setattr(
        gold_json, "_FIRST_PAGE_FIELDS", ("id", "rank", "url", "title", "snippet")
    )  # as if texts were new
    value = gold()
    value["pages"][1]["text"] = "The whole page"
    old, new = json.loads(write_gold(read_gold_document(value)))["pages"][:2]
    assert list(old) == ["id", "rank", "url", "title", "snippet"]
    assert list(new) == ["id", "rank", "url", "title", "snippet", "text"]


def test_the_canonical_gold_file_is_utf8_in_the_order_of_the_format_with_sorted_extras():
    value = gold()
    value["zeta"], value["alpha"] = {"b": 1, "a": "é"}, [1.0]
    value["query"]["lang"] = "de"
    data = write_gold(read_gold_document(value))
    assert data.endswith(b"}\n")
    assert "é".encode() in data
    written = json.loads(data)
    assert list(written) == ["format", "query", "pages", "topics", "outliers", "alpha", "zeta"]
    assert list(written["zeta"]) == ["a", "b"]
    assert list(written["pages"][0]) == ["id", "rank", "url", "title", "snippet", "text"]
    assert written["pages"][0]["text"] is None
    assert written["topics"][2] == {
        "id": "dealers",
        "name": "Dealers",
        "parent": "cars",
        "level": None,
        "pages": ["2", "3"],
    }
    assert written["query"] == {"id": "jaguar", "text": "jaguar", "lang": "de"}


def test_the_order_of_unknown_fields_does_not_change_the_bytes():
    one, two = gold() | {"a": 1, "b": {"x": 1, "y": 2}}, gold() | {"b": {"y": 2, "x": 1}, "a": 1}
    assert write_gold(read_gold_document(one)) == write_gold(read_gold_document(two))


def test_whitespace_and_missing_optional_fields_do_not_change_the_bytes():
    sparse = gold()
    for page in sparse["pages"]:
        del page["url"]
    tight = json.dumps(sparse, separators=(",", ":")).encode()
    assert write_gold(read_gold_document(tight)) == write_gold(read_gold_document(gold()))

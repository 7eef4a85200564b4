"""Imports store everything or nothing, and exactly what the files contain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from accounts.models import User
from annotations.collections.selectors import page_list_document, page_lists
from annotations.gold.selectors import document_bytes
from annotations.imports.services import import_documents
from annotations.models import Collection, Gold, Page, Query
from qc4.io import write_gold
from qc4.model.gold_document import GoldDocument
from qc4.model.gold_document import Page as EnginePage
from qc4.problems import InputError
from tests.samples.documents import mercury, pages, saturn


def test_imported_queries_pages_and_gold_are_stored_byte_for_byte(owner: User) -> None:
    page = EnginePage("p1", 7, None, "", '<b>\u200f"tab\there', "text", extra={"lang": "he"})
    odd = GoldDocument(
        "q/1", "", (page,), outliers=("p1",), extra={"source": {"b": 1, "a": [2]}}, query_extra={"intent": "?"}
    )
    documents = [mercury(), odd, saturn()]
    collection = import_documents(name="Three", documents=documents, user=owner)
    queries = list(collection.queries.all())
    assert [query.key for query in queries] == ["mercury", "q/1", "saturn"]
    assert [document_bytes(Gold.objects.get(query=query)) for query in queries] == list(map(write_gold, documents))
    assert page_list_document(queries[1]).pages == odd.pages


def test_import_with_gold_standards_creates_version_1(collection: Collection) -> None:
    version = collection.gold_versions.get()
    assert version.number == 1
    assert [entry.gold.topics_per_level for entry in version.entries.order_by("query__position")] == [[2, 3], [2]]
    gold = Gold.objects.get(query__key="mercury")
    assert (gold.n_pages, gold.n_levels, gold.n_outliers, gold.completion) == (8, 2, 1, "strict")


def test_import_of_page_lists_creates_no_gold_version(page_list_collection: Collection) -> None:
    assert page_lists(page_list_collection) == {
        "mercury": tuple(f"p{n}" for n in range(1, 9)),
        "saturn": ("p1", "p2", "p3", "p4"),
    }
    assert not page_list_collection.gold_versions.exists()


def test_one_invalid_query_rejects_the_import_with_all_problems(owner: User) -> None:
    lost = replace(mercury(), outliers=())
    hollow = replace(saturn(), topics=(*saturn().topics, replace(saturn().topics[0], id="x", pages=())))
    good = replace(saturn(), query_id="venus")
    with pytest.raises(InputError) as refused:
        import_documents(name="Bad", documents=[good, lost, hollow], user=owner)
    told = "\n".join(map(str, refused.value.problems))
    assert "query 'mercury'" in told
    assert "'p8'" in told
    assert "query 'saturn' (saturn car)" in told
    assert {"page-without-topic", "empty-topic", "duplicate-name"} <= {item.code for item in refused.value.problems}
    assert not Collection.objects.exists()
    assert not Query.objects.exists()


def test_import_with_a_taken_name_stores_nothing(collection: Collection, owner: User) -> None:
    before = Page.objects.count()
    with pytest.raises(InputError, match="An import never changes an existing collection"):
        import_documents(name=collection.name, documents=[saturn()], user=owner)
    assert Page.objects.count() == before


def test_completion_is_recorded_if_it_changed_something(owner: User) -> None:
    lost = replace(mercury(), outliers=())
    collection = import_documents(name="Completed", documents=[lost, saturn()], user=owner, completion="complete")
    completion = dict(Gold.objects.values_list("query__key", "completion"))
    assert completion == {"mercury": "complete", "saturn": "strict"}
    assert Gold.objects.get(query__key="mercury").n_outliers == 1
    assert collection.import_notes == [
        "Completion rule 'complete': 1 page in no topic became outliers; 0 pages went to added subtopics."
    ]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (GoldDocument("x" * 201, "", pages(1)), "long-id"),
        (GoldDocument("", "", pages(1)), "no-query-id"),
        (GoldDocument("q", "", (EnginePage("p" * 201),)), "long-id"),
        (GoldDocument("q", "", (EnginePage("p", -1),)), "bad-rank"),
        (GoldDocument("q", "", (EnginePage("p", 2**31),)), "bad-rank"),
    ],
)
def test_values_too_large_for_the_database_are_rejected(owner: User, document: GoldDocument, code: str) -> None:
    with pytest.raises(InputError) as refused:
        import_documents(name="Odd", documents=[document], user=owner)
    assert [problem.code for problem in refused.value.problems] == [code]


def test_missing_and_repeated_queries_are_rejected(owner: User) -> None:
    with pytest.raises(InputError, match="no queries"):
        import_documents(name="Empty", documents=[], user=owner)
    with pytest.raises(InputError, match="repeated"):
        import_documents(name="Twice", documents=[saturn(), saturn()], user=owner)

"""Publishing: numbered versions that share unchanged gold standards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from accounts.models import User
from annotations.gold.selectors import latest_golds, load_gold_document
from annotations.gold.services import publish
from annotations.models import Collection, Gold, GoldVersion, Query
from qc4.model.gold_document import GoldDocument, Page
from qc4.problems import InputError
from tests.samples.documents import corrected_saturn, mercury, pages, saturn


def problem_codes(error: pytest.ExceptionInfo[InputError]) -> set[str]:
    return {problem.code for problem in error.value.problems}


def test_new_version_shares_unchanged_gold_standards(collection: Collection, owner: User) -> None:
    version = publish(collection=collection, documents=[corrected_saturn()], user=owner, note="p2 is about cars")
    assert version.number == 2
    golds = {
        number: dict(GoldVersion.objects.get(number=number).entries.values_list("query__key", "gold_id"))
        for number in (1, 2)
    }
    assert golds[1]["mercury"] == golds[2]["mercury"]
    assert golds[1]["saturn"] != golds[2]["saturn"]
    saturn_row = Query.objects.get(key="saturn")
    assert load_gold_document(latest_golds(collection)[saturn_row.pk]) == corrected_saturn()


def test_republished_gold_standard_reuses_its_row(collection: Collection, owner: User) -> None:
    publish(collection=collection, documents=[corrected_saturn()], user=owner)
    version = publish(collection=collection, documents=[saturn()], user=owner)
    assert version.number == 3
    assert version.sha256 == collection.gold_versions.get(number=1).sha256
    assert Gold.objects.filter(query__key="saturn").count() == 2


def test_publishing_unchanged_gold_standard_does_nothing(collection: Collection, owner: User) -> None:
    assert publish(collection=collection, documents=[mercury(), saturn()], user=owner).number == 1
    assert collection.gold_versions.count() == 1


def test_page_texts_can_be_omitted_but_not_changed(collection: Collection, owner: User) -> None:
    bare = replace(corrected_saturn(), pages=tuple(Page(page.id) for page in pages(4)))
    version = publish(collection=collection, documents=[bare], user=owner)
    gold = version.entries.get(query__key="saturn").gold
    assert load_gold_document(gold).pages == saturn().pages
    changed = replace(corrected_saturn(), pages=(replace(pages(4)[0], title="Another"), *pages(4)[1:]))
    with pytest.raises(InputError, match="a title that differs"):
        publish(collection=collection, documents=[changed], user=owner)


def test_all_problems_of_all_documents_are_reported_together(collection: Collection, owner: User) -> None:
    foreign = replace(mercury(), pages=(*mercury().pages[:7], Page("p9")))
    unknown = replace(saturn(), query_id="venus")
    with pytest.raises(InputError) as error:
        publish(collection=collection, documents=[foreign, unknown, saturn(), saturn()], user=owner)
    assert problem_codes(error) == {"unknown-page", "missing-page", "unknown-query", "duplicate-query"}
    assert collection.gold_versions.count() == 1


def test_gold_standard_that_breaks_a_rule_is_not_published(collection: Collection, owner: User) -> None:
    lost = replace(saturn(), topics=saturn().topics[:1])
    with pytest.raises(InputError) as error:
        publish(collection=collection, documents=[lost], user=owner)
    assert problem_codes(error) == {"page-without-topic"}
    version = publish(collection=collection, documents=[lost], user=owner, completion="complete")
    assert version.entries.get(query__key="saturn").gold.completion == "complete"


def test_page_list_without_gold_standard_is_not_published(page_list_collection: Collection, owner: User) -> None:
    with pytest.raises(InputError) as error:
        publish(collection=page_list_collection, documents=[GoldDocument("saturn", "", pages(4))], user=owner)
    assert problem_codes(error) == {"no-gold"}
    version = publish(collection=page_list_collection, documents=[saturn()], user=owner)
    assert version.number == 1

"""Properties of queries, computed from their gold standards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotations.models import Collection
from evaluation.boards.compare.pairs import FACTS, facts_of, query_facts
from evaluation.scoring.scores import queries_of
from qc4.model.gold_document import Topic
from qc4.model.rules import prepare
from tests.samples.documents import mercury, saturn


def facts(document: Any) -> dict[str, float | None]:
    return dict(zip(FACTS, facts_of(prepare(document).hierarchy), strict=True))


def test_facts_equal_values_computed_by_hand() -> None:
    # Topics of 3, 5, 2 and 3 pages; p3 is in two topics of each level; p8 is an outlier.
    assert facts(mercury()) == {
        "mean topic size": 13 / 4,
        "levels": 2,
        "share of pages in several topics": 1 / 8,
        "number of topics": 4,
    }
    assert list(facts(saturn()).values()) == [2, 1, 0, 2]


def test_topic_and_subtopic_do_not_overlap() -> None:
    nested = replace(
        saturn(),
        topics=(*saturn().topics, Topic("a", "A", "rings", pages=("p1",)), Topic("b", "B", "rings", pages=("p2",))),
    )
    assert facts(nested)["share of pages in several topics"] == 0


@pytest.mark.django_db
def test_facts_of_some_queries_of_a_gold_version(collection: Collection) -> None:
    version = collection.gold_versions.get()
    queries = queries_of([version])[version.pk]
    with CaptureQueriesContext(connection) as asked:
        assert query_facts(version, queries)["number of topics"] == [4, 2]
    assert len(asked) == 1
    assert query_facts(version, queries[1:])["number of topics"] == [2]

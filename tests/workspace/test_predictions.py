"""Predictions from the placed pages of a draft, level by level."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.imports.services import import_documents
from annotations.models import Draft
from annotations.workspace.selectors.predictions import page_groups, predictions
from qc4.model.gold_document import GoldDocument, Page
from qc4.problems import InputError

TITLES = {
    "zoo1": "big cats zoo tickets",
    "zoo2": "big cats zoo opening hours tickets",
    "wild1": "big cats rain forest hunting",
    "wild2": "big cats rain forest night hunting",
    "car1": "racing cars engines",
    "car2": "racing cars engines parts",
    "spam1": "cheap ringtones download",
    "spam2": "ringtones download cheap offers",
    "alone": "Atari console",
}


@pytest.fixture
def draft(owner: User) -> Draft:
    pages = tuple(Page(key, number, title=title) for number, (key, title) in enumerate(TITLES.items(), 1))
    collection = import_documents(name="Cats", documents=[GoldDocument("q", "q", pages)], user=owner)
    return drafts.from_nothing(query=collection.queries.get(), user=owner, kind=Draft.Kind.SHARED)


def add(topic: str, *pages: str, parent: str | None = None) -> dict[str, object]:
    return {"kind": "add_topic", "topic": topic, "name": topic.title(), "parent": parent, "pages": list(pages)}


def done(draft: Draft, user: User, *operations: dict[str, object]) -> None:
    perform(draft, user, DraftRequest(uuid4(), draft.revision, list(operations)))


def told(draft: Draft) -> dict[str, str | None]:
    return {one.page: one.topic for one in predictions(draft).predictions}


def test_topics_outliers_and_subtopics_are_predicted(draft: Draft, owner: User) -> None:
    done(draft, owner, add("cats", "zoo1", "wild1"), add("cars", "car1"), {"kind": "outlier", "pages": ["spam1"]})
    assert told(draft) == {"zoo2": "cats", "wild2": "cats", "car2": "cars", "spam2": None}
    # Predictions are as fine as the placed pages allow, even below a topic that is itself only predicted.
    done(draft, owner, add("zoo", "zoo1", parent="cats"), add("wild", "wild1", parent="cats"))
    assert told(draft) == {"zoo2": "zoo", "wild2": "wild", "car2": "cars", "spam2": None}
    done(draft, owner, {"kind": "assign", "pages": ["zoo2"], "topics": ["cats"]})
    assert told(draft)["zoo2"] == "zoo", "in Cats but in none of its subtopics"
    done(draft, owner, {"kind": "assign", "pages": ["zoo2"], "topics": ["zoo"]})
    assert "zoo2" not in told(draft)
    assert predictions(draft).predictions[0].like == ("wild1",)


def test_suggestions_or_single_topic_give_no_predictions(draft: Draft, owner: User) -> None:
    hint = {"kind": "suggest", "source": "test", "topics": [{"topic": "s", "name": "S", "parent": None}]}
    done(draft, owner, add("cats", "zoo1"), hint | {"hints": [["s", ["car1"]]]})
    assert told(draft) == {}


def test_most_useful_pages_are_listed_on_level_1_and_below_topics(draft: Draft, owner: User) -> None:
    (first,) = predictions(draft).teaching
    assert first.topic is None
    assert sorted(first.pages) == sorted(TITLES)
    assert first.pages[-1] == "alone", "it gives no predictions for others"
    done(draft, owner, add("cats", "zoo1", "zoo2", "wild1", "wild2"), add("zoo", "zoo1", parent="cats"))
    found = {one.topic: set(one.pages) for one in predictions(draft).teaching}
    assert found == {None: {"car1", "car2", "spam1", "spam2", "alone"}, "cats": {"zoo2", "wild1", "wild2"}}


def test_predictions_are_not_stored_and_use_cached_texts(draft: Draft, owner: User) -> None:
    done(draft, owner, add("cats", "zoo1"), add("cars", "car1"))
    predictions(draft)
    with CaptureQueriesContext(connection) as asked:
        assert predictions(draft).revision == draft.revision == 1
    assert len(asked) == 0


def test_pages_of_topic_are_grouped_by_similarity(draft: Draft, owner: User) -> None:
    done(draft, owner, add("all", *TITLES), add("rest", "spam1", parent="all"))
    found = page_groups(draft, "all").groups
    groups = {frozenset(group.pages) for group in found}
    assert {frozenset({"car1", "car2"}), frozenset({"alone", "spam2"})} <= groups
    assert set().union(*groups) == set(TITLES) - {"spam1"}
    assert "racing cars engines" in [group.name for group in found]
    assert found[-1].name == "", "not similar to any other page"
    assert page_groups(draft, None).groups == [], "every page is placed"
    with pytest.raises(InputError):
        page_groups(draft, "nowhere")

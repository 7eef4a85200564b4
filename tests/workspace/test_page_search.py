"""Search and filters for the pages of a draft, including their texts."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotations.drafts.selectors import states
from annotations.models import Draft
from annotations.workspace.selectors import search as finding
from annotations.workspace.selectors.search import find_pages
from tests.samples.searchable_draft import findable_draft

Found = Callable[..., list[str]]


@pytest.fixture
def draft(owner: User, curator: User) -> Draft:
    return findable_draft(owner, curator)


@pytest.fixture
def found(draft: Draft) -> Found:
    return lambda search="", **filters: [page.page for page in find_pages(draft, search, **filters).results]


@pytest.mark.django_db
def test_words_phrases_and_exclusions_apply_to_texts(draft: Draft, found: Found) -> None:
    assert found("jaguar") == ["p1", "p2", "p3", "p5"]
    assert found("JAGUAR -engine") == ["p1", "p3", "p5"]
    assert found('"jaguar"') == ["p1", "p2", "p3"]
    assert found('"south america"') == ["p1", "p3"]
    assert found("jaguar cat") == ["p1", "p3"]
    assert found("IZMIR strasse") == ["p4"]
    assert found("ısparta") == ["p4"]
    assert found("7") == ["p7", "p17", "p27", "p37", "p47", "p57"]
    assert found("zebra") == []
    by_page = {page.page: page for page in find_pages(draft, "jaguar").results}
    assert by_page["p1"].found_in == ["title"]
    assert by_page["p1"].excerpt == ""
    assert by_page["p3"].found_in == ["text"]
    assert by_page["p3"].excerpt.endswith("A JÁGUAR is a cat of South America.")
    assert by_page["p3"].excerpt.startswith("…")
    assert "The Jaguar XK engine." in by_page["p2"].excerpt
    assert len(by_page["p2"].excerpt) < 300
    # With İ and ß a text is shorter than its folded form, but the excerpt still starts at the right place.
    assert find_pages(draft, "isparta").results[0].excerpt == "ISPARTA"


@pytest.mark.django_db
def test_filters_alone_and_combined(draft: Draft, found: Found, owner: User, curator: User) -> None:
    assert found(topic="cats") == ["p1", "p3"]
    assert found(topic="gone") == []
    assert found(host="CARS.example") == ["p2", "p5"]
    assert found(by=owner.username) == ["p1", "p3"]
    assert found(by=curator.username) == ["p2", "p5"]
    assert found(by="nobody") == []
    assert found(flagged=True) == ["p1"]
    assert found(note=True, by=curator.username) == ["p2"]
    assert len(found(note=False)) == 59
    assert found("jaguar", unplaced=1) == []
    assert found("köln", unplaced=1) == ["p4"]
    assert found("jaguar", host="zoo.example", flagged=False) == ["p3"]


@pytest.mark.django_db
def test_last_placer_is_the_same_after_restart(draft: Draft, found: Found, curator: User) -> None:
    before = states.current(draft).authors
    states.drop(draft.pk)
    assert states.current(draft).authors == before
    assert found(by=curator.username) == ["p2", "p5"]


@pytest.mark.django_db
def test_search_reads_texts_once_and_never_the_log(draft: Draft, found: Found) -> None:
    found("jaguar")
    with CaptureQueriesContext(
        connection,
    ) as asked:
        found("engine", by="nobody")
    assert not [query for query in asked.captured_queries if "draftentry" in query["sql"]]
    assert sum('"text"' in query["sql"] for query in asked.captured_queries) == 1  # only for the excerpts
    with mock.patch.object(finding, "KEPT_CHARS", 10):
        finding._kept.cache_clear()
        assert found("jaguar") == ["p1", "p2", "p3", "p5"]
        assert finding._kept(draft.query_id, draft.query.collection.created_at) is None
    finding._kept.cache_clear()

"""A query's page and its scores, also while algorithms are scored against a new gold version."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.collections import query_views as queries
from evaluation.gold.services import publish_and_reevaluate
from evaluation.models import Run, Submission
from evaluation.runs import services as runs
from qc4.model.gold_document import Topic
from tests.fixtures.pages import Visit
from tests.page_text import flat
from tests.samples.documents import saturn

Finish = Callable[..., None]
CHANGED = replace(saturn(), topics=(Topic("all", "Everything", pages=("p1", "p2", "p3")),), outliers=("p4",))


@pytest.fixture
def two_scored(scored: Submission, owner: User, submit: Callable[..., tuple[Submission, Run]], finish: Finish) -> None:
    """Lingo and Anaphora, scored against version 1."""
    finish(submit(owner, "Anaphora")[1])


def publish(collection: Collection, user: User) -> list[Run]:
    return publish_and_reevaluate(collection=collection, documents=[CHANGED], user=user)[1]


def page(visit: Visit, user: User, collection: Collection, key: str = "saturn") -> str:
    return flat(visit(user).get(reverse("query", args=[collection.slug, key])).content.decode())


def asked_for(html: str) -> str:
    """The URL that the page polls."""
    found = re.search(r'hx-get="([^"]+)"', html)
    assert found is not None
    return found[1].replace("&amp;", "&")


def scores_in(html: str) -> dict[str, tuple[str, bool]]:
    """Algorithm -> its last score, and whether the score is marked as from another version."""
    table = html.partition('id="scores"')[2].partition("</section>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", table.partition("<tbody>")[2], re.DOTALL)
    found = {}
    for row in rows:
        names = re.findall(r"<bdi>(.*?)</bdi>", row)
        cells = re.findall(r'<td class="num"> ?(.*?) ?</td>', row)
        found[names[0]] = cells[-1], "△ gold v1" in row
    return found


@pytest.mark.usefixtures("two_scored")
def test_previous_scores_stay_until_new_ones_arrive(
    visit: Visit, owner: User, collection: Collection, finish: Finish
) -> None:
    before = scores_in(page(visit, owner, collection))
    assert "hx-get" not in page(visit, owner, collection), "nothing is under way"
    first, second = publish(collection, owner)
    html = page(visit, owner, collection)
    assert "No scores yet" not in html
    assert "0 of 2 algorithms have scores against gold v2; 2 runs queued, 0 running" in html
    assert scores_in(html) == {name: (value, True) for name, (value, _) in before.items()}

    told = visit(owner).get(asked_for(html))
    assert (told.status_code, "<table" in told.content.decode()) == (200, False), "nothing new, and it goes on asking"

    finish(first)
    told = visit(owner).get(asked_for(html))
    assert (told.status_code, told["HX-Retarget"]) == (200, "#scores")
    half = flat(told.content.decode())
    assert "1 of 2 algorithms have scores against gold v2; 1 run queued" in half
    assert sorted(old for _, old in scores_in(half).values()) == [False, True]

    finish(second)
    told = visit(owner).get(asked_for(half))
    assert told.status_code == 286, "the last answer"
    after = scores_in(flat(told.content.decode()))
    assert after == scores_in(page(visit, owner, collection))
    assert {name for name, (_, old) in after.items() if not old} == {"Lingo", "Anaphora"}
    assert after["Lingo"][0] != before["Lingo"][0]


@pytest.mark.usefixtures("two_scored")
def test_polling_without_changes_reads_no_score(visit: Visit, owner: User, collection: Collection) -> None:
    publish(collection, owner)
    address, browser = asked_for(page(visit, owner, collection)), visit(owner)
    with CaptureQueriesContext(connection) as found:
        assert browser.get(address).status_code == 200
    assert not [query for query in found.captured_queries if "evaluation_score" in query["sql"]]
    with CaptureQueriesContext(connection) as found:
        browser.get(address.partition("?")[0])
    assert [query for query in found.captured_queries if "evaluation_score" in query["sql"]], "the table itself does"


@pytest.mark.usefixtures("two_scored")
def test_unchanged_query_keeps_its_scores(visit: Visit, owner: User, collection: Collection) -> None:
    before = scores_in(page(visit, owner, collection, "mercury"))
    publish(collection, owner)
    html = page(visit, owner, collection, "mercury")
    assert scores_in(html) == before
    assert "outdated" not in html


@pytest.mark.usefixtures("two_scored")
def test_scores_without_a_pending_run_are_marked_outdated(visit: Visit, owner: User, collection: Collection) -> None:
    for run in publish(collection, owner):
        runs.cancel(run, owner)
    html = page(visit, owner, collection)
    assert "2 algorithms have no scores against gold v2, and no run is computing them" in html
    assert "hx-get" not in html


def test_progress_counts_only_visible_runs(
    visit: Visit,
    owner: User,
    reader: User,
    submitter: User,
    scored: Submission,
    collection: Collection,
    submit: Callable[..., tuple[Submission, Run]],
) -> None:
    submit(submitter, "Secret", published=False)
    assert "Secret" not in page(visit, reader, collection)
    assert "hx-get" not in page(visit, reader, collection)
    assert "1 of 2 algorithms have scores against gold v1; 1 run queued" in page(visit, owner, collection)


def test_query_without_gold_standard_has_no_scores(visit: Visit, owner: User, page_list_collection: Collection) -> None:
    assert "There is no published gold standard for this query" in page(visit, owner, page_list_collection)


def test_pages_and_topics_are_paginated(
    visit: Visit, reader: User, collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "QUERY_PAGES", 5)
    monkeypatch.setattr(queries, "QUERY_TOPICS", 3)
    address = reverse("query", args=[collection.slug, "mercury"])
    first = flat(visit(reader).get(f"{address}?overlap=first").content.decode())
    assert "8 pages · 4 topics on 2 levels" in first
    assert [n for n in range(1, 9) if f"Page {n}<" in first] == [1, 2, 3, 4, 5]
    assert "The first 3 of 4 topics" in first
    after = re.search(r'href="([^"]+)"\s+rel="next"', first)
    assert after is not None
    assert after[1].endswith("&amp;overlap=first#pages-title")
    second = visit(reader).get(address + after[1].replace("&amp;", "&").partition("#")[0]).content.decode()
    assert [n for n in range(1, 9) if f"Page {n}<" in second] == [6, 7, 8]

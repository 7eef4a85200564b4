"""Topic coverage over HTTP: hand-worked fates, worked out once, a few runs in each request."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.limits import TOPIC_ALGORITHMS
from evaluation.models import Standing, Submission
from evaluation.selectors import topic_coverage
from evaluation.selectors.choice import Choice
from tests.pages.conftest import Visit

POOR = {"mercury": (("p1", "p4", "p7"), ("p2", "p5", "p8"))}


def address(collection: Collection, kind: str = "-json") -> str:
    return reverse(f"topic-coverage{kind}", args=[collection.slug])


def row_of(answer: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in answer["rows"] if row["algorithm"] == name)
    return found


@pytest.fixture
def two(owner: User, submit: Callable[..., object], finish: Callable[..., None]) -> None:
    submit(owner, "Good")
    submit(owner, "Poor", POOR)
    finish()


@pytest.mark.usefixtures("two")
class TestTopics:
    def test_fates_by_hand(self, visit: Visit, owner: User, collection: Collection) -> None:
        """Good has Planet (p1 p2 p3) and Outboards (p4 p5) whole, 2 of the 3 Spare parts in a cluster of 3, and Engines
        (p3 to p7) in two clusters that are of it: p4 p5, p6 p7 p8. Of saturn Rings are whole, and a half of Cars."""
        found = row_of(visit(owner).get(address(collection)).json(), "Good")
        names = ("topics", "covered", "merged", "split", "missed")
        assert [found["all"][name] for name in names] == [6, 5, 0, 1, 0]
        assert [(each["name"], each["covered"], each["topics"]) for each in found["depths"]] == [
            ("level 1", 3, 4),
            ("level 2", 2, 2),
        ]
        assert [(each["name"], each["topics"]) for each in found["queries"]] == [("mercury", 4), ("saturn", 2)]
        assert [each["topics"] for each in found["sizes"]] == [3, 3, 0, 0, 0]

    def test_a_query_without_a_clustering_misses_its_topics(
        self, visit: Visit, owner: User, collection: Collection
    ) -> None:
        saturn = row_of(visit(owner).get(address(collection)).json(), "Poor")["queries"][1]
        assert (saturn["missed"], saturn["topics"], saturn["coverage"]) == (2, 2, 0.0)

    def test_page_files_and_api_show_the_same(self, visit: Visit, owner: User, collection: Collection) -> None:
        client = visit(owner)
        answer = client.get(address(collection)).json()
        assert client.get(reverse("api:topic-coverage", args=[collection.slug])).json() == answer
        lines = csv.DictReader(io.StringIO(client.get(address(collection, "-csv")).content.decode()))
        covered = {line["algorithm"]: int(line["covered"]) for line in lines if line["by"] == "all"}
        assert covered == {row["algorithm"]: row["all"]["covered"] for row in answer["rows"]}
        page = client.get(address(collection, "")).content.decode()
        assert answer["sentence"] in page
        submission = Submission.objects.get(algorithm__name="Good")
        assert reverse("why", args=[submission.pk, "mercury"]) + "?gold=1" in page
        assert client.get(address(collection, "-svg")).content.startswith(b"<svg xmlns")
        assert r"\toprule" in client.get(address(collection, "-tex")).content.decode()

    def test_many_queries_have_pages(
        self, visit: Visit, owner: User, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("evaluation.views.topic_coverage.TABLE_QUERIES", 1)
        first = visit(owner).get(address(collection, "")).content.decode()
        second = visit(owner).get(address(collection, ""), {"page": "2"}).content.decode()
        links = [reverse("query", args=[collection.slug, key]) for key in ("mercury", "saturn")]
        assert [f'href="{link}"' in first for link in links] == [True, False]
        assert [f'href="{link}"' in second for link in links] == [False, True]
        assert [text in first for text in ('rel="next"', 'rel="prev"')] == [True, False]
        assert [text in second for text in ('rel="next"', 'rel="prev"')] == [False, True]

    def test_one_run_at_a_time_where_there_is_no_room_for_more(self, owner: User, collection: Collection) -> None:
        def keep(rows: dict[str, Any]) -> None:
            Standing.objects.bulk_create([Standing(key=key, content=content) for key, content in rows.items()])

        found = topic_coverage.find_topics(collection, owner, Choice(), keep=keep, at_once=1)
        assert (len(found.rows), found.pending) == (1, 1)
        again = topic_coverage.find_topics(collection, owner, Choice(), keep=keep, at_once=1)
        assert (len(again.rows), again.pending) == (2, 0)
        assert Standing.objects.count() == 2

    def test_pending_answers_ask_to_come_again(
        self, visit: Visit, owner: User, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            topic_coverage.find_topics, "__kwdefaults__", {"keep": lambda rows: None, "at_once": 1, "wait": True}
        )
        for kind in ("-json", "-csv", "-tex", "-svg"):
            answer = visit(owner).get(address(collection, kind))
            assert (answer.status_code, answer["Retry-After"]) == (202, "1"), kind
            Standing.objects.all().delete()

    def test_a_page_of_many_comes_first_and_goes_on_by_itself(
        self, visit: Visit, owner: User, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client = visit(owner)
        assert "still to look at" not in client.get(address(collection, "")).content.decode()
        Standing.objects.all().delete()
        monkeypatch.setitem(topic_coverage.find_topics.__kwdefaults__, "at_once", 3)
        with monkeypatch.context() as without:
            without.delattr(topic_coverage, "_topics")  # the page must not look at any
            page = client.get(address(collection, "")).content.decode()
        assert "2 algorithms still to look at" in page
        assert "Nothing to look at" not in page
        for left in (1, 0):
            (follows,) = re.findall(r'hx-get="([^"]+)" hx-trigger="load delay', page)
            page = client.get(html.unescape(follows)).content.decode()
            assert (f"{left} algorithm still to look at" in page) == bool(left)
        assert "hx-trigger" not in page.partition('id="found"')[2]

    def test_too_many_algorithms_are_refused(self, visit: Visit, owner: User, collection: Collection) -> None:
        first = Submission.objects.get(algorithm__name="Good").algorithm_id
        ids = ",".join(str(first) for _ in range(TOPIC_ALGORITHMS + 1))
        assert visit(owner).get(address(collection), {"algorithms": ids}).status_code == 400

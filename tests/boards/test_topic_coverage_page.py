"""Topic coverage over HTTP: fates found by hand, and one computation per submission."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.boards.topic_coverage import selectors as topic_coverage
from evaluation.limits import TOPIC_ALGORITHMS
from evaluation.models import Submission
from evaluation.scoring.options import BoardOptions
from tests.fixtures.pages import Visit
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers
from work.answer_worker import SOURCE
from work.models import StoredAnswer
from work.sources import INTERACTIVE

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
    def test_fates_equal_those_found_by_hand(self, visit: Visit, owner: User, collection: Collection) -> None:
        """Compare with the clusters of Good.

        On mercury, Planet (p1 p2 p3) and Outboards (p4 p5) are whole. A cluster of 3 has 2 of the 3 Spare parts.
        Engines (p3 to p7) are in two clusters about them: p4 p5 and p6 p7 p8. On saturn, Rings are whole, and half of
        Cars.
        """
        found = row_of(visit(owner).get(address(collection)).json(), "Good")
        names = ("topics", "covered", "merged", "split", "missed")
        assert [found["all"][name] for name in names] == [6, 5, 0, 1, 0]
        assert [(each["name"], each["covered"], each["topics"]) for each in found["depths"]] == [
            ("level 1", 3, 4),
            ("level 2", 2, 2),
        ]
        assert [(each["name"], each["topics"]) for each in found["queries"]] == [("mercury", 4), ("saturn", 2)]
        assert [each["topics"] for each in found["sizes"]] == [3, 3, 0, 0, 0]

    def test_topics_of_a_query_without_clustering_are_missed(
        self, visit: Visit, owner: User, collection: Collection
    ) -> None:
        saturn = row_of(visit(owner).get(address(collection)).json(), "Poor")["queries"][1]
        assert (saturn["missed"], saturn["topics"], saturn["coverage"]) == (2, 2, 0.0)

    def test_page_files_and_api_agree(self, visit: Visit, owner: User, collection: Collection) -> None:
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

    def test_many_queries_are_paginated(
        self, visit: Visit, owner: User, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("evaluation.boards.topic_coverage.views.TABLE_QUERIES", 1)
        first = visit(owner).get(address(collection, "")).content.decode()
        second = visit(owner).get(address(collection, ""), {"page": "2"}).content.decode()
        links = [reverse("query", args=[collection.slug, key]) for key in ("mercury", "saturn")]
        assert [f'href="{link}"' in first for link in links] == [True, False]
        assert [f'href="{link}"' in second for link in links] == [False, True]
        assert [text in first for text in ('rel="next"', 'rel="prev"')] == [True, False]
        assert [text in second for text in ('rel="next"', 'rel="prev"')] == [False, True]

    def test_workers_compute_each_algorithm_once(
        self, visit: Visit, owner: User, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The page shows the finished algorithms and polls; files and the API respond with 202 and Retry-After."""
        client = visit(owner)
        expected = client.get(address(collection)).json()
        StoredAnswer.objects.all().delete()
        leave_all_to_workers(monkeypatch)
        for kind in ("-json", "-csv", "-tex", "-svg"):
            answer = client.get(address(collection, kind))
            assert (answer.status_code, "Retry-After" in answer) == (202, True), kind
        assert client.get(reverse("api:topic-coverage", args=[collection.slug])).status_code == 202
        page = client.get(address(collection, "")).content.decode()
        assert 'hx-target="#found"' in page
        assert "Nothing to show" not in page
        compute_waiting_answers()  # the means, which decide which algorithms are the best
        client.get(address(collection, ""))
        one = SOURCE.claim("worker", INTERACTIVE)
        assert one is not None
        one.run()
        page = client.get(address(collection, "")).content.decode()
        assert (page.count("in-words"), page.count('hx-target="#found"')) == (2, 1)
        compute_waiting_answers()
        assert "hx-target" not in client.get(address(collection, "")).content.decode().partition('id="found"')[2]
        assert client.get(address(collection)).json() == expected
        assert compute_waiting_answers() == 0

    def test_new_submission_keeps_stored_results_of_others(
        self,
        owner: User,
        collection: Collection,
        submit: Callable[..., object],
        finish: Callable[..., None],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        looked: list[int] = []
        counts = topic_coverage._counts

        def counted(by_query: Any, entries: Any) -> topic_coverage.TopicCounts:
            looked.append(len(by_query))
            return counts(by_query, entries)

        StoredAnswer.objects.all().delete()
        monkeypatch.setattr("evaluation.boards.warming.PAGES", ())
        monkeypatch.setattr(topic_coverage, "_counts", counted)
        monkeypatch.setattr("work.answers.STORED_FROM_SHARE", 0.0)
        topic_coverage.find_topics(collection, owner, BoardOptions())
        submit(owner, "Third", POOR)
        finish()
        found = topic_coverage.find_topics(collection, owner, BoardOptions())
        assert (len(found.rows), looked) == (3, [2, 1, 1])

    def test_too_many_algorithms_are_rejected(self, visit: Visit, owner: User, collection: Collection) -> None:
        first = Submission.objects.get(algorithm__name="Good").algorithm_id
        ids = ",".join(str(first) for _ in range(TOPIC_ALGORITHMS + 1))
        assert visit(owner).get(address(collection), {"algorithms": ids}).status_code == 400

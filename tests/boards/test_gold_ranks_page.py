"""Ranks before and after a gold version, over HTTP: the numbers of both leaderboards."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.gold.services import publish_and_reevaluate
from qc4.model.gold_document import Topic
from tests.fixtures.pages import Visit
from tests.samples.documents import GOOD_ANSWER, saturn
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers
from work import answers
from work.models import StoredAnswer

OTHER = {"mercury": GOOD_ANSWER["mercury"], "saturn": (("p1", "p3"), ("p2", "p4"))}


def address(collection: Collection, kind: str = "-json", number: int = 2) -> str:
    return reverse(f"gold-ranks{kind}", args=[collection.slug, number])


@pytest.fixture
def turned(owner: User, collection: Collection, submit: Callable[..., object], finish: Callable[..., None]) -> None:
    """Good clusters saturn as the first gold version does, Other as the second."""
    submit(owner, "Good", {**GOOD_ANSWER, "saturn": (("p1", "p2"), ("p3", "p4"))})
    submit(owner, "Other", OTHER)
    finish()
    topics = (Topic("x", "X", pages=("p1", "p3")), Topic("y", "Y", pages=("p2", "p4")))
    publish_and_reevaluate(collection=collection, documents=[replace(saturn(), topics=topics)], user=owner)
    submit(owner, "Late", OTHER)
    finish()


@pytest.mark.usefixtures("turned")
class TestGoldRanks:
    def test_numbers_are_those_of_the_leaderboard(self, visit: Visit, owner: User, collection: Collection) -> None:
        """Late has no scores against the first version, so neither ranking has it."""
        client = visit(owner)
        answer = client.get(address(collection)).json()
        ids = ",".join(str(row["id"]) for row in answer["rows"])
        for side, number in (("before", 1), ("after", 2)):
            board = client.get(
                reverse("leaderboard-json", args=[collection.slug]),
                {"gold": number, "algorithms": ids, "family": "shown"},
            ).json()
            means = {row["algorithm"]: row["scores"]["qc4_f"]["value"] for row in board["rows"]}
            ranks = {row["algorithm"]: row["rank"] for row in board["rows"]}
            assert {row["algorithm"]: row[side]["value"] for row in answer["rows"]} == means
            assert {row["algorithm"]: row[side]["rank"] for row in answer["rows"]} == ranks
        assert [row["algorithm"] for row in answer["rows"]] == ["Other", "Good"]

    def test_page_shows_rank_changes_and_changed_queries(
        self, visit: Visit, owner: User, collection: Collection
    ) -> None:
        answer = visit(owner).get(address(collection)).json()
        assert answer["sentence"] == (
            "2 of 2 algorithms change rank by QC4-F from gold v1 to v2; Good led, Other leads."
        )
        assert (answer["changed"], answer["added"], answer["dropped"]) == (["saturn"], [], [])
        assert [row["difference"] > 0 for row in answer["rows"]] == [True, False]

    def test_page_files_and_api_agree(self, visit: Visit, owner: User, collection: Collection) -> None:
        client = visit(owner)
        answer = client.get(address(collection)).json()
        assert client.get(reverse("api:gold-ranks", args=[collection.slug, 2])).json() == answer
        lines = csv.DictReader(io.StringIO(client.get(address(collection, "-csv")).content.decode()))
        assert [float(line["difference"]) for line in lines] == [row["difference"] for row in answer["rows"]]
        page = client.get(address(collection, "")).content.decode()
        assert answer["sentence"] in page
        ranks = [str(row[side]["rank"]) for row in answer["rows"] for side in ("before", "after")]
        assert re.findall(r'<td class="num nowrap">(\d+)', page) == ranks
        assert client.get(address(collection, "-svg")).content.startswith(b"<svg xmlns")
        assert r"\toprule" in client.get(address(collection, "-tex")).content.decode()
        changes = client.get(reverse("gold-changes", args=[collection.slug, 2])).content.decode()
        assert address(collection, "") in changes

    def test_means_come_first_and_ranks_from_a_worker(
        self, visit: Visit, owner: User, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client = visit(owner)
        expected = client.get(address(collection)).json()
        StoredAnswer.objects.all().delete()
        with monkeypatch.context() as ranks_alone:
            ranks_alone.setattr(answers, "spend_request_budget", lambda share: share < 1e-4)
            page = client.get(address(collection, "")).content.decode()
            assert 'hx-target="#found"' in page
            assert "The tests of all pairs are still being computed" in page
            assert expected["changed"][0] in page
        leave_all_to_workers(monkeypatch)
        for kind in ("-json", "-csv", "-tex", "-svg"):
            answer = client.get(address(collection, kind))
            assert (answer.status_code, "Retry-After" in answer) == (202, True), kind
        assert client.get(reverse("api:gold-ranks", args=[collection.slug, 2])).status_code == 202
        compute_waiting_answers()
        page = client.get(address(collection, "")).content.decode()
        assert "hx-target" not in page.partition('id="found"')[2]
        assert client.get(address(collection)).json() == expected

    def test_first_version_has_no_earlier_ranks(self, visit: Visit, owner: User, collection: Collection) -> None:
        answer: dict[str, Any] = visit(owner).get(address(collection, number=1)).json()
        assert (answer["before"], answer["rows"]) == (None, [])
        assert "first gold version" in visit(owner).get(address(collection, "", 1)).content.decode()

    def test_unknown_version_is_rejected(self, visit: Visit, owner: User, collection: Collection) -> None:
        assert visit(owner).get(address(collection), {"before": 9}).status_code == 400
        assert visit(owner).get(address(collection), {"before": "x"}).status_code == 404
        api = reverse("api:gold-ranks", args=[collection.slug, 2])
        assert visit(owner).get(api, {"before": 0}).status_code == 400

"""Would the winner change, over HTTP: the engine's numbers, without drafts that the person may not see."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.collections.selectors import page_list_document
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.drafts.state_machine import from_document
from annotations.models import Collection, Draft
from evaluation.gold.services import publish_and_reevaluate
from evaluation.models import Submission
from evaluation.runs.services import enqueue_evaluation
from evaluation.scoring import cases
from qc4.model.gold_document import Topic
from qc4.model.policies import Policies
from qc4.model.rules import prepare
from qc4.scoring.scoring import score
from tests.fixtures.pages import Visit
from tests.samples.documents import GOOD_ANSWER, saturn
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers
from tests.trigger_bypass import unguarded
from work.models import StoredAnswer

POOR = {"mercury": (("p1", "p4", "p7"), ("p2", "p5", "p8")), "saturn": (("p1", "p3"),)}
FEW = {"draws": "200"}


def address(collection: Collection, kind: str = "-json") -> str:
    return reverse(f"robustness{kind}", args=[collection.slug])


def rows_of(answer: dict[str, Any], kind: str) -> dict[str, Any]:
    return {row["name"]: row for row in answer["result"]["rows"] if row["kind"] == kind}


@pytest.fixture
def two(owner: User, submit: Callable[..., object], finish: Callable[..., None]) -> None:
    submit(owner, "Good")
    submit(owner, "Poor", POOR)
    finish()


@pytest.fixture
def draft(curator: User, collection: Collection) -> Draft:
    """The curator's draft of saturn, with pages 1 and 3 in one topic and 2 and 4 in another, like Poor's clusters."""
    query = collection.queries.get(key="saturn")
    topics = (Topic("x", "X", pages=("p1", "p3")), Topic("y", "Y", pages=("p2", "p4")))
    state = from_document(replace(page_list_document(query), topics=topics))
    return drafts.start(
        query=query,
        user=curator,
        kind=Draft.Kind.OWN,
        state=state,
        started_from={"from": "nothing", "words": "nothing"},
    )


@pytest.mark.usefixtures("two")
class TestRobustness:
    def test_page_files_and_api_agree(self, visit: Visit, owner: User, collection: Collection) -> None:
        client = visit(owner)
        answer = client.get(address(collection), FEW).json()
        assert client.get(reverse("api:robustness", args=[collection.slug]), FEW).json() == answer
        assert (answer["result"]["a"], answer["result"]["b"]) == ("Good", "Poor")
        lines = list(csv.DictReader(io.StringIO(client.get(address(collection, "-csv"), FEW).content.decode())))
        shown = [answer["result"]["reference"], *answer["result"]["rows"]]
        assert [float(line["difference"]) for line in lines[: len(shown)]] == [row["difference"] for row in shown]
        page = client.get(address(collection, ""), FEW).content.decode()
        assert {page.count(f"<bdi>{sentence}</bdi>") for sentence in answer["sentences"]} == {1}
        assert answer["sentences"][0].startswith("Good is ahead of Poor by ")
        assert page.split('id="in-words"')[1].split("</section>")[0].count("stays ahead") == 1
        assert client.get(address(collection, "-svg"), FEW).content.startswith(b"<svg xmlns")
        assert r"\toprule" in client.get(address(collection, "-tex"), FEW).content.decode()

    def test_every_measure_of_the_group_has_a_table(self, visit: Visit, owner: User, collection: Collection) -> None:
        answer = visit(owner).get(address(collection), FEW).json()
        assert len(rows_of(answer, "measure")) == 7
        assert {row["kind"] for row in answer["result"]["rows"]} == {"measure"}
        (follower,) = answer["followers"]
        agreeing = [row["agrees"] for row in answer["result"]["rows"]].count(True) + 1
        assert (follower["algorithm"], follower["agreeing"], follower["asked"]) == ("Poor", agreeing, 8)

    def test_levels_scoring_options_and_gold_versions_with_scores_have_tables(
        self, visit: Visit, owner: User, collection: Collection, finish: Callable[..., None]
    ) -> None:
        first = collection.gold_versions.get(number=1)
        topics = (Topic("x", "X", pages=("p1", "p3")), Topic("y", "Y", pages=("p2", "p4")))
        documents = [replace(saturn(), topics=topics)]
        publish_and_reevaluate(collection=collection, documents=documents, user=owner)
        for submission in Submission.objects.all():
            enqueue_evaluation(
                submission=submission, gold_version=first, user=owner, policies=Policies(overlap="first")
            )
        finish()
        choice = FEW | {"sort": "ari", "gold": "1", "missing": "skip"}
        answer = visit(owner).get(address(collection), choice).json()
        kinds = {row["kind"] for row in answer["result"]["rows"]}
        assert {"measure", "policy", "gold version"} <= kinds
        assert list(rows_of(answer, "policy")) == ["overlap first"]
        assert list(rows_of(answer, "gold version")) == ["v2"]
        assert rows_of(answer, "policy")["overlap first"]["queries"] == 2

    def test_chosen_pair_has_no_followers_and_other_counts_are_rejected(
        self, visit: Visit, owner: User, collection: Collection
    ) -> None:
        ids = dict(Submission.objects.values_list("algorithm__name", "algorithm"))
        both = {"algorithms": f"{ids['Poor']},{ids['Good']}"}
        answer = visit(owner).get(address(collection), FEW | both).json()
        assert (answer["result"]["a"], answer["followers"]) == ("Good", [])
        assert visit(owner).get(address(collection), {"algorithms": f"{ids['Good']}"}).status_code == 400

    def test_drafts_have_tables_for_people_who_can_see_them(
        self,
        visit: Visit,
        owner: User,
        reader: User,
        curator: User,
        adjudicator: User,
        collection: Collection,
        draft: Draft,
    ) -> None:
        """Only the curator sees an open draft, all curators see a submitted one, and a reader sees neither."""

        def names(user: User) -> list[str]:
            return list(rows_of(visit(user).get(address(collection), FEW).json(), "drafts as gold"))

        assert [names(user) for user in (curator, owner, adjudicator, reader)] == [["curator"], [], [], []]
        drafts.submit(draft)
        assert [names(user) for user in (curator, owner, adjudicator, reader)] == [["curator"]] * 3 + [[]]
        drafts.from_nothing(query=draft.query, user=owner, kind=Draft.Kind.OWN)
        assert names(owner) == [], "a curator who works independently on the same query sees no drafts"

    def test_scores_against_a_draft_equal_the_engines(
        self, visit: Visit, curator: User, collection: Collection, draft: Draft
    ) -> None:
        query = draft.query
        topics = (Topic("x", "X", pages=("p1", "p3")), Topic("y", "Y", pages=("p2", "p4")))
        gold = prepare(replace(page_list_document(query), topics=topics))
        good, poor = (
            score(gold, cases.clustering(query.clusterings.get(submission__algorithm__name=name)), ["qc4_f"]).value(
                "qc4_f"
            )
            for name in ("Good", "Poor")
        )
        row = rows_of(visit(curator).get(address(collection), FEW).json(), "drafts as gold")["curator"]
        assert row["difference"] == pytest.approx(good - poor)
        assert (row["queries"], row["leader"]) == (1, "Poor")

    def test_worker_computes_once_for_people_who_see_the_same(
        self,
        visit: Visit,
        owner: User,
        curator: User,
        reader: User,
        collection: Collection,
        draft: Draft,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """There is one answer with the open draft for its curator, and one without it for everyone else."""
        expected = {user: visit(user).get(address(collection), FEW).json() for user in (curator, reader)}
        StoredAnswer.objects.all().delete()
        leave_all_to_workers(monkeypatch)
        for user in (curator, reader, owner):
            shown = visit(user).get(address(collection, ""), FEW)
            assert 'hx-target="#found"' in shown.content.decode()
            for kind in ("-json", "-csv", "-tex", "-svg"):
                answer = visit(user).get(address(collection, kind), FEW)
                assert (answer.status_code, "Retry-After" in answer) == (202, True)
            assert visit(user).get(reverse("api:robustness", args=[collection.slug]), FEW).status_code == 202
        assert compute_waiting_answers() == 2
        assert {user: visit(user).get(address(collection), FEW).json() for user in expected} == expected
        assert visit(owner).get(address(collection), FEW).json() == expected[reader]
        page = visit(curator).get(address(collection, ""), FEW).content.decode()
        assert "hx-target" not in page.partition('id="found"')[2]
        assert compute_waiting_answers() == 0

    def test_changed_draft_is_scored_again(
        self, visit: Visit, curator: User, collection: Collection, draft: Draft, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The queued answer for the earlier revision is dropped, and nothing is stored for it."""
        StoredAnswer.objects.all().delete()
        leave_all_to_workers(monkeypatch)
        assert visit(curator).get(address(collection), FEW).status_code == 202
        perform(draft, curator, DraftRequest(uuid4(), draft.revision, [{"kind": "flag", "pages": ["p4"]}]))
        compute_waiting_answers()
        assert visit(curator).get(address(collection), FEW).status_code == 202
        compute_waiting_answers()
        assert visit(curator).get(address(collection), FEW).status_code == 200
        assert StoredAnswer.objects.filter(name="robustness").count() == 1

    def test_repeats_are_averaged_against_drafts(
        self,
        visit: Visit,
        owner: User,
        curator: User,
        collection: Collection,
        draft: Draft,
        submit: Callable[..., object],
        finish: Callable[..., None],
    ) -> None:
        def difference() -> float:
            answer = visit(curator).get(address(collection), FEW).json()
            found: float = rows_of(answer, "drafts as gold")["curator"]["difference"]
            return found if answer["result"]["a"] == "Good" else -found

        of_one = difference()
        with unguarded(Submission):
            Submission.objects.filter(algorithm__name="Poor").update(repeat="1")
        submit(owner, "Poor", GOOD_ANSWER)
        with unguarded(Submission):
            Submission.objects.filter(algorithm__name="Poor", repeat="").update(repeat="2")
        finish()
        assert of_one != 0
        assert difference() == pytest.approx(of_one / 2), "the second repeat is as good as Good"

    def test_incomplete_draft_is_excluded_and_reported(
        self, visit: Visit, curator: User, collection: Collection
    ) -> None:
        query = collection.queries.get(key="saturn")
        drafts.from_nothing(query=query, user=curator, kind=Draft.Kind.OWN)
        answer = visit(curator).get(address(collection), FEW).json()
        assert (answer["drafts_left_out"], rows_of(answer, "drafts as gold")) == (1, {})

    def test_measure_undefined_for_one_algorithm_is_reported(
        self, visit: Visit, owner: User, collection: Collection
    ) -> None:
        page = visit(owner).get(address(collection, ""), {"sort": "silhouette"})
        assert page.status_code == 200
        assert "Nothing to compare" in page.content.decode()

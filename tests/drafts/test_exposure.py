"""Exposure to others' work on a query before finishing one's own is recorded and reported with agreement.

Ana has submitted her draft. Ben, who is not assigned, may open it: that is remembered once, whatever he opens later.
What he begins or changes afterwards counts as dependent: on the page of the agreement, in its files, over the API and
in the figures of the team. What was finished before stays independent.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Collection, Draft, DraftPublication, Membership, OthersSeen, Query, Role
from evaluation.account_data.services import delete_account
from evaluation.drafts.services import publish_draft
from tests.profiles import thorough
from tests.samples.drafts import ANA, BEN, draft_of
from tests.stored_answers import leave_all_to_workers
from tests.whole_site.test_permissions import LINES, OF_THE_SITE, World, ask, build_world

MARK = "zyxo"
"""A marker in the name of a topic, which is in every response that shows the contents of the draft."""
OF_GOLD = "Outboards"
"""A topic of the gold standard of the permission tests."""
SEEN = "annotations_othersseen"
WARNING = "If you look at another person’s draft, an agreement or an adjudication"


@pytest.fixture
def browsers(collection: Collection, person: Callable[[str], User]) -> dict[str, Client]:
    """Browsers of three signed-in curators and the owner."""
    found = {"owner": Client()}
    found["owner"].force_login(User.objects.get(username="owner"))
    for name in ("ana", "ben", "cleo"):
        Membership.objects.create(collection=collection, user=person(name), role=Role.CURATOR)
        found[name] = Client()
        found[name].force_login(User.objects.get(username=name))
    return found


@pytest.fixture
def query(collection: Collection) -> Query:
    return collection.queries.get(key="mercury")


def user(name: str) -> User:
    return User.objects.get(username=name)


def place(query: Query, more: str = "") -> str:
    return f"/c/{query.collection.slug}/q/{query.key}/{more}"


def api(query: Query, more: str) -> str:
    return f"/api/v1/collections/{query.collection.slug}/queries/{query.key}/{more}"


def agreement(browser: Client, query: Query, first: Draft, second: Draft) -> dict[str, Any]:
    found: dict[str, Any] = browser.get(api(query, "agreement"), {"first": first.pk, "second": second.pk}).json()
    return found


def sees(browser: Client, draft: Draft) -> None:
    assert browser.get(f"/drafts/{draft.pk}/").status_code == 200


def test_draft_started_after_exposure_is_dependent_everywhere(browsers: dict[str, Client], query: Query) -> None:
    ana = draft_of(user("ana"), query, ANA, "p8")
    sees(browsers["ben"], ana)
    ben = draft_of(user("ben"), query, BEN)
    said = "ben had seen ana’s draft before starting “ben”."
    pair = {"first": ana.pk, "second": ben.pk}

    page = browsers["owner"].get(place(query, "agreement/"), pair).content.decode()
    assert f"{said} This agreement is not independent." in page
    found = agreement(browsers["owner"], query, ana, ben)
    assert (found["independent"], found["dependence"]) == (
        False,
        [{"draft": ben.pk, "curator": "ben", "sentence": said}],
    )
    kept = browsers["owner"].get(place(query, "agreement.json"), pair).json()
    assert kept["dependence"] == found["dependence"]
    lines = csv.DictReader(io.StringIO(browsers["owner"].get(place(query, "agreement.csv"), pair).content.decode()))
    assert {line["dependence"] for line in lines} == {f"{said} This agreement is not independent."}
    listed = browsers["owner"].get(api(query, "drafts")).json()["results"]
    assert {row["name"]: row["dependence"] for row in listed} == {"ana": "", "ben": said}
    assert said in browsers["owner"].get(place(query, "drafts/")).content.decode()


def test_team_page_distinguishes_dependent_comparisons(browsers: dict[str, Client], query: Query) -> None:
    ana = draft_of(user("ana"), query, ANA, "p8")
    cleo = draft_of(user("cleo"), query, ANA, "p8")
    sees(browsers["ben"], ana)
    draft_of(user("ben"), query, BEN)
    slug = query.collection.slug
    found = browsers["owner"].get(f"/api/v1/collections/{slug}/team").json()["agreement"]
    assert (found["compared"], found["dependent"]) == (3, 2)
    why = "ben had seen ana’s draft before starting “ben”."
    assert {(line["first"], line["second"]): line["dependent"] for line in found["pairs"]} == {
        ("ana", "ben"): 1,
        ("ana", "cleo"): 0,
        ("ben", "cleo"): 1,
    }
    listed = browsers["owner"].get(f"/api/v1/collections/{slug}/team/dependent").json()["results"]
    pairs = [("ana", "ben"), ("ben", "cleo")]
    assert listed == [{"query": "mercury", "first": first, "second": second, "why": why} for first, second in pairs]
    means = [{mean["figure"]: mean["value"] for mean in found[name]} for name in ("overall", "independent")]
    assert means[0]["bcubed_f"] < means[1]["bcubed_f"] == 1, cleo.pk
    page = browsers["owner"].get(f"/c/{slug}/curate/team/").content.decode()
    assert "1 dependent" in page
    assert "2 of 3" in page
    assert why not in page, "they are listed on request"
    assert why in browsers["owner"].get(f"/c/{slug}/curate/team/?dependent=").content.decode()
    assert "independent comparisons alone" in page


def test_dependent_comparisons_are_paginated(
    browsers: dict[str, Client], query: Query, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = draft_of(user("ana"), query, ANA, "p8")
    for name in ("ben", "cleo"):
        sees(browsers[name], ana)
        draft_of(user(name), query, BEN)
    slug, owner = query.collection.slug, browsers["owner"]
    api_of_team = f"/api/v1/collections/{slug}/team"
    assert owner.get(api_of_team).json()["agreement"]["dependent"] == 3
    address: str | None = f"{api_of_team}/dependent?page_size=1"
    listed = []
    while address:
        answer = owner.get(address).json()
        listed += [(row["first"], row["second"]) for row in answer["results"]]
        address = answer["next"]
    assert listed == [("ana", "ben"), ("ana", "cleo"), ("ben", "cleo")]

    monkeypatch.setattr("annotations.team.views.DEPENDENT_ROWS", 2)
    first, last = (owner.get(f"/c/{slug}/curate/team/?dependent={at}") for at in ("1", "2"))
    assert [[pair.second.username for pair in page.context["dependents"]] for page in (first, last)] == [
        ["ben", "cleo"],
        ["cleo"],
    ]
    assert "First" in last.content.decode()
    assert owner.get(f"/c/{slug}/curate/team/?dependent=nowhere").context["dependents_page"].number == 1

    onwards = owner.get(f"{api_of_team}/dependent?page_size=1").json()["next"]
    drafts.archive(ana)
    for left in (f"{api_of_team}/dependent", onwards):
        results = owner.get(left).json()["results"]
        assert [(row["first"], row["second"]) for row in results] == [("ben", "cleo")], "also after a deletion"


def test_independent_annotators_see_no_comparisons(browsers: dict[str, Client], query: Query) -> None:
    ana = draft_of(user("ana"), query, ANA, "p8")
    sees(browsers["ben"], ana)
    draft_of(user("ben"), query, BEN)
    draft_of(user("cleo"), query, ANA, "p8", submitted=False)
    slug = query.collection.slug
    places = f"/api/v1/collections/{slug}/team/dependent", f"/c/{slug}/curate/team/?dependent="
    browsers["owner"].get(f"/c/{slug}/curate/team/")
    said = "ben had seen ana’s draft before starting “ben”."
    for name, is_told in (("owner", True), ("ana", True), ("cleo", False)):
        answers = [browsers[name].get(place).content.decode() for place in places]
        assert [said in answer for answer in answers] == [is_told, is_told], name


def test_list_is_shown_while_drafts_are_compared(
    browsers: dict[str, Client], query: Query, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = draft_of(user("ana"), query, ANA, "p8")
    sees(browsers["ben"], ana)
    draft_of(user("ben"), query, BEN)
    leave_all_to_workers(monkeypatch)
    address = f"/c/{query.collection.slug}/curate/team/"
    page = browsers["owner"].get(f"{address}?dependent=1").content.decode()
    assert "being compared" in page
    assert f'hx-get="{address}?dependent=1"' in page
    assert "ben had seen ana’s draft before starting “ben”." in page


def test_draft_finished_before_exposure_stays_independent(browsers: dict[str, Client], query: Query) -> None:
    ana, ben = draft_of(user("ana"), query, ANA, "p8"), draft_of(user("ben"), query, BEN)
    sees(browsers["ben"], ana)
    found = agreement(browsers["ben"], query, ana, ben)
    assert (found["independent"], found["dependence"]) == (True, [])
    assert "no independent agreement" not in browsers["ben"].get(place(query, "agreement/")).content.decode()
    drafts.reopen(ben, user("owner"))
    perform(ben, user("ben"), DraftRequest(uuid4(), ben.revision, [{"kind": "flag", "pages": ["p1"]}]))
    drafts.submit(ben)
    found = agreement(browsers["owner"], query, ana, ben)
    assert [each["sentence"] for each in found["dependence"]] == [
        "ben had seen ana’s draft before the last change of “ben”."
    ]


def test_draft_from_others_draft_is_dependent_but_from_own_is_not(browsers: dict[str, Client], query: Query) -> None:
    ana = draft_of(user("ana"), query, ANA, "p8")
    own = draft_of(user("cleo"), query, ANA)
    for name, source in (("ben", ana), ("cleo", own)):
        body = {"kind": "own", "start": {"from": "draft", "draft": source.pk}}
        answer = browsers[name].post(api(query, "drafts"), body, content_type="application/json")
        assert answer.status_code == 201, answer.content
        drafts.submit(Draft.objects.get(pk=answer.json()["id"]))
    ben, cleo = (Draft.objects.filter(curator=user(name)).latest("pk") for name in ("ben", "cleo"))
    assert [each["sentence"] for each in agreement(browsers["owner"], query, ben, cleo)["dependence"]] == [
        "ben started “ben” from ana’s draft."
    ]


def test_form_marks_draft_from_others_draft_as_dependent(browsers: dict[str, Client], query: Query) -> None:
    ana = draft_of(user("ana"), query, ANA, "p8")
    chosen = {"source": "draft", "draft": ana.pk, "kind": "shared", "name": ""}
    assert browsers["ben"].post(place(query, "drafts/"), chosen).status_code == 302
    assert OthersSeen.objects.get().user == user("ben"), "also if the new draft is shared"


def test_exposure_is_recorded_once_and_then_takes_at_most_one_query(browsers: dict[str, Client], query: Query) -> None:
    ana, cleo = draft_of(user("ana"), query, ANA, "p8"), draft_of(user("cleo"), query, ANA)
    sees(browsers["ben"], ana)
    first = OthersSeen.objects.get()
    assert (first.user, first.query, first.what, first.draft) == (user("ben"), query, "draft", ana)
    with CaptureQueriesContext(connection) as asked:
        sees(browsers["ben"], cleo)
        agreement(browsers["ben"], query, ana, cleo)
    # The exposure is read in the same query as the draft; the agreement needs one more query.
    told = [each["sql"] for each in asked if SEEN in each["sql"] and each["sql"].startswith("SELECT 1")]
    assert len(told) == 1
    assert not [each for each in asked if each["sql"].startswith("INSERT") and SEEN in each["sql"]]
    assert list(OthersSeen.objects.all()) == [first]


def test_own_and_empty_shared_drafts_cause_no_exposure(browsers: dict[str, Client], query: Query) -> None:
    own = draft_of(user("ben"), query, BEN)
    shared = drafts.from_nothing(query=query, user=user("ana"), kind="shared")
    perform(shared, user("ben"), DraftRequest(uuid4(), 0, [{"kind": "flag", "pages": ["p1"]}]))
    for draft in (own, shared):
        sees(browsers["ben"], draft)
    assert not OthersSeen.objects.exists()
    perform(shared, user("ana"), DraftRequest(uuid4(), 1, [{"kind": "flag", "pages": ["p2"]}]))
    sees(browsers["ben"], shared)
    assert OthersSeen.objects.get().draft == shared


def test_gold_standard_from_drafts_counts_as_others_work(browsers: dict[str, Client], query: Query) -> None:
    browsers["ben"].get(place(query))
    assert not OthersSeen.objects.exists(), "this gold standard was imported"
    ana = draft_of(user("ana"), query, {"All": "p1 p2 p3 p4 p5 p6 p7"}, "p8")
    publish_draft(draft=ana, revision=ana.revision, user=user("owner"), note="")
    assert "counts as" in browsers["ben"].get(place(query)).content.decode()
    browsers["ana"].get(place(query))
    assert [(row.user.username, row.what) for row in OthersSeen.objects.all()] == [("ben", "gold")], (
        "it is ana's own work"
    )
    ben = draft_of(user("ben"), query, BEN)
    assert [each["sentence"] for each in agreement(browsers["owner"], query, ana, ben)["dependence"]] == [
        "ben had seen the published gold standard, which was made from drafts before starting “ben”."
    ]


def test_warning_before_losing_independence(browsers: dict[str, Client], query: Query) -> None:
    ana = draft_of(user("ana"), query, ANA, "p8")
    assert WARNING in browsers["ben"].get(place(query, "drafts/")).content.decode()
    assert WARNING not in browsers["ana"].get(place(query, "drafts/")).content.decode(), "her draft is submitted"
    drafts.begin(query=query, user=user("cleo"))
    assert WARNING not in browsers["cleo"].get(place(query, "drafts/")).content.decode(), (
        "others' drafts are closed to her"
    )
    assert not OthersSeen.objects.exists(), "lists cause no exposure"
    sees(browsers["ben"], ana)
    page = browsers["ben"].get(place(query, "drafts/")).content.decode()
    assert WARNING not in page
    assert "You have seen <bdi>ana’s draft</bdi>" in page
    assert browsers["ben"].post(place(query, "drafts/start/")).status_code == 302, "starting is still allowed"


def test_deleting_account_removes_exposure_but_keeps_dependence(browsers: dict[str, Client], query: Query) -> None:
    ana = draft_of(user("ana"), query, ANA, "p8")
    sees(browsers["ben"], ana)
    ben = draft_of(user("ben"), query, BEN)
    delete_account(user("ben"))
    assert not OthersSeen.objects.filter(user=ben.curator).exists()
    found = agreement(browsers["owner"], query, ana, ben)
    assert not found["independent"]
    assert "ben" not in found["dependence"][0]["sentence"].replace("“ben”", "")


@pytest.fixture
def world(db: None) -> World:
    """The curator's own draft, the shared one and the adjudication hold a marked topic; the first is submitted, and
    published as the gold standard."""
    world = build_world()
    marked = [{"kind": "add_topic", "topic": MARK, "name": MARK, "parent": None, "pages": ["p1"]}]
    for which, who in (("own", "curator"), ("shared", "curator"), ("adjudication", "owner")):
        draft = Draft.objects.get(pk=world.drafts[which])
        perform(draft, user(who), DraftRequest(uuid4(), draft.revision, marked))
        if which == "own":
            drafts.submit(draft)
            version, gold = world.collection.gold_versions.get(), draft.query.golds.get()
            DraftPublication.objects.create(draft=draft, revision=draft.revision, version=version, gold=gold)
    return world


@thorough("others' drafts at every address")
def test_every_url_that_shows_others_work_records_exposure(world: World) -> None:
    """A new URL is included as soon as it has its row in the permission table."""
    shown, unnoticed = set(), []
    for line in LINES:
        if line.method != "GET" or line.name in OF_THE_SITE or line.private["adjudicator"] >= 400:
            continue
        cache.clear()
        with CaptureQueriesContext(connection) as asked:
            answer = ask(world, "adjudicator", "GET", line.name, line.which)
        text = answer.getvalue().decode(errors="replace")
        if MARK in text or OF_GOLD in text:
            shown.add(line.name)
            if not any(SEEN in each["sql"] and each["sql"].startswith("INSERT") for each in asked):
                unnoticed.append(str(line))
    assert unnoticed == []
    assert {"draft", "api:draft", "api:draft-document", "adjudicate", "query", "api:gold", "why"} <= shown

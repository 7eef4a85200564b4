"""Team figures: incremental working times from logs without breaks, and agreement of pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from statistics import fmean
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from annotations.agreement.statistics import compare
from annotations.collections import services as collections
from annotations.drafts import services as drafts
from annotations.drafts.selectors.documents import documents_of
from annotations.drafts.services import performing
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.limits import COMPARED_TOPICS
from annotations.models import Collection, Draft, DraftEntry, DraftTime, Membership, Query, Role
from annotations.team import services as assignments
from annotations.team import services as timing
from annotations.team.selectors.agreement import team_agreement
from annotations.team.selectors.overview import Overview
from annotations.team.selectors.times import times_of
from tests.samples.drafts import draft_of
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers
from work.models import StoredAnswer

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.fixture
def team(collection: Collection, person: Callable[[str], User]) -> dict[str, User]:
    people = {name: person(name) for name in ("ana", "ben", "cleo")}
    for user in people.values():
        Membership.objects.create(collection=collection, user=user, role=Role.CURATOR)
    return people


@pytest.fixture
def mercury(collection: Collection) -> Query:
    return collection.queries.get(key="mercury")


def work(draft: Draft, user: User, seconds: Sequence[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Flag and unflag a page in turn, at the given seconds after noon."""
    for at in seconds:
        monkeypatch.setattr(performing.timezone, "now", lambda at=at: NOON + timedelta(seconds=at))
        flagged = {"kind": "flag" if draft.revision % 2 == 0 else "unflag", "pages": ["p1"]}
        perform(draft, user, DraftRequest(uuid4(), draft.revision, [flagged]))
    monkeypatch.undo()


def seconds_of(collection: Collection, person: User) -> dict[str, float]:
    return {time.curator.username: time.seconds for time in times_of(Overview(collection, person))}


def test_pauses_up_to_five_minutes_count_as_work(
    collection: Collection, mercury: Query, owner: User, team: dict[str, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = drafts.begin(query=mercury, user=team["ana"])[0]
    work(draft, team["ana"], [0, 20, 320, 621, 631], monkeypatch)
    assert timing.update_times(collection) == 0
    # 20 s, 300 s, a break of 301 s, 10 s
    assert seconds_of(collection, owner)["ana"] == 330
    work(draft, team["ana"], [641], monkeypatch)
    assert timing.update_times(collection) == 0
    assert seconds_of(collection, owner)["ana"] == 340
    DraftTime.objects.all().delete()
    timing.update_times(collection)
    assert seconds_of(collection, owner)["ana"] == 340, "counting again from the start gives the same"


def test_only_new_log_entries_are_read(
    collection: Collection, mercury: Query, team: dict[str, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = drafts.begin(query=mercury, user=team["ana"])[0]
    work(draft, team["ana"], range(0, 50, 10), monkeypatch)
    timing.update_times(collection)
    with CaptureQueriesContext(connection) as asked:
        assert timing.update_times(collection) == 0
    assert len(asked) == 1, "no log is read if there are no new entries"
    work(draft, team["ana"], [60], monkeypatch)
    read: list[int] = []
    counted = timing.times_after

    def counting(known: Any, entries: Any) -> Any:
        read.append(len(entries))
        return counted(known, entries)

    monkeypatch.setattr(timing, "times_after", counting)
    timing.update_times(collection)
    assert read == [1]


def test_many_log_entries_are_counted_in_parts(
    collection: Collection, mercury: Query, owner: User, team: dict[str, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ana", "ben"):
        work(drafts.begin(query=mercury, user=team[name])[0], team[name], [0, 5, 10], monkeypatch)
    monkeypatch.setattr(timing, "TIMED_ENTRIES", 4)
    assert timing.update_times(collection) == 1
    assert timing.update_times(collection) == 0
    assert {name: seconds_of(collection, owner)[name] for name in ("ana", "ben")} == {"ana": 10, "ben": 10}


def test_curators_see_own_time_and_organisers_all_times(
    collection: Collection,
    mercury: Query,
    owner: User,
    adjudicator: User,
    team: dict[str, User],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("ana", "ben"):
        work(drafts.begin(query=mercury, user=team[name])[0], team[name], [0, 30], monkeypatch)
    timing.update_times(collection)
    assert seconds_of(collection, team["ana"]) == {"ana": 30}, "curators see their own time"
    assert seconds_of(collection, adjudicator)["ben"] == 30
    assignments.assign([mercury], [adjudicator], user=owner)
    assert seconds_of(collection, adjudicator)["ben"] == 0, "the time would reveal his progress"


def test_turning_timing_off_deletes_times(
    collection: Collection, mercury: Query, owner: User, team: dict[str, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    work(drafts.begin(query=mercury, user=team["ana"])[0], team["ana"], [0, 30], monkeypatch)
    timing.update_times(collection)
    facts = {"name": collection.name, "description": "", "visibility": collection.visibility}
    collections.change_settings(collection, **facts, timing="off")
    assert not DraftTime.objects.exists()
    assert seconds_of(collection, owner) == {}
    collections.change_settings(collection, **facts)
    assert Collection.objects.get(pk=collection.pk).timing == "off", "omitted fields stay unchanged"
    assert DraftEntry.objects.count() == 2


# --- Agreement of pairs -----------------------------------------------------------------------------------------------


def test_means_equal_agreement_of_each_query(
    collection: Collection, mercury: Query, owner: User, team: dict[str, User]
) -> None:
    ana, ben, cleo = team.values()
    saturn = collection.queries.get(key="saturn")
    keys = [page.key for page in saturn.pages.order_by("position")]
    pairs = [
        (
            draft_of(ana, mercury, {"Planet": "p1 p2 p3", "Cars": "p4 p5 p6 p7"}, "p8"),
            draft_of(ben, mercury, {"Planet": "p1 p2", "Cars": "p3 p4 p5 p6 p7"}, "p8"),
        ),
        (
            draft_of(ana, saturn, {"Rings": " ".join(keys[:2]), "Rest": " ".join(keys[2:])}),
            draft_of(ben, saturn, {"Rings": keys[0], "Rest": " ".join(keys[1:])}),
        ),
    ]
    draft_of(cleo, mercury, {"Planet": "p1"}, submitted=False)
    found = team_agreement(Overview(collection, owner))
    (line,) = found.pairs
    assert (line.first, line.second, line.queries, found.queries, found.compared) == (ana, ben, 2, 2, 2)
    single = [compare(*documents_of(pair), ("a", "b"), groups=0) for pair in pairs]
    means = {mean.figure: mean for mean in line.means}
    kept = {"qc4_first": ("qc4_f", "first"), "qc4_second": ("qc4_f", "second"), "bcubed_f": ("bcubed_f", 1)}
    for key, (measure, where) in kept.items():
        values = [agreement.figure(measure, where).value for agreement in single]
        assert means[key].value == pytest.approx(fmean(values)), key
    kappa = means["outlier_kappa"]
    assert (kappa.value, kappa.n) == (1.0, 1)
    assert kappa.reasons == ("undefined 1 ×: neither marks an outlier, so agreement cannot be adjusted for chance")
    overall = {mean.figure: mean for mean in found.overall}
    assert overall["qc4"].value == pytest.approx(fmean(means[key].value for key in ("qc4_first", "qc4_second")))


def test_agreement_follows_current_drafts(
    collection: Collection, mercury: Query, owner: User, team: dict[str, User]
) -> None:
    def figures() -> list[object]:
        (line,) = team_agreement(Overview(collection, owner)).pairs
        return [mean.value for mean in line.means]

    ana, ben, cleo = team.values()
    mine = draft_of(ana, mercury, {"Planet": "p1 p2 p3 p4 p5 p6 p7 p8"})
    draft_of(ben, mercury, {"Planet": "p1 p2 p3 p4", "Cars": "p5 p6 p7 p8"})
    before = figures()
    drafts.reopen(mine)
    assert team_agreement(Overview(collection, owner)).queries == 0, "open drafts are not compared"
    perform(mine, ana, DraftRequest(uuid4(), mine.revision, [{"kind": "outlier", "pages": ["p8"]}]))
    drafts.submit(mine)
    assert figures() != before
    assignments.assign([mercury], [cleo], user=owner)
    assert team_agreement(Overview(collection, cleo)).queries == 0, "an annotator of the query sees no agreement"
    assert team_agreement(Overview(collection, ana)).queries == 1


def test_only_changed_queries_are_compared_again(
    collection: Collection, mercury: Query, owner: User, team: dict[str, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben, cleo = team.values()
    saturn = collection.queries.get(key="saturn")
    key = saturn.pages.order_by("position")[0].key
    for person in (ana, ben):
        draft_of(person, mercury, {"Planet": "p1 p2"})
        draft_of(person, saturn, {"Rings": key})
    leave_all_to_workers(monkeypatch)
    assert team_agreement(Overview(collection, owner)).compared == 2
    compared: list[object] = []

    def counting(*documents: Any, **options: Any) -> object:
        compared.append(documents[0].query_id)
        return compare(*documents, **options)

    monkeypatch.setattr("annotations.team.selectors.agreement.compare", counting)
    draft_of(cleo, saturn, {"Rings": key})
    assert team_agreement(Overview(collection, owner)).compared == 4
    assert compared == ["saturn"] * 3


def test_page_and_api_wait_for_worker(
    collection: Collection,
    mercury: Query,
    owner: User,
    team: dict[str, User],
    monkeypatch: pytest.MonkeyPatch,
    client: Client,
) -> None:
    ana, ben, _ = team.values()
    mine = draft_of(ana, mercury, {"Planet": "p1 p2"})
    draft_of(ben, mercury, {"Planet": "p1 p2"})
    leave_all_to_workers(monkeypatch)
    client.force_login(owner)
    page, api = (reverse(name, args=[collection.slug]) for name in ("team", "api:team"))
    for _ in range(2):
        shown = client.get(page)
        assert shown.status_code == 200
        assert "being compared" in shown.content.decode()
        answer = client.get(api)
        assert (answer.status_code, answer["Retry-After"]) == (202, "2")
    assert compute_waiting_answers() == 1
    assert "being compared" not in client.get(page).content.decode()
    assert client.get(api).json()["agreement"]["compared"] == 1
    drafts.reopen(mine)
    assert client.get(api).status_code == 202, "the outdated result is not shown again"
    assert compute_waiting_answers() == 1
    assert client.get(api).json()["agreement"]["pairs"] == []


def test_outdated_job_is_dropped(
    collection: Collection,
    mercury: Query,
    owner: User,
    team: dict[str, User],
    monkeypatch: pytest.MonkeyPatch,
    client: Client,
) -> None:
    ana, ben, _ = team.values()
    mine = draft_of(ana, mercury, {"Planet": "p1 p2"})
    draft_of(ben, mercury, {"Planet": "p1 p2"})
    leave_all_to_workers(monkeypatch)
    client.force_login(owner)
    client.get(reverse("team", args=[collection.slug]))
    assert StoredAnswer.objects.count() == 1
    drafts.reopen(mine)
    compute_waiting_answers()
    assert not StoredAnswer.objects.exists()


def test_reason_for_incomplete_hierarchy_has_no_numbers(
    collection: Collection, mercury: Query, owner: User, team: dict[str, User]
) -> None:
    draft_of(team["ana"], mercury, {"Planet": "p1 p2 p3"})
    draft_of(team["ben"], mercury, {"Planet": "p1 p2", "Cars": "p3"})
    (line,) = team_agreement(Overview(collection, owner)).pairs
    undefined = {mean.figure: mean.reasons for mean in line.means}["qc4_first"]
    assert undefined == "undefined 1 ×: a reference hierarchy must assign every page on every level"


def test_too_large_drafts_are_reported_without_reading_them(
    collection: Collection, mercury: Query, owner: User, team: dict[str, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ana", "ben"):
        draft_of(team[name], mercury, {"Planet": "p1 p2 p3", "Cars": "p4 p5 p6 p7"}, "p8")
    monkeypatch.setattr("annotations.agreement.selectors.COMPARED_TOPICS", replace(COMPARED_TOPICS, most=1))
    monkeypatch.setattr("annotations.team.selectors.agreement.compare", mock.Mock(side_effect=AssertionError))
    (line,) = team_agreement(Overview(collection, owner)).pairs
    assert {mean.value for mean in line.means} == {None}
    assert line.means[0].reasons == "undefined 1 ×: the drafts are too large to compare here"

"""The coordinator's pages: due dates, filters in the URL, pagination, waiting curators, and the start button."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.limits import OVERVIEW_ROWS
from annotations.models import Assignment, Collection, Draft, Membership, Query, Role
from annotations.team import services as assignments
from tests.fixtures.pages import Visit

NAMES = ("ana", "ben", "cleo", "dora", "eli")


@pytest.fixture
def team(page_list_collection: Collection, person: Callable[[str], User]) -> dict[str, User]:
    """Five curators of two queries without gold standards."""
    people = {name: person(name) for name in NAMES}
    for user in people.values():
        Membership.objects.create(collection=page_list_collection, user=user, role=Role.CURATOR)
    return people


@pytest.fixture
def queries(page_list_collection: Collection, team: dict[str, User]) -> dict[str, Query]:
    """Six queries: mercury, saturn and four more."""
    for n in range(2, 6):
        query = page_list_collection.queries.create(key=f"q{n}", text=f"what is {n}", position=n)
        query.pages.create(key="p1", position=1)
    return {query.key: query for query in page_list_collection.queries.all()}


def submitted(query: Query, user: User) -> Draft:
    draft = drafts.begin(query=query, user=user)[0]
    drafts.submit(draft)
    return draft


def address(collection: Collection, name: str = "curate", **choices: object) -> str:
    return reverse(name, args=[collection.slug]) + (f"?{urlencode(choices)}" if choices else "")


def listed_queries(page: str) -> list[str]:
    return re.findall(r'href="/c/[^/]+/q/([^/"]+)/"', page)


def test_url_filters_sorts_and_paginates_the_list(
    visit: Visit, page_list_collection: Collection, owner: User, team: dict[str, User], queries: dict[str, Query]
) -> None:
    today, browser = timezone.localdate(), visit(owner)

    def give(key: str, name: str, days: int) -> None:
        assignments.assign([queries[key]], [team[name]], user=owner, due=today + timedelta(days=days))

    give("mercury", "ana", -1)
    give("mercury", "ben", 2)
    give("saturn", "ana", 5)
    give("q2", "ben", 0)
    submitted(queries["mercury"], team["ben"])

    def keys(**choices: object) -> list[str]:
        return listed_queries(browser.get(address(page_list_collection, **choices)).content.decode())

    assert keys() == ["mercury", "saturn", "q2", "q3", "q4", "q5"]
    assert keys(q="WHAT is") == ["q2", "q3", "q4", "q5"]
    assert keys(q="is saturn") == []
    assert keys(curator="ana") == ["mercury", "saturn"]
    assert keys(curator="ben", show="submitted") == ["mercury"]
    assert keys(curator="ana", show="submitted") == []
    assert keys(curator="ana", show="not-begun") == ["mercury", "saturn"]
    assert keys(curator="ana", show="unassigned") == ["q2", "q3", "q4", "q5"]
    assert keys(show="overdue") == ["mercury"], "due today is not overdue"
    assert keys(show="overdue", curator="ben") == []
    assert keys(show="waited-for", curator="ana") == ["mercury"]
    assert keys(sort="due")[:3] == ["mercury", "q2", "saturn"]
    assert keys(sort="due", curator="ben") == ["q2", "mercury"], "submitted queries are not sorted by due date"
    assert keys(sort="changed")[0] == "mercury"
    for n in range(OVERVIEW_ROWS):
        page_list_collection.queries.create(key=f"more{n}", text="more", position=10 + n)
    assert len(keys(q="more")) == OVERVIEW_ROWS
    page_list_collection.queries.create(key="last", text="more of it", position=99)
    page = browser.get(address(page_list_collection, q="more")).content.decode()
    assert re.search(r'href="\?page=2&amp;q=more"\s+rel="next"', page)
    assert keys(q="more", page="2") == ["last"]


def test_overdue_queries_are_marked_until_submitted(
    visit: Visit, page_list_collection: Collection, owner: User, team: dict[str, User], queries: dict[str, Query]
) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    assignments.assign([queries["mercury"]], [team["ana"]], user=owner, due=yesterday, note="both planets")

    def page(name: str = "ana") -> str:
        return visit(team[name]).get(address(page_list_collection)).content.decode()

    assert f"due {yesterday}" in page()
    assert "both planets" in page()
    assert page().count('<span class="chip bad">overdue</span>') == 1
    assert re.search(r'show=overdue&amp;curator=ana">1<', page("ben")), "a curator's total links to the queries"
    submitted(queries["mercury"], team["ana"])
    assert '<span class="chip bad">overdue</span>' not in page()


def test_link_beside_assignment_changes_its_due_date(
    visit: Visit, page_list_collection: Collection, owner: User, team: dict[str, User], queries: dict[str, Query]
) -> None:
    friday = timezone.localdate() + timedelta(days=3)
    both = [team["ana"], team["ben"]]
    assignments.assign([queries["mercury"], queries["saturn"]], both, user=owner, due=friday, note="cars")
    browser = visit(owner)
    page = browser.get(address(page_list_collection)).content.decode()
    assert "tick=saturn&amp;for=ben#assign-title" in page
    page = browser.get(address(page_list_collection, tick="saturn", **{"for": "ben"})).content.decode()
    assert re.findall(r'name="query" value="(\w+)"[^>]* checked', page) == ["saturn"]
    assert re.findall(r'name="curator" value="(\w+)"[^>]* checked', page) == ["ben"]
    assert f'value="{friday}"' in page
    later = friday + timedelta(days=7)
    sent = {"query": ["saturn"], "curator": ["ben"], "due": str(later), "note": "", "change": ""}
    answer = browser.post(address(page_list_collection, "assign", q="sat"), sent, follow=True)
    assert "1 assignment changed." in answer.content.decode()
    assert answer.redirect_chain[-1][0].endswith("?q=sat"), "back to the same list"
    rows = Assignment.objects.filter(curator=team["ben"]).order_by("query__position")
    assert list(rows.values_list("due", "note")) == [(friday, "cars"), (later, "")]


def test_invalid_tick_parameters_are_ignored(visit: Visit, page_list_collection: Collection, owner: User) -> None:
    browser, what = visit(owner), {"tick": "sat\0urn", "for": "b\0en"}
    browser.get(address(page_list_collection))
    questions = []
    for given in ({}, what):
        with CaptureQueriesContext(connection) as asked:
            assert browser.get(address(page_list_collection, **given)).status_code == 200
        questions.append(len(asked))
    assert questions[0] == questions[1], "NUL must not reach PostgreSQL"


def test_listed_queries_are_assigned_evenly(
    visit: Visit, page_list_collection: Collection, owner: User, team: dict[str, User], queries: dict[str, Query]
) -> None:
    sent = {"which": "shown", "curator": ["ana", "ben"], "how": "1"}
    visit(owner).post(address(page_list_collection, "assign", q="what"), sent)
    given = Assignment.objects.values_list("query__key", "curator__username")
    assert set(given) == {("q2", "ana"), ("q3", "ben"), ("q4", "ana"), ("q5", "ben")}
    answer = visit(owner).post(address(page_list_collection, "assign", q="pluto"), sent)
    assert answer.status_code == 400
    assert "The list contains no queries." in answer.content.decode()


def test_page_lists_who_waits_for_whom(
    visit: Visit, page_list_collection: Collection, owner: User, team: dict[str, User], queries: dict[str, Query]
) -> None:
    ana, ben = team["ana"], team["ben"]
    assignments.assign(queries.values(), [ana, ben], user=owner)
    for key in ("mercury", "q3"):
        submitted(queries[key], ben)
    for key in ("q3", "saturn"):
        submitted(queries[key], ana)

    def waits(user: User) -> list[str]:
        page = visit(user).get(address(page_list_collection)).content.decode()
        found = re.search(r'<ul class="waits">(.*?)</ul>', page, re.DOTALL)
        assert found is not None
        return [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in found[1].split("</li>")[:-1]]

    assert waits(owner) == ["ben waits for ana on 1 query", "ana waits for ben on 1 query"]
    assert waits(ana) == ["ben waits for you on 1 query", "You wait for ben on 1 query"]


def test_rows_with_many_curators_are_collapsed(
    visit: Visit, page_list_collection: Collection, owner: User, team: dict[str, User], queries: dict[str, Query]
) -> None:
    late = timezone.localdate() - timedelta(days=1)
    assignments.assign([queries["mercury"]], team.values(), user=owner, due=late)
    submitted(queries["mercury"], team["ana"])
    drafts.begin(query=queries["mercury"], user=team["ben"])[0]
    page = " ".join(visit(owner).get(address(page_list_collection)).content.decode().split())
    assert '5 curators: 1 submitted, 1 open, <strong class="late">4 overdue</strong></summary>' in page


def test_start_button_starts_only_one_own_draft(
    visit: Visit, page_list_collection: Collection, team: dict[str, User], queries: dict[str, Query]
) -> None:
    start = reverse("draft-start", args=[page_list_collection.slug, "mercury"])
    browser = visit(team["ana"])
    page = browser.get(address(page_list_collection)).content.decode()
    assert f'<form method="post" action="{start}"' in page
    first = browser.post(start)
    (draft,) = Draft.objects.all()
    assert (draft.kind, draft.curator, draft.started_from["from"]) == ("own", team["ana"], "nothing")
    assert first["Location"] == browser.post(start)["Location"] == reverse("draft", args=[draft.pk])
    assert Draft.objects.count() == 1
    listing = reverse("drafts", args=[page_list_collection.slug, "mercury"])
    mine, hers = (visit(team[name]).get(listing).content.decode() for name in ("ana", "ben"))
    assert "Your draft is open" in mine
    assert "Start your draft" in hers
    assert '<details class="otherwise">' in hers, "other ways to start are collapsed"
    assert '<details class="otherwise" open>' in browser.get(f"{listing}?kind=shared").content.decode()
    assert re.search(r'value="shared"[^>]* checked', browser.get(f"{listing}?kind=shared").content.decode())


def test_curators_see_timing_notice_until_owner_turns_it_off(
    visit: Visit, page_list_collection: Collection, owner: User, team: dict[str, User]
) -> None:
    told = "The site computes your working time"
    ana, place = visit(team["ana"]), address(page_list_collection, "team")
    assert told in ana.get(address(page_list_collection)).content.decode()
    assert "Seconds per page" in ana.get(place).content.decode()
    settings = reverse("collection-settings", args=[page_list_collection.slug])
    form = visit(owner).get(settings)
    sent = {name: value for name, value in form.context["form"].initial.items() if value}
    assert visit(owner).post(settings, {**sent, "timing": "off"}).status_code == 302
    assert told not in ana.get(address(page_list_collection)).content.decode()
    assert "does not compute curation time" in ana.get(place).content.decode()

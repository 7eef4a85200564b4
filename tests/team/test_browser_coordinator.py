"""A coordinator in a browser: even assignment, overdue queries, waiting curators and team figures.

A curator who works independently sees no progress of the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Assignment, Collection, Draft, Membership, Role
from annotations.team import services as assignments
from tests.browser.accessibility import violations
from tests.browser.page_layout import DESK, PHONE, too_large
from tests.fixtures.browser import Browse
from tests.profiles import thorough
from tests.samples.drafts import draft_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("a coordinator in a browser")]


@pytest.fixture
def team(collection: Collection, person: Callable[[str], User]) -> list[User]:
    people = [person(name) for name in ("ana", "ben", "cleo", "dora", "eli")]
    for user in people:
        Membership.objects.create(collection=collection, user=user, role=Role.CURATOR)
    return people


def test_coordinator_assigns_queries_and_follows_progress(
    browse: Browse, owner: User, collection: Collection, team: list[User]
) -> None:
    for n in range(6):
        collection.queries.create(key=f"q{n}", text=f"query {n}", position=2 + n)
    yesterday = (timezone.localdate() - timedelta(days=1)).isoformat()
    page = browse(owner)
    page.goto(reverse("curate", args=[collection.slug]))
    for query in ("mercury", "saturn"):
        page.get_by_role("checkbox", name=re.compile(f"Choose {query}")).check()
    for name in ("ana", "ben"):
        page.get_by_role("checkbox", name=name, exact=True).check()
    page.get_by_label("evenly, 2 per query").check()
    page.get_by_label("Due").fill(yesterday)
    page.get_by_role("button", name="Assign", exact=True).click()
    expect(page.get_by_text("4 assignments made.")).to_be_visible()
    assert set(Assignment.objects.values_list("query__key", flat=True)) == {"mercury", "saturn"}

    ana, ben = team[:2]
    first, second = collection.queries.order_by("position")[:2]
    draft_of(ben, first, {"Planet": "p1 p2 p3"})
    draft_of(ana, second, {"Rings": "p1"})
    draft_of(ben, second, {"Rings": "p1"})
    page.get_by_role("link", name=re.compile(r"^overdue \d")).click()
    expect(page.locator(".curation tbody tr")).to_have_count(1)
    expect(page.locator(".who li", has_text="ana")).to_contain_text("overdue")
    expect(page.locator(".who li", has_text="ben")).not_to_contain_text("overdue")
    expect(page.locator(".waits")).to_contain_text("ben waits for ana on 1 query")

    page.get_by_role("link", name=re.compile(r"^due .* change for ana")).click()
    expect(page.get_by_role("checkbox", name="ana", exact=True)).to_be_checked()
    expect(page.get_by_label("Due")).to_have_value(yesterday)
    page.get_by_label("Due").fill((timezone.localdate() + timedelta(days=9)).isoformat())
    page.get_by_role("button", name="Change date and note").click()
    expect(page.get_by_text("1 assignment changed.")).to_be_visible()
    expect(page.get_by_text("Nothing is overdue.")).to_be_visible()

    page.get_by_role("link", name="Team").first.click()
    expect(page.get_by_role("rowheader", name="ana and ben")).to_be_visible()
    expect(page.get_by_text("Drafts are being compared")).to_have_count(0)
    # Reasons must be visible without hovering, for touch screens.
    page.get_by_text("Why some figures are missing").click()
    expect(page.get_by_text("Outlier kappa: undefined 1 ×: neither marks an outlier").first).to_be_visible()
    assert violations(page) == []
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert too_large(page) == []


def test_rows_stay_short_on_phone_and_start_menu_opens(
    browse: Browse, owner: User, collection: Collection, team: list[User]
) -> None:
    assignments.assign(collection.queries.filter(key="mercury"), team, user=owner, due=timezone.localdate())
    page = browse(team[0], width=390, scheme="dark")
    page.goto(reverse("curate", args=[collection.slug]))
    expect(page.get_by_text("5 curators: 0 submitted, 0 open")).to_be_visible()
    heights = page.locator(".curation tbody tr:not(.family)").evaluate_all("rows => rows.map(row => row.offsetHeight)")
    assert max(heights) < 200, "a phone shows several queries at once"
    ways = page.locator(".other-ways").last
    ways.locator("summary").click()
    together = ways.get_by_role("link", name="As a shared draft with all curators")
    expect(together).to_be_in_viewport()
    assert violations(page) == []
    assert too_large(page) == []
    together.click()
    expect(page.get_by_label("everyone who curates, at the same time")).to_be_checked()
    page.go_back()
    page.get_by_role("button", name=re.compile("Start your draft.*mercury", re.DOTALL)).click()
    expect(page.locator("#curate[data-ready]")).to_be_visible()
    assert Draft.objects.get().curator == team[0]


def test_independent_curator_sees_no_progress_of_the_other(
    browse: Browse, owner: User, collection: Collection, team: list[User]
) -> None:
    ana, ben = team[:2]
    query = collection.queries.order_by("position").first()
    assert query is not None
    assignments.assign([query], [ana, ben], user=owner)
    his = drafts.begin(query=query, user=ben)[0]
    perform(
        his, ben, DraftRequest(uuid4(), 0, [{"kind": "add_topic", "topic": "t", "name": "T", "pages": ["p1", "p2"]}])
    )
    hers, lead = browse(ana), browse(owner)
    curate, listing = reverse("curate", args=[collection.slug]), reverse("drafts", args=[collection.slug, query.key])

    lead.goto(curate)
    expect(lead.locator(".who li", has_text="ben")).to_contain_text("L1 2/8")
    for address in (curate, listing):
        hers.goto(address)
        expect(hers.get_by_text("open", exact=True).first).to_be_visible()
        expect(hers.get_by_text("2/8")).to_have_count(0)
    expect(hers.get_by_text("shown once you have submitted yours")).to_be_visible()
    hers.get_by_role("button", name="Start your draft").click()
    expect(hers.locator("#curate[data-ready]")).to_be_visible()
    hers.goto(curate)
    expect(hers.locator(".who li", has_text="ben")).not_to_contain_text("2/8")
    drafts.submit(Draft.objects.get(curator=ana))
    hers.reload()
    expect(hers.locator(".who li", has_text="ben")).to_contain_text("L1 2/8")

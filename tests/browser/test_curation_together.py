"""Two people in two browsers on one shared draft: each sees the other at work, and nothing of either is lost."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Route, expect

from annotations.models import Collection, Draft, DraftEntry
from annotations.services import drafts
from tests.browser.conftest import Browse
from tests.browser.workspace import Workspace, opener

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SOON = 2_000
"""Milliseconds in which what one person did has to be at the other's."""


@pytest.fixture
def draft(collection: Collection, owner: User) -> Draft:
    """A shared draft that begins with gold version 1 of ``mercury``: see `tests.samples.mercury`."""
    query = collection.queries.get(key="mercury")
    entry = collection.gold_versions.get(number=1).entries.get(query=query)
    return drafts.from_gold(entry=entry, query=query, user=owner, kind=Draft.Kind.SHARED)


@pytest.fixture
def ana(browse: Browse, curator: User, draft: Draft) -> Workspace:
    return opener(browse)(curator, draft, "?queue=all&page=p1")


@pytest.fixture
def bob(browse: Browse, owner: User, draft: Draft) -> Workspace:
    return opener(browse)(owner, draft, "?queue=all&page=p1")


def shows(screen: Workspace, page: str, *topics: str) -> None:
    found = screen.page.locator(f'.p-row[data-page="{page}"] .topic-chip bdi')
    expect(found).to_have_text(list(topics), timeout=SOON)


def outliers(screen: Workspace, number: int) -> None:
    expect(screen.page.locator("#meters .outliers .meter-number")).to_have_text(str(number), timeout=SOON)


def log(draft: Draft) -> list[tuple[str, str]]:
    return list(DraftEntry.objects.filter(draft=draft).order_by("revision").values_list("user__username", "label"))


def test_what_one_does_is_at_the_other_within_two_seconds(ana: Workspace, bob: Workspace) -> None:
    ana.press("2")
    ana.saved()
    shows(bob, "p1", "Planet", "Engines")
    bob.press("l", "Home", "F2").type("Planets").press("Enter")
    bob.saved()
    expect(ana.topic("Planets")).to_be_visible(timeout=SOON)
    ana.press("j", "o")
    ana.saved()
    outliers(bob, 2)
    ana.press("Control+z")
    ana.saved()
    outliers(bob, 1)


def test_each_sees_where_the_other_is(ana: Workspace, bob: Workspace) -> None:
    ana.press("j", "j")
    expect(bob.page.get_by_role("button", name="curator is at “Page 3”. Go there")).to_be_visible(timeout=SOON)
    expect(bob.row("Page 3").get_by_title("curator is looking at this page")).to_be_visible()
    bob.page.get_by_role("button", name="curator is at").click()
    expect(bob.cursor).to_have_attribute("data-page", "p3")
    expect(ana.page.get_by_role("button", name="owner is at “Page 3”. Go there")).to_be_visible(timeout=SOON)


def test_both_place_pages_at_the_same_time(ana: Workspace, bob: Workspace, draft: Draft) -> None:
    before = ana.saved()
    bob.press("j", "j", "j")
    for _ in range(3):  # p1, p2, p3 into Engines; p4, p5, p6 into Planet
        ana.page.keyboard.press("2")
        bob.page.keyboard.press("1")
        ana.press("j")
        bob.press("j")
    for screen in (ana, bob):
        shows(screen, "p2", "Planet", "Engines")
        shows(screen, "p5", "Planet", "Outboards")
        shows(screen, "p6", "Planet", "Spare parts")
        expect(screen.page.locator("#save-words")).to_have_text("Saved r6")
    # p3 was in Engines by its subtopic: the key took it out of both.
    state = ana.saved()
    assert state.members["space"] == before.members["space"] | {"p4", "p5", "p6"}
    assert {"p1", "p2"} <= set(state.members["boats"])
    assert sorted(who for who, _ in log(draft)) == ["curator"] * 3 + ["owner"] * 3


class NoNews:
    """Holds back what others did; one's own work still goes out."""

    def __init__(self, screen: Workspace) -> None:
        self.screen = screen
        self.held: list[Route] = []
        screen.page.route("**/changes?**", lambda route: self.held.append(route))

    def end(self) -> None:
        self.screen.page.unroute("**/changes?**")
        for route in self.held:
            route.fallback()


def test_a_clash_over_a_topic_is_shown_and_nothing_is_lost(ana: Workspace, bob: Workspace, draft: Draft) -> None:
    """Bob merges away what Ana renames and puts a page into, before she hears of it."""
    news = NoNews(ana)
    bob.press("l", "End", "m").type("outb").press("Enter")
    bob.saved()
    merged = bob.placed()
    ana.press("2", "l", "End", "F2").type("Parts").press("Enter")
    news.end()
    expect(ana.page.locator("#save-words")).to_have_text("Conflict")
    expect(ana.page.locator("#banner")).to_contain_text("1 change of yours met a change of somebody else")
    ana.page.get_by_role("button", name="Look at it").click()
    expect(ana.dialog).to_contain_text("Rename Spare parts to Parts")
    expect(ana.dialog).to_contain_text("Merge Spare parts into Outboards")
    # What did not clash has arrived; what Bob merged stands.
    shows(bob, "p1", "Planet", "Engines")
    found = bob.placed()
    assert found == merged | {"Engines": {"p1"}}
    assert [label for _, label in log(draft)] == ["Merge Spare parts into Outboards", "Put 1 page into Engines"]
    # Ana decides.
    ana.page.get_by_role("button", name="Let it go").click()
    expect(ana.page.locator("#save-words")).to_have_text("Saved r2")
    expect(ana.page.locator("#banner")).to_be_hidden()
    assert ana.placed() == found


def test_a_deleted_topic_that_somebody_renames_is_a_conflict(ana: Workspace, bob: Workspace, draft: Draft) -> None:
    news = NoNews(ana)
    bob.press("l", "End", "Delete", "Enter")
    bob.saved()
    ana.press("l", "End", "F2").type("Parts").press("Enter")
    news.end()
    expect(ana.page.locator("#save-words")).to_have_text("Conflict")
    expect(ana.topic("Parts")).to_have_count(0)
    ana.page.reload()
    expect(ana.page.locator("#save-words")).to_have_text("Conflict")  # it waits for her, also after a reload
    ana.page.get_by_role("button", name="Look at it").click()
    ana.page.get_by_role("button", name="Try again").click()
    expect(ana.page.locator("#toasts")).to_contain_text("not")
    ana.page.get_by_role("button", name="Let it go").click()
    expect(ana.page.locator("#save-words")).to_have_text("Saved r1")
    assert len(log(draft)) == 1

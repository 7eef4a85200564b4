"""Predictions from placed pages: chips that a person accepts with one key, and the queue of most useful pages."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.models import Draft, DraftEntry
from tests.browser.accessibility import violations
from tests.browser.workspace import Workspace, opener
from tests.fixtures.browser import Browse
from tests.profiles import thorough
from tests.workspace.test_browser_split import draft, query  # noqa: F401  # fixtures

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("predictions in the workspace")]


@pytest.fixture
def empty(query, owner: User) -> Draft:  # noqa: F811  # a fixture
    return drafts.from_nothing(query=query, user=owner, kind=Draft.Kind.SHARED)


def chip(screen: Workspace, title: str):
    return screen.row(title).locator(".topic-chip.probably")


def test_predictions_are_marked_until_accepted(browse: Browse, owner: User, empty: Draft) -> None:
    screen = opener(browse)(owner, empty, "?queue=all&page=p1")
    page = screen.page
    expect(page.locator(".topic-chip.probably")).to_have_count(0)
    # One page of each kind is placed: the others get predictions, which do not count as placed.
    screen.press("t").type("Cats").press("Enter", "Enter")
    screen.row("Racing cars and engines").locator(".title").click()
    screen.press("t").type("Cars").press("Enter", "Enter")
    expect(chip(screen, "Rain forest big cats")).to_have_text("probablyCats")
    expect(chip(screen, "Fast racing cars")).to_have_text("probablyCars")
    expect(chip(screen, "Atari console")).to_have_count(0)
    assert screen.placed() == {"Cats": {"p1"}, "Cars": {"p2"}}
    expect(page.locator("#meters")).to_contain_text("2/7")
    entries = DraftEntry.objects.filter(draft=empty).count()
    # The page panel shows the reason, with similar pages.
    screen.row("Big cats of the rain forest").locator(".title").click()
    expect(page.locator("#region-page .probable")).to_contain_text("Cats")
    expect(page.locator("#region-page")).to_contain_text("counts for nothing until you accept it")
    assert violations(page) == []
    # One key accepts a prediction, which is an ordinary placement with undo.
    screen.press("a")
    expect(chip(screen, "Big cats of the rain forest")).to_have_count(0)
    assert screen.placed()["Cats"] == {"p1", "p3"}
    assert DraftEntry.objects.filter(draft=empty).count() == entries + 1
    screen.press("Control+z")
    assert screen.placed()["Cats"] == {"p1"}
    expect(chip(screen, "Big cats of the rain forest")).to_have_text("probablyCats")
    # One key dismisses a prediction, and nothing is stored.
    screen.press("Shift+A")
    expect(chip(screen, "Big cats of the rain forest")).to_have_count(0)
    assert DraftEntry.objects.filter(draft=empty).count() == entries + 2
    # All predictions of a kind are accepted at once from their queue.
    screen.press("g", "p")
    expect(page.locator(".p-group")).to_have_text(["Probably Cats1", "Probably Cars2"])
    page.locator(".p-group").filter(has_text="Cars").click()
    page.locator("#do-accept").click()
    assert screen.placed() == {"Cats": {"p1"}, "Cars": {"p2", "p4", "p6"}}


def test_most_useful_pages_come_first_without_jumps(browse: Browse, owner: User, empty: Draft) -> None:
    screen = opener(browse)(owner, empty, "?queue=all&page=p1")
    page = screen.page
    page.locator("#queue").click()
    page.get_by_role("menuitemradio", name="Teaches most").click()
    expect(page.locator("#queue-count")).to_have_text("7")
    # A page without shared words gives no predictions for others.
    expect(page.locator(".p-row").last).to_have_attribute("data-page", "p7")
    first = screen.cursor.get_attribute("data-page")
    with page.expect_response("**/predictions"):
        screen.press("t").type("One").press("Enter", "Enter")
    expect(page.locator("#queue-count")).to_have_text("6")
    second = screen.cursor.get_attribute("data-page")
    assert {first, second} & {"p1", "p3", "p5"}, "the second page differs in kind from the first"
    assert {first, second} & {"p2", "p4", "p6"}
    assert screen.placed() == {"One": {first}}


def test_offline_predictions_fail_silently(browse: Browse, owner: User, empty: Draft) -> None:
    page = browse(owner)
    page.route("**/predictions", lambda route: route.abort("internetdisconnected"))
    screen = Workspace(page, empty).open("?queue=all&page=p1")
    screen.press("t").type("Cats").press("Enter", "Enter")
    assert screen.placed() == {"Cats": {"p1"}}
    expect(page.locator(".topic-chip.probably")).to_have_count(0)
    expect(page.locator("#toasts .bad")).to_have_count(0)


def test_read_only_viewer_sees_no_predictions(browse: Browse, owner: User, draft: Draft) -> None:  # noqa: F811  # a fixture
    Draft.objects.filter(pk=draft.pk).update(status=Draft.Status.SUBMITTED, submitted_at=timezone.now())
    screen = opener(browse)(owner, draft, "?queue=all")
    expect(screen.page.locator(".topic-chip.probably")).to_have_count(0)

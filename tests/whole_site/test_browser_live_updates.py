"""Pages that update by themselves take nothing away from who uses them by keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Run
from tests.fixtures.browser import Browse
from tests.profiles import thorough
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("pages that update by themselves")]

STATE = "#live .body p"


@pytest.fixture
def waiting(browse: Browse, owner: User, collection: Collection, submit: Callable[..., object]) -> Page:
    """The page of a run that waits: its text changes with every update, as it says how long."""
    submit(owner, "Good")
    page = browse(owner)
    page.goto(reverse("run", args=[Run.objects.get().pk]))
    return page


def updated(page: Page) -> None:
    """Wait until the page has asked twice, so that one answer was surely dealt with."""
    for _ in range(2):
        with page.expect_response(lambda answer: "/live/" in answer.url, timeout=PATIENCE * 1_000):
            pass


def test_focus_and_scrolling_survive_updates(waiting: Page) -> None:
    waiting.set_viewport_size({"width": 390, "height": 300})
    for name in ("run-cancel", "log-lines"):
        before = waiting.locator(STATE).first.inner_text()
        waiting.locator(f"#{name}").focus()
        waiting.evaluate("scrollBy(0, 20)")
        place = waiting.evaluate("scrollY")
        assert place
        expect(waiting.locator(STATE).first).not_to_have_text(before)
        expect(waiting.locator(f"#{name}")).to_be_focused()
        assert waiting.evaluate("scrollY") == place


def test_selected_text_stays_selected_and_the_page_goes_on_afterwards(waiting: Page) -> None:
    waiting.locator(STATE).first.select_text()
    before = waiting.evaluate("getSelection().toString()")
    assert before
    updated(waiting)
    assert waiting.evaluate("getSelection().toString()") == before
    waiting.evaluate("getSelection().removeAllRanges()")
    expect(waiting.locator(STATE).first).not_to_have_text(before)


def test_an_open_menu_stays_open_when_scores_are_there(
    browse: Browse, owner: User, collection: Collection, submit: Callable[..., object], finish: Callable[..., None]
) -> None:
    submit(owner, "Good")
    finish()
    page = browse(owner)
    page.goto(reverse("heat-map", args=[collection.slug]) + "?overlap=first")
    page.get_by_role("button", name="Score").first.click()
    page.locator("#being-scored").wait_for()
    menu = page.locator("details.menu").first
    menu.locator("summary").click()
    page.evaluate("window.isTheSamePage = true")
    finish()
    for _ in range(2):
        with page.expect_response(lambda answer: answer.headers.get("hx-refresh") == "true"):
            pass
    assert menu.get_attribute("open") is not None
    assert page.evaluate("window.isTheSamePage")
    with page.expect_navigation():
        page.keyboard.press("Escape")
    expect(page.locator("#being-scored")).to_have_count(0)


def test_focus_and_scrolling_survive_when_the_board_comes_anew(
    browse: Browse, owner: User, collection: Collection, submit: Callable[..., object], finish: Callable[..., None]
) -> None:
    submit(owner, "Good")
    finish()
    page = browse(owner, 390)
    page.set_viewport_size({"width": 390, "height": 400})
    page.goto(reverse("leaderboard", args=[collection.slug]) + "?overlap=first")
    page.get_by_role("button", name="Score").first.click()
    page.locator("#being-scored").wait_for()
    link = page.get_by_role("region", name="Leaderboard table").get_by_role("link", name="Good")
    link.focus()
    before = link.bounding_box()["y"]
    assert page.evaluate("scrollY")
    with page.expect_response(lambda answer: "/progress/" in answer.url):
        pass
    expect(link).to_be_focused()
    with page.expect_navigation():
        finish()
    expect(page.locator("#being-scored")).to_have_count(0)
    expect(link).to_be_focused()
    page.wait_for_function(
        "before => Math.abs(document.activeElement.getBoundingClientRect().top - before) <= 2", arg=before
    )


def test_the_page_does_not_jump_when_what_has_the_focus_has_changed(
    browse: Browse, owner: User, collection: Collection, submit: Callable[..., object], finish: Callable[..., None]
) -> None:
    """A click into the table gives the table the focus, whose scores are others when the board comes anew."""
    submit(owner, "Good")
    finish()
    page = browse(owner, 390)
    page.set_viewport_size({"width": 390, "height": 400})
    page.goto(reverse("leaderboard", args=[collection.slug]) + "?overlap=first")
    page.get_by_role("button", name="Score").first.click()
    page.locator("#being-scored").wait_for()
    table = page.get_by_role("region", name="Leaderboard table")
    table.focus()
    page.evaluate("scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")
    before = table.bounding_box()["y"]
    with page.expect_navigation():
        finish()
    expect(page.locator("#being-scored")).to_have_count(0)
    expect(table).to_be_focused()
    page.wait_for_function(
        "before => Math.abs(document.activeElement.getBoundingClientRect().top - before) <= 2"
        " || scrollY + innerHeight >= document.body.scrollHeight - 2",
        arg=before,
    )
    assert page.evaluate("scrollY") > 100

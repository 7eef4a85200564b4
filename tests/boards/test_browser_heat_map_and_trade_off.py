"""The charts of a collection in a browser: by keyboard, by mouse and without JavaScript."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotations.models import Collection
from tests.fixtures.browser import Browse
from tests.profiles import thorough
from tests.samples.documents import GOOD_ANSWER

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("charts in a browser")]


@pytest.fixture
def two(owner: User, collection: Collection, submit: Callable[..., object], finish: Callable[..., None]) -> Collection:
    submit(owner, "Good")
    submit(owner, "Half", {"mercury": GOOD_ANSWER["mercury"]})
    finish()
    return collection


def test_arrow_keys_reach_cells_and_enter_opens_them(browse: Browse, owner: User, two: Collection) -> None:
    page = browse(owner)
    page.goto(reverse("heat-map", args=[two.slug]) + "?rows=collection")
    submission = two.submissions.get(algorithm__name="Good")
    frame, now = page.get_by_role("application"), page.locator("#heat-now")
    page.get_by_role("link", name="about this measure").focus()
    page.keyboard.press("Tab")
    expect(frame).to_be_focused()
    expect(now).to_contain_text("mercury · Good")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(now).to_contain_text("saturn car · Half: the submission has no clustering of this query")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    expect(now).to_contain_text("saturn car · Good: ")
    row = page.get_by_role("region", name="Scores of one query")
    expect(row.get_by_role("row")).to_have_count(3)
    expect(row.get_by_role("link", name="no clustering")).to_have_attribute(
        "href", reverse("query", args=[two.slug, "saturn"])
    )
    page.keyboard.press("Enter")
    page.wait_for_url("**" + reverse("why", args=[submission.pk, "saturn"]) + "?gold=1")


def test_click_opens_the_cell_or_the_query(browse: Browse, owner: User, two: Collection) -> None:
    page = browse(owner)
    address = reverse("heat-map", args=[two.slug])
    page.goto(address)
    page.locator("#heat[data-drawn]").wait_for()
    box = page.locator("#heat-canvas").bounding_box()
    assert box is not None
    page.locator("#heat-canvas").click(position={"x": 5, "y": box["height"] - 8})
    page.wait_for_url("**/q/**")
    page.go_back()
    page.locator("#heat[data-drawn]").wait_for()
    page.locator("#heat-canvas").click(position={"x": box["width"] / 2, "y": box["height"] - 8})
    page.wait_for_url("**/why/**")


def test_table_is_shown_without_javascript(chromium: Browser, live_server: LiveServer, two: Collection) -> None:
    two.visibility = Collection.Visibility.PUBLIC
    two.save()
    page = chromium.new_context(java_script_enabled=False, base_url=live_server.url).new_page()
    page.goto(reverse("heat-map", args=[two.slug]))
    expect(page.get_by_role("application")).to_be_hidden()
    table = page.get_by_role("region", name="Scores of queries and algorithms")
    expect(table.get_by_role("row")).to_have_count(4)
    expect(table.get_by_role("row", name="saturn car").get_by_role("cell").last).to_have_text(
        "–the submission has no clustering of this query"
    )
    page.context.close()


def test_keyboard_reaches_trade_off_values(browse: Browse, owner: User, two: Collection) -> None:
    page = browse(owner)
    page.goto(reverse("trade-off", args=[two.slug]))
    marks = page.get_by_role("img", name="Quality against coverage")
    expect(marks.get_by_text("Good", exact=True)).to_be_visible()
    page.get_by_label("Clusters and topics").focus()
    page.keyboard.press("w")
    page.get_by_role("button", name="Show").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**weights=weighted**")
    expect(page.get_by_role("img", name="Weighted quality against weighted coverage")).to_be_visible()
    page.get_by_text("Show as a table").first.focus()
    page.keyboard.press("Enter")
    table = page.get_by_role("region", name="Cluster quality as a table")
    expect(table.get_by_role("row", name="Good")).to_be_visible()

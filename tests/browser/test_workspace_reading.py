"""Reading: edges between the regions, long texts, words marked in them, pages not read yet."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from accounts.models import User
from annotations.models import Collection, Draft
from annotations.services import drafts
from tests.browser.accessibility import violations
from tests.browser.conftest import Browse
from tests.browser.fitting import too_large
from tests.browser.workspace import Open, Workspace, opener

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def begun(collection: Collection, owner: User) -> Draft:
    """A shared draft that begins with gold version 1 of ``mercury``: see `tests.samples.mercury`."""
    query = collection.queries.get(key="mercury")
    entry = collection.gold_versions.get(number=1).entries.get(query=query)
    return drafts.from_gold(entry=entry, query=query, user=owner, kind=Draft.Kind.SHARED)


@pytest.fixture
def enter(browse: Browse) -> Open:
    return opener(browse)


def width(screen: Workspace, region: str) -> int:
    box = screen.page.locator(f"#region-{region}").bounding_box()
    assert box is not None
    return round(box["width"])


def test_regions_are_as_wide_as_one_makes_them(enter: Open, owner: User, begun: Draft) -> None:
    screen = enter(owner, begun, "?queue=all&page=p1")
    page = screen.page
    topics, panel = page.get_by_role("separator", name="Width of the topics"), page.locator("#edge-page")
    before = width(screen, "topics"), width(screen, "page")
    expect(topics).to_have_attribute("aria-valuenow", str(before[0]))
    edge = topics.bounding_box()
    assert edge is not None
    page.mouse.move(edge["x"] + 4, edge["y"] + 300)
    page.mouse.down()
    page.mouse.move(edge["x"] + 44, edge["y"] + 310, steps=3)
    page.mouse.up()
    assert width(screen, "topics") == before[0] + 40
    expect(topics).to_have_attribute("aria-valuenow", str(before[0] + 40))
    panel.focus()
    screen.press("ArrowLeft", "ArrowLeft")
    assert width(screen, "page") == before[1] + 48
    screen.press("End")
    assert width(screen, "pages") == 320
    expect(page.locator(".p-row.cursor .chips-line")).to_be_visible()
    assert too_large(page) == []
    screen.press("Home", "ArrowLeft")
    assert width(screen, "page") == 224
    page.reload()
    expect(page.locator("#curate[data-ready]")).to_be_visible()
    assert (width(screen, "topics"), width(screen, "page")) == (before[0] + 40, 224)
    page.locator("#edge-topics").dblclick(position={"x": 4, "y": 300})
    assert (width(screen, "topics"), width(screen, "page")) == (before[0], 224)
    panel.focus()
    screen.press("Enter")
    assert width(screen, "page") == before[1]
    assert violations(page) == []


def test_edges_give_way_to_narrow_windows_and_move_by_touch(enter: Open, owner: User, begun: Draft) -> None:
    screen = enter(owner, begun, "?queue=all&page=p1", width=1600)
    page = screen.page
    edge = page.locator("#edge-page").bounding_box()
    assert edge is not None
    touch = {"pointerId": 7, "pointerType": "touch", "button": 0, "bubbles": True, "isPrimary": True}
    page.evaluate("document.querySelector('#edge-page').setPointerCapture = () => {}")
    page.evaluate("document.querySelector('#edge-page').hasPointerCapture = () => true")
    page.locator("#edge-page").dispatch_event("pointerdown", {**touch, "clientX": edge["x"], "clientY": 400})
    page.locator("#edge-page").dispatch_event("pointermove", {**touch, "clientX": edge["x"] - 400, "clientY": 400})
    page.locator("#edge-page").dispatch_event("pointerup", {**touch, "clientX": edge["x"] - 400, "clientY": 400})
    wide = width(screen, "page")
    page.set_viewport_size({"width": 1000, "height": 800})
    page.wait_for_function("() => document.querySelector('#region-pages').getBoundingClientRect().width >= 320")
    assert too_large(page) == []
    page.set_viewport_size({"width": 1600, "height": 800})
    page.wait_for_function("wide => Math.abs(document.querySelector('#region-page').clientWidth - wide) < 3", arg=wide)

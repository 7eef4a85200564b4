"""The workspace by mouse alone, and on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from annotations.models import Draft
from tests.browser.workspace import Workspace, opener
from tests.fixtures.browser import Browse

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def screen(browse: Browse, owner: User, shared_draft: Draft) -> Workspace:
    return opener(browse)(owner, shared_draft, "?queue=all&page=p1")


def drag(page: Page, what: Locator, onto: Locator, part: float = 0.5) -> None:
    """Drag to a height within the target: 0 is its upper edge."""
    start, end = what.bounding_box(), onto.bounding_box()
    assert start is not None
    assert end is not None
    x, y = end["x"] + 90, end["y"] + end["height"] * part
    page.mouse.move(start["x"] + 90, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + 80, start["y"] + start["height"] / 2 + 12, steps=4)
    page.mouse.move(x, y, steps=12)
    expect(page.locator(".drag-hint")).to_contain_text("→")
    page.mouse.up()


def test_boxes_and_badges_place_selected_pages(screen: Workspace) -> None:
    screen.row("Page 1").locator(".box").click()
    screen.row("Page 2").locator(".box").click()
    expect(screen.page.locator("#selected")).to_have_text("2 selected")
    screen.topic("Engines").locator(".box").click()
    assert {"p1", "p2"} <= screen.placed()["Engines"]
    expect(screen.topic("Engines")).to_have_attribute("aria-checked", "true")
    screen.page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(screen.topic("Engines")).to_have_attribute("aria-checked", "false")
    screen.page.locator("#digits").get_by_role("button", name="Engines").click(modifiers=["Shift"])
    expect(screen.topic("Planet")).to_have_attribute("aria-checked", "false")
    assert screen.placed()["Planet"] == {"p3"}


def test_all_matches_become_outliers_and_back(screen: Workspace) -> None:
    screen.page.get_by_label("Search pages").fill("page 7")
    expect(screen.page.locator("#queue-count")).to_have_text("1 found")
    screen.page.locator("#check-all").click()
    screen.page.locator("#do-outlier").click()
    assert screen.saved().outliers == {"p7", "p8"}
    screen.page.get_by_role("button", name=re.compile("^Undo:")).click()
    expect(screen.page.get_by_role("button", name=re.compile(r"^Outliers 1\."))).to_be_visible()
    assert screen.saved().outliers == {"p8"}


def test_shift_click_selects_range_and_box_selects_all(screen: Workspace) -> None:
    screen.row("Page 2").locator(".what").click()
    screen.row("Page 5").locator(".what").click(modifiers=["Shift"])
    expect(screen.page.locator("#selected")).to_have_text("4 selected")
    screen.page.locator("#select-all").click()
    expect(screen.page.locator("#selected")).to_have_text("8 selected")
    screen.page.locator("#clear-selection").click()
    expect(screen.page.locator("#selected")).to_have_text("Page 5")


def test_pages_are_dragged_onto_topics_and_outliers(screen: Workspace) -> None:
    drag(screen.page, screen.row("Page 1"), screen.topic("Spare parts"))
    expect(screen.row("Page 1")).to_contain_text("Spare parts")
    assert "p1" in screen.placed()["Spare parts"]
    screen.row("Page 4").locator(".box").click()
    screen.row("Page 5").locator(".box").click()
    drag(screen.page, screen.row("Page 5"), screen.page.locator("#tree-foot"))
    expect(screen.page.get_by_role("button", name=re.compile(r"^Outliers 3\."))).to_be_visible()
    assert screen.saved().outliers == {"p4", "p5", "p8"}


def test_click_after_quick_drag_reaches_its_target(screen: Workspace) -> None:
    page = screen.page
    start, end = screen.row("Page 4").bounding_box(), page.locator("#tree-foot").bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 90, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(start["x"] + 80, start["y"] + 32)
    page.mouse.move(end["x"] + 90, end["y"] + 12)
    expect(page.locator("#tree-foot")).to_have_class(re.compile("drop-in"))
    page.mouse.up()
    page.locator("#more").click()
    expect(page.get_by_role("menuitem", name="History")).to_be_visible()


def test_topics_are_dragged_between_and_into_topics(screen: Workspace) -> None:
    drag(screen.page, screen.topic("Spare parts"), screen.topic("Outboards"), 0.1)
    expect(screen.page.locator(".t-row .name")).to_have_text(["Planet", "Engines", "Spare parts", "Outboards"])
    drag(screen.page, screen.topic("Spare parts"), screen.topic("Planet"))
    screen.dialog.get_by_role("button", name=re.compile("^Move")).click()
    expect(screen.page.locator(".t-row .name")).to_have_text(["Planet", "Spare parts", "Engines", "Outboards"])
    assert screen.tree() == ["Planet", "Planet/Spare parts", "Engines", "Engines/Outboards"]


def test_escape_cancels_dragging(screen: Workspace) -> None:
    row, onto = screen.row("Page 1").bounding_box(), screen.topic("Engines").bounding_box()
    assert row is not None
    assert onto is not None
    screen.page.mouse.move(row["x"] + 90, row["y"] + 20)
    screen.page.mouse.down()
    screen.page.mouse.move(onto["x"] + 60, onto["y"] + 12, steps=10)
    expect(screen.topic("Engines")).to_have_class(re.compile("drop-in"))
    screen.press("Escape")
    screen.page.mouse.up()
    expect(screen.topic("Engines")).not_to_have_class(re.compile("drop-in"))
    assert "p1" not in screen.placed()["Engines"]


def test_topic_menu_contains_all_actions(screen: Workspace) -> None:
    topic = screen.topic("Outboards")
    topic.hover()
    topic.get_by_role("button").click()
    screen.menu("Rename")
    screen.page.get_by_label("New name of the topic").fill("Boat engines")
    screen.page.locator("#list").click(position={"x": 300, "y": 20})
    expect(screen.topic("Boat engines")).to_be_visible()
    screen.topic("Boat engines").click(button="right")
    screen.menu("New subtopic")
    screen.page.get_by_label(re.compile("^Name of the new subtopic")).fill("Two-stroke")
    screen.page.locator("#list").click(position={"x": 300, "y": 20})
    assert "Engines/Boat engines/Two-stroke" in screen.tree()
    screen.topic("Two-stroke").click(button="right")
    screen.menu("Delete…")
    screen.dialog.get_by_role("button", name="Delete").click()
    expect(screen.topic("Two-stroke")).to_have_count(0)
    screen.topic("Boat engines").click(button="right")
    screen.menu("Merge into…")
    screen.dialog.get_by_role("option", name="Planet").click()
    expect(screen.topic("Boat engines")).to_have_count(0)
    assert screen.placed()["Planet"] == {f"p{n}" for n in range(1, 6)}


def test_page_panel_removes_topics_flags_and_finds_similar_pages(screen: Workspace) -> None:
    panel = screen.page.locator("#region-page")
    panel.get_by_role("button", name="Take out of Planet").click()
    expect(panel).to_contain_text("In no topic yet")
    assert screen.focus != "BODY"
    panel.get_by_role("button", name=re.compile("^Same topics as Page 4")).click()
    expect(panel.locator(".places")).to_contain_text("Outboards")
    panel.get_by_role("button", name="Flag").click()
    panel.get_by_label("Note on this page").fill("Ask Bea")
    panel.get_by_role("button", name="Confirm").click()
    state = screen.saved()
    assert state.flags == {"p1"}
    assert state.notes == {"p1": "Ask Bea"}
    assert "p1" in screen.placed()["Outboards"]


def test_queues_by_menu_and_meter(screen: Workspace) -> None:
    screen.page.locator("#queue").click()
    screen.page.get_by_role("menuitemradio", name="Outliers").click()
    expect(screen.page.get_by_role("option")).to_have_count(1)
    screen.page.get_by_role("button", name=re.compile("^L2 ")).click()
    expect(screen.page.locator("#list-empty")).to_contain_text("No page is without a topic on level 2.")
    screen.page.locator("#list-empty").get_by_role("button").click()
    expect(screen.page.get_by_role("option")).to_have_count(8)
    screen.topic("Spare parts").locator(".name").click()
    expect(screen.page.get_by_role("option")).to_have_count(3)


def test_one_region_at_a_time_on_a_phone(browse: Browse, owner: User, shared_draft: Draft) -> None:
    screen = opener(browse)(owner, shared_draft, "?queue=all&page=p1", width=390)
    expect(screen.page.locator("#region-topics")).to_be_hidden()
    screen.row("Page 2").locator(".title").click()
    expect(screen.page.locator("#region-page")).to_contain_text("Page 2")
    screen.page.get_by_role("button", name="Topics", exact=True).click()
    screen.topic("Engines").locator(".box").click()
    assert "p2" in screen.placed()["Engines"]


def test_page_is_dragged_onto_topic_by_touch(screen: Workspace) -> None:
    """A page follows the finger after a long press. If the finger moves at once, the list scrolls instead."""
    fingers = screen.page.context.new_cdp_session(screen.page)
    fingers.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})

    def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def middle(what: Locator) -> tuple[float, float]:
        box = what.bounding_box()
        assert box is not None
        return box["x"] + 90, box["y"] + box["height"] / 2

    (x, y), (to_x, to_y) = middle(screen.row("Page 4")), middle(screen.topic("Planet"))
    touch("touchStart", (x, y))
    expect(screen.row("Page 4")).to_have_class(re.compile("drag-chosen"))
    for step in range(1, 13):
        touch("touchMove", (x + (to_x - x) * step / 12, y + (to_y - y) * step / 12))
    expect(screen.page.locator(".drag-hint")).to_contain_text("→")
    touch("touchEnd")
    assert "p4" in screen.placed()["Planet"]

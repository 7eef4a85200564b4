"""Rows, chips and click targets: readable, large enough, with short spoken text, and enough of them visible."""

from __future__ import annotations

from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Collection, Draft
from tests.browser.accessibility import violations
from tests.browser.page_layout import missed_around, too_large
from tests.browser.workspace import Open, Workspace
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("rows of the workspace")]

LONG = "Biology and the natural sciences of large animals"


@pytest.fixture
def overlapping(collection: Collection, owner: User) -> Draft:
    """A draft with p1 in two topics named Dealers below different parents, p2 in two more, and p3 in a unique name."""
    query = collection.queries.get(key="mercury")
    draft = drafts.from_nothing(query=query, user=owner, kind=Draft.Kind.SHARED)
    topics = [("a", LONG, None), ("b", "Cars", None), ("ad", "Dealers", "a"), ("bd", "Dealers", "b"), ("z", "Zoo", "a")]
    topics += [("bc", "Classic cars and their restoration", "b")]
    operations = [{"kind": "add_topic", "topic": key, "name": name, "parent": above} for key, name, above in topics]
    operations += [
        {"kind": "assign", "pages": ["p1", "p2"], "topics": ["ad", "bd"]},
        {"kind": "assign", "pages": ["p2"], "topics": ["bc", "z"]},
        {"kind": "assign", "pages": ["p3"], "topics": ["z"]},
        {"kind": "assign", "pages": ["p5"], "topics": ["a"]},
        {"kind": "outlier", "pages": ["p4"]},
        {"kind": "flag", "pages": ["p4"]},
    ]
    perform(draft, owner, DraftRequest(uuid4(), draft.revision, operations))
    return draft


def page_row(screen: Workspace, page: str) -> Locator:
    return screen.page.locator(f'.p-row[data-page="{page}"]')


def cut(screen: Workspace, chips: Locator) -> list[str]:
    """Return chips that overflow their row, or do not show the whole name and enough of its parent."""
    return chips.evaluate_all("""chips => chips.filter(chip => {
        const row = chip.closest(".p-row").getBoundingClientRect(), {top, bottom, width} = chip.getBoundingClientRect();
        const name = chip.querySelector("bdi:last-of-type"), above = chip.querySelector(".above");
        return top < row.top || bottom > row.bottom || name.scrollWidth > name.clientWidth + 1
            || (above && above.getBoundingClientRect().width < 24) || width < 40;
    }).map(chip => chip.textContent)""")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_chips_distinguish_topics_of_equal_name(
    open_workspace: Open, owner: User, overlapping: Draft, width: int, scheme: str
) -> None:
    screen = open_workspace(owner, overlapping, "?queue=all&page=p1", width=width, scheme=scheme)
    chips = page_row(screen, "p1").locator(".topic-chip")
    expect(chips).to_have_text([f"{LONG}Dealers", "CarsDealers"])
    assert cut(screen, chips) == []
    expect(page_row(screen, "p3").locator(".topic-chip")).to_have_text(["Zoo"])
    expect(screen.page.locator("#do-keys")).to_be_in_viewport(ratio=1)
    crowded = page_row(screen, "p2").locator(".topic-chip")
    expect(crowded).to_have_count(4)
    assert cut(screen, crowded.filter(has_text="Dealers")) == []
    page_row(screen, "p5").locator(".rank").click()
    if width > 1000:
        expect(page_row(screen, "p5").locator(".topic-chip")).to_have_text([LONG, "no subtopic"])
    assert too_large(screen.page) == []
    assert violations(screen.page) == []


def test_screen_reader_text_of_rows_is_short(open_workspace: Open, owner: User, overlapping: Draft) -> None:
    screen = open_workspace(owner, overlapping, "?queue=all&page=p1")
    expect(page_row(screen, "p1")).to_have_accessible_name(f"1 Page 1 {LONG} › Dealers Cars › Dealers")
    expect(page_row(screen, "p3")).to_have_accessible_name("3 Page 3 Zoo")
    expect(page_row(screen, "p4")).to_have_accessible_name("4 Page 4 outlier Flagged")
    expect(page_row(screen, "p6")).to_have_accessible_name("6 Page 6")


def test_frequent_targets_accept_nearby_clicks(open_workspace: Open, owner: User, overlapping: Draft) -> None:
    screen = open_workspace(owner, overlapping, "?queue=all&page=p1")
    page = screen.page
    for what in (".p-row .box", ".t-row .box", ".t-row:not(.leaf) .twist", ".key-badge[data-key]", "#tree-foot .box"):
        assert missed_around(page, what) == []
    page_row(screen, "p6").locator(".box").click()
    assert missed_around(page, "#check-all, .digit, .tool, .places .x, .meter, .queue, .draft-name, .link-button") == []
    page_row(screen, "p6").locator(".box").click()
    page_row(screen, "p1").locator(".topic-chip").last.hover()
    assert missed_around(page, '.p-row[data-page="p1"] .topic-chip:last-child .x') == []
    page_row(screen, "p1").locator(".topic-chip").last.locator(".x").click(position={"x": 2, "y": 12})
    assert screen.saved().members["bd"] == {"p2"}
    box = page_row(screen, "p6").locator(".box").bounding_box()
    assert box is not None
    for x, y in (
        (7, 3),
        (box["width"] - 2, box["height"] - 3),
    ):  # next to the drawn box: one click selects, and only once
        page.mouse.click(box["x"] + x, box["y"] + y)
        expect(page_row(screen, "p6")).to_have_attribute("aria-selected", "true" if x == 7 else "false")
    expect(screen.cursor).to_have_attribute("data-page", "p1")


def test_five_rows_are_visible_at_200_percent(open_workspace: Open, owner: User, overlapping: Draft) -> None:
    screen = open_workspace(owner, overlapping, "?queue=all&page=p1")
    screen.page.set_viewport_size({"width": 640, "height": 360})  # the viewport that remains of 1280 x 720
    screen.page.wait_for_function(f"() => ({ROWS_IN_SIGHT})() >= 5")
    screen.press("j")
    assert rows_in_sight(screen.page) >= 5
    assert violations(screen.page) == []
    home = screen.page.get_by_role("link", name="QC4 Bench").first
    home.focus()
    expect(home).to_be_in_viewport()
    screen.page.locator("#list").focus()
    screen.page.wait_for_function(f"() => ({ROWS_IN_SIGHT})() >= 5")
    screen.page.locator("#do-outlier").click()
    expect(page_row(screen, "p2")).to_contain_text("outlier")


ROWS_IN_SIGHT = """() => [...document.querySelectorAll(".p-row")].filter(row => {
    const {left, top, bottom} = row.getBoundingClientRect();
    const seen = y => document.elementFromPoint(left + 90, y)?.closest(".p-row") === row;
    return seen(top + 2) && seen(bottom - 2);
}).length"""


def rows_in_sight(page: Page) -> int:
    found: int = page.evaluate(ROWS_IN_SIGHT)
    return found

"""Search in the workspace: words in texts, filters, the rubber band, and the remaining work."""

from __future__ import annotations

import re
import time

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from annotations.models import Draft
from tests.browser.workspace import Workspace, opener
from tests.fixtures.browser import Browse
from tests.profiles import thorough
from tests.samples.searchable_draft import findable_draft
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("finding pages in the workspace")]


@pytest.fixture
def draft(owner: User, curator: User) -> Draft:
    return findable_draft(owner, curator)


@pytest.fixture
def screen(browse: Browse, owner: User, draft: Draft) -> Workspace:
    return opener(browse)(owner, draft, "?queue=all&page=p1")


def shown(screen: Workspace, *pages: str) -> None:
    """Assert that the list shows these pages once the search is complete."""
    expect(screen.page.locator(".filter-status")).not_to_contain_text("searching texts")
    expect(screen.page.locator("#queue-count")).to_have_text(f"{len(pages)} found")
    found = screen.page.locator(".p-row").evaluate_all("rows => rows.map(row => row.dataset.page).sort()")
    assert found == sorted(pages)


def chips(screen: Workspace) -> Locator:
    return screen.page.locator(".filter-chip bdi")


def marked(page: Page, within: str) -> list[str]:
    """Return the highlighted words."""
    until(page, "CSS.highlights.get('qc4-found')?.size")
    found: list[str] = page.evaluate(
        """within => [...CSS.highlights.get("qc4-found")]
            .filter((range) => range.startContainer.parentElement.closest(within)).map(String)""",
        within,
    )
    return found


def until(page: Page, condition: str) -> None:
    """Wait for a condition. Playwright's own function evaluates strings, which the content policy forbids."""
    page.evaluate(
        f"""async (end) => {{
            while (!({condition}) && Date.now() < end) await new Promise(requestAnimationFrame);
            if (!({condition})) throw new Error("never");
        }}""",
        (time.time() + PATIENCE) * 1_000,
    )


def test_search_covers_texts_phrases_and_exclusions_and_is_in_url(screen: Workspace) -> None:
    page = screen.page
    screen.press("/").type("JAGUAR")
    shown(screen, "p1", "p2", "p3", "p5")
    expect(page.locator(".filter-status")).to_have_text("4 pages, 2 by their texts alone")
    # The row shows an excerpt of matches that are only in the text. Matches are marked in every spelling.
    expect(screen.row("Big cats")).to_contain_text("know anything. A JÁGUAR is a cat of South America.")
    assert {"Jaguar", "jaguar", "JÁGUAR"} == set(marked(page, "#list"))
    screen.press("Enter", "j", "j")
    expect(page.locator(".page-text")).to_contain_text("JÁGUAR")
    until(page, "document.querySelector('.page-text').scrollTop > 0")
    assert marked(page, ".page-text") == ["JÁGUAR"]
    screen.press("/").type('"jaguar" -engine').press("Enter")
    shown(screen, "p1", "p3")
    screen.press("/").type('"south america')
    shown(screen, "p1", "p3")
    # A reload and a link restore the search.
    page.wait_for_url(re.compile("q=%22south"))
    page.reload()
    shown(screen, "p1", "p3")
    expect(page.locator("#page-search")).to_have_value('"south america')
    page.get_by_role("button", name=re.compile("^Remove: “")).click()
    expect(page.locator("#queue-count")).to_have_text("60")
    assert page.evaluate("CSS.highlights.has('qc4-found')") is False


def test_filters_combine_with_search_and_queue_and_stay_in_url(screen: Workspace, curator: User) -> None:
    page = screen.page
    screen.press("Shift+f").type("zoo.ex").press("Enter")
    shown(screen, "p1", "p3")
    screen.press("/").type("jaguar").press("Enter")
    shown(screen, "p1", "p3")
    screen.press("Shift+f").type("not flag").press("Enter")
    shown(screen, "p3")
    page.wait_for_url("**host=zoo.example*flag=no*")
    page.reload()
    shown(screen, "p3")
    assert set(chips(screen).all_inner_texts()) == {"“jaguar”", "zoo.example", "Not flagged"}
    page.get_by_role("button", name="Clear all").click()
    expect(page.locator("#queue-count")).to_have_text("60")
    assert screen.focus == "list"
    # By mouse: filter by last placer, note and topic. Each option shows the number of remaining pages.
    page.locator("#filter").click()
    option = screen.dialog.get_by_role("option", name=re.compile(f"^Placed by {curator.username}"))
    expect(option).to_contain_text("2")
    option.click()
    shown(screen, "p2", "p5")
    page.locator("#filter").click()
    screen.dialog.get_by_role("option", name=re.compile("^With a note")).click()
    shown(screen, "p2")
    page.get_by_role("button", name="Remove: With a note").click()
    shown(screen, "p2", "p5")
    # A page that the person places then counts as placed by them.
    screen.row("Dealers").locator(".what").click()
    screen.topic("Cats").locator(".box").click()
    expect(page.locator("#queue-count")).to_have_text("1 found")
    expect(screen.row("Dealers")).to_have_class(re.compile("done"))  # it stays visible until the next move
    screen.press("]", "j")
    shown(screen, "p2")
    # Another queue keeps the filters; Esc clears them.
    screen.press("g", "1")
    expect(page.locator("#list-empty")).to_contain_text("No page of this list passes the filters.")
    screen.press("Escape")
    expect(page.locator("#queue-count")).to_have_text("56")
    screen.press("g", "a", "Shift+f").type("topic cats").press("Enter")
    shown(screen, "p1", "p3", "p5")
    page.locator("#filter").click()
    screen.dialog.get_by_role("option", name=re.compile("^Unplaced on level 1")).wait_for(state="detached")
    screen.press("Escape")


def test_selecting_all_matches_changes_nothing_else(screen: Workspace) -> None:
    page = screen.page
    screen.press("g", "1", "/").type("page").press("Enter")
    expect(page.locator("#queue-count")).to_have_text("55 found")
    # Finished pages stay visible until the next move, and are not selected.
    screen.press("o", "Control+a", "Control+a")
    expect(page.locator("#selected")).to_have_text("54 selected")
    page.locator("#clear-selection").click()
    screen.press("Control+z")
    # Selecting before the response arrives applies to the site's results, not to matches in titles.
    screen.press("/").type("nothing").press("Enter", "Control+a", "Control+a")
    expect(page.locator("#selected")).to_have_text("55 selected")
    screen.press("Escape", "/").type('"number 7" ').press("Enter")
    shown(screen, "p7")
    screen.press("Control+a", "Control+a", "1")
    assert screen.placed()["Cats"] == {"p1", "p3", "p7"}
    assert screen.saved().outliers == frozenset()


def test_finished_search_or_queue_shows_remaining_work(screen: Workspace) -> None:
    page = screen.page
    screen.press("g", "1", "/").type("köln").press("Enter")
    shown(screen, "p4")
    screen.press("1")
    left = "Left: 55 pages that search and filters hide, 1 flagged, 1 issue."
    expect(page.locator("#announcer")).to_have_text(f"Nothing left here. {left}")
    screen.press("n")
    expect(page.locator("#said .said-words")).to_have_text(f"Nothing left here. {left}")
    empty = page.locator("#list-empty")
    expect(empty).to_contain_text("No page of this list has “köln”.")
    expect(empty).not_to_contain_text("placed on level")
    empty.get_by_role("button", name="Issues (1)").click()
    expect(screen.dialog).to_contain_text("1 issue to resolve before publishing")
    page.wait_for_url("**sheet=issues*")
    screen.press("Escape")
    expect(page).not_to_have_url(re.compile("sheet"))
    empty.get_by_role("button", name="Clear search: 55 pages").click()
    expect(page.locator("#queue-count")).to_have_text("55")
    screen.press("Control+a", "Control+a", "o")
    screen.press("j")
    expect(empty).to_contain_text("Nothing left here")
    expect(empty).to_contain_text("No page is without a topic on level 1.")
    empty.get_by_role("button", name="Flagged (1)").click()
    expect(page.locator("#queue-name")).to_have_text("Flagged")
    screen.press("f", "j")
    expect(empty).to_contain_text("nothing keeps this draft from being published")


def test_unavailable_text_search_is_reported(screen: Workspace) -> None:
    page = screen.page
    page.context.set_offline(True)
    screen.press("/").type("jaguar")
    status = page.locator(".filter-status")
    expect(status).to_have_text("2 pages, in titles, URLs and snippets only. Texts could not be searched.")
    page.context.set_offline(False)
    expect(status).to_have_text("4 pages, 2 by their texts alone")


def test_rubber_band_selects_and_scrolls_while_rows_stay_draggable(screen: Workspace) -> None:
    page, mouse = screen.page, screen.page.mouse
    boxes = page.locator(".p-row .box")
    first, fourth = boxes.nth(0).bounding_box(), boxes.nth(3).bounding_box()
    assert first is not None
    assert fourth is not None
    selected = page.locator("#selected")

    def band(*to: tuple[float, float]) -> None:
        mouse.move(first["x"] + 5, first["y"] + 5)
        mouse.down()
        for x, y in to:
            mouse.move(x, y, steps=4)

    band((first["x"] + 300, fourth["y"] + fourth["height"] / 2))
    expect(selected).to_have_text("4 selected")
    expect(page.locator(".band")).to_be_visible()
    mouse.up()
    expect(page.locator(".band")).to_be_hidden()
    assert screen.focus == "list"
    # Releasing the mouse over a box does not click it; Ctrl adds to the selection, Esc cancels.
    mouse.move(fourth["x"] + 5, fourth["y"] + 60)
    page.keyboard.down("Control")
    mouse.down()
    mouse.move(fourth["x"] + 8, fourth["y"] + 120, steps=4)
    expect(selected).to_have_text("6 selected")
    mouse.up()
    page.keyboard.up("Control")
    expect(selected).to_have_text("6 selected")
    band((first["x"] + 300, first["y"] + 12))
    expect(selected).to_have_text("1 selected")
    screen.press("Escape")
    expect(selected).to_have_text("6 selected")
    mouse.up()
    expect(selected).to_have_text("6 selected")
    # Below the list, dragging scrolls to the end of the list.
    band((first["x"] + 40, 890))
    scroller = "document.getElementById('list-scroller')"
    until(page, f"{scroller}.scrollTop + {scroller}.clientHeight >= {scroller}.scrollHeight - 1")
    expect(selected).to_have_text("60 selected")
    mouse.up()
    page.locator("#clear-selection").click()
    # A click on a box still works, and a row can still be dragged onto a topic.
    screen.press("Home")
    screen.row("XK models").locator(".box").click()
    expect(selected).to_have_text("1 selected")
    row, topic = screen.row("XK models").bounding_box(), screen.topic("Cats").bounding_box()
    assert row is not None
    assert topic is not None
    mouse.move(row["x"] + 90, row["y"] + 20)
    mouse.down()
    mouse.move(row["x"] + 80, row["y"] + 30, steps=4)
    mouse.move(topic["x"] + 90, topic["y"] + 12, steps=12)
    expect(page.locator(".drag-hint")).to_contain_text("→")
    mouse.up()
    assert "p2" in screen.placed()["Cats"]


def test_number_of_issues_is_the_same_everywhere(browse: Browse, owner: User, curator: User) -> None:
    """The draft has three issues (pages in no topic, an empty topic, two equal names) and a warning."""
    draft = findable_draft(owner, curator)
    screen = opener(browse)(owner, draft)
    page = screen.page
    screen.press("l", "n").type("Empty").press("Enter", "n").type("empty").press("Enter")
    expect(page.get_by_role("button", name=re.compile(r"^Issues \d"))).to_have_accessible_name(
        "Issues 4. 4 issues to resolve before publishing"
    )
    screen.saved()
    screen.press("g", "i")
    expect(screen.dialog.locator(".issues .head").first).to_have_text("4 issues to resolve before publishing")
    expect(screen.dialog.locator(".issues .error")).to_have_count(4)
    slug = draft.query.collection.slug
    for address in (reverse("drafts", args=[slug, "jaguar"]), reverse("curate", args=[slug])):
        page.goto(address)
        page.get_by_role("link", name=re.compile("^4 issues")).click()
        expect(screen.dialog.locator(".issues .error")).to_have_count(4)
        # The first issue has the focus.
        expect(screen.dialog.get_by_role("button", name=re.compile("^Go: 56 pages"))).to_be_focused()
    page.goto(reverse("draft-publish", args=[draft.pk]))
    expect(page.get_by_role("heading", name="Not ready: 4 issues")).to_be_visible()
    page.get_by_role("link", name="Fix them in the draft").click()
    expect(screen.dialog.locator(".issues .error")).to_have_count(4)

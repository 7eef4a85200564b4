"""Messages of the workspace: completed actions, key sequences, the effect of submitting, and reasons for failures."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.imports.services import import_documents
from annotations.models import Assignment, Collection, Draft
from qc4.model.gold_document import GoldDocument, Page
from tests.browser.workspace import Workspace, opener
from tests.fixtures.browser import Browse
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("words of the workspace")]


@pytest.fixture
def screen(browse: Browse, owner: User, own_draft: Draft) -> Workspace:
    return opener(browse)(owner, own_draft, "?queue=all&page=p1")


def said(screen: Workspace) -> Locator:
    """Return the message line at the bottom."""
    return screen.page.locator("#said .said-words")


def test_every_action_is_reported_in_past_tense(screen: Workspace) -> None:
    screen.press("t").type("outb").press("Enter")
    expect(said(screen)).to_have_text("Put “Page 1” into Engines › Outboards.")
    screen.press("Home", "f")
    expect(said(screen)).to_have_text("Flagged “Page 1”.")
    screen.press("Control+z")
    expect(said(screen)).to_have_text("Undone: Flag 1 page.")
    screen.press("Control+Shift+z")
    expect(said(screen)).to_have_text("Done again: Flag 1 page.")
    screen.press("Shift+j", "o")
    expect(said(screen)).to_have_text("Made 2 pages outliers; 2 left their topics.")
    screen.page.locator("#said").get_by_role("button", name="Undo").click()
    expect(said(screen)).to_have_text("Undone: Make 2 pages outliers.")
    assert screen.saved().outliers == {"p8"}


def test_removal_message_names_topics_and_offers_undo(screen: Workspace) -> None:
    """The page p4 is in Engines through its subtopic, so the digit of Engines removes it from both."""
    screen.press("j", "j", "j", "2")
    words = "Took “Page 4” out of Engines › Outboards."
    expect(said(screen)).to_have_text(words)
    notice = screen.page.locator("#toasts .snack", has_text=words)
    notice.get_by_role("button", name="Undo").click()
    expect(screen.row("Page 4")).to_contain_text("Outboards")
    assert "p4" in screen.placed()["Outboards"]


def test_dragging_topic_among_siblings_reports_position(screen: Workspace) -> None:
    start, end = screen.topic("Engines").bounding_box(), screen.topic("Planet").bounding_box()
    assert start is not None
    assert end is not None
    mouse = screen.page.mouse
    mouse.move(start["x"] + 90, start["y"] + start["height"] / 2)
    mouse.down()
    mouse.move(start["x"] + 80, start["y"] - 4, steps=4)
    mouse.move(end["x"] + 90, end["y"] + 2, steps=8)
    expect(screen.topic("Planet")).to_have_class(re.compile("drop-before"))
    mouse.up()
    expect(said(screen)).to_have_text("Moved Engines before Planet.")
    assert screen.tree() == ["Engines", "Engines/Outboards", "Engines/Spare parts", "Planet"]


@pytest.fixture
def long(owner: User) -> Draft:
    """A draft without topics for a query with 60 pages."""
    pages = tuple(Page(f"p{n}", n, f"https://example.org/{n}", f"Page {n}", "") for n in range(1, 61))
    document = GoldDocument("long", "a long list", pages, (), ())
    collection = import_documents(documents=[document], name="Long", user=owner, public=False)
    return drafts.from_nothing(query=collection.queries.get(), user=owner, kind=Draft.Kind.OWN)


def test_dragged_row_may_scroll_out_of_view(browse: Browse, owner: User, long: Draft) -> None:
    """SortableJS needs the row until it is dropped. Errors thrown in the page fail the test."""
    screen = opener(browse)(owner, long, "?queue=all&page=p2")
    page, dragged = screen.page, screen.page.locator('#list .p-row[data-page="p2"]')
    row, foot = dragged.bounding_box(), page.locator("#tree-foot").bounding_box()
    assert row is not None
    assert foot is not None
    page.mouse.move(row["x"] + 90, row["y"] + 20)
    page.mouse.down()
    page.mouse.move(row["x"] + 80, row["y"] + 32, steps=4)
    expect(page.locator("#curate.dragging")).to_have_count(1)
    page.locator("#list-scroller").evaluate("element => { element.scrollTop = element.scrollHeight; }")
    expect(page.locator('.p-row[data-page="p60"]')).to_be_visible()
    expect(page.locator('.p-row[data-page="p1"]')).to_have_count(0)
    expect(dragged).to_be_attached()
    page.mouse.move(foot["x"] + 90, foot["y"] + 10, steps=12)
    expect(page.locator("#tree-foot")).to_have_class(re.compile("drop-in"))
    page.mouse.up()
    expect(said(screen)).to_have_text("Made “Page 2” an outlier.")
    assert screen.saved().outliers == {"p2"}


def test_drag_does_not_scroll_list(browse: Browse, owner: User, long: Draft) -> None:
    screen = opener(browse)(owner, long, "?queue=all&page=p2")
    page = screen.page
    row, foot = screen.row("Page 2").first.bounding_box(), page.locator("#tree-foot").bounding_box()
    assert row is not None
    assert foot is not None
    page.mouse.move(row["x"] + 90, row["y"] + 20)
    page.mouse.down()
    page.mouse.move(row["x"] + 80, row["y"] + 32, steps=4)
    page.mouse.move(foot["x"] + 90, foot["y"] + 10, steps=12)
    expect(page.locator("#tree-foot")).to_have_class(re.compile("drop-in"))
    assert page.evaluate("getSelection().toString()") == ""
    assert page.locator("#list-scroller").evaluate("element => element.scrollTop") == 0
    page.mouse.up()
    assert screen.saved().outliers == {"p2"}


def test_enter_highlights_new_topic_and_second_enter_adds_it(screen: Workspace) -> None:
    before = screen.tree()
    screen.press("t").type("Zoo")
    expect(screen.dialog).to_contain_text("No topic has that name. Press Enter for a new topic, Esc to leave.")
    screen.press("Enter")
    expect(screen.dialog.get_by_role("option", selected=True)).to_contain_text("New topic “Zoo”")
    expect(screen.dialog).to_contain_text("Enter again makes “Zoo”.")
    assert screen.tree() == before
    # Further typing returns to the search.
    screen.type("logy")
    expect(screen.dialog.get_by_role("option", selected=True)).to_have_count(0)
    screen.press("Escape")
    expect(screen.dialog).to_have_count(0)
    assert screen.tree() == before
    screen.press("t").type("Zoo").press("Enter", "Enter")
    expect(said(screen)).to_have_text("Added Zoo and put “Page 1” into it.")
    assert screen.placed()["Zoo"] == {"p1"}


def test_second_key_of_sequence_is_prompted(screen: Workspace) -> None:
    screen.press("g")
    expect(screen.page.locator("#chord")).to_contain_text("Outliers")
    screen.press("o")
    expect(screen.page.locator("#chord")).to_have_count(0)
    expect(screen.page.locator("#queue-name")).to_have_text("Outliers")
    screen.press("g", "Escape")
    expect(screen.page.locator("#chord")).to_have_count(0)


def test_page_panel_shows_full_snippet_and_matching_keys(screen: Workspace) -> None:
    page = screen.page
    panel = page.locator("#region-page")
    expect(panel.get_by_role("heading", name="Snippet")).to_be_visible()
    expect(panel.get_by_role("heading", name="Text of the page")).to_be_visible()
    outlier = panel.get_by_role("button", name="Outlier", exact=True)
    expect(outlier.locator("kbd")).to_have_text("o")
    screen.press("Shift+j")
    expect(panel.locator(".p-do kbd")).to_have_count(0)
    expect(panel).to_contain_text("For this page only; keys act on the 2 selected pages.")
    screen.press("Escape", "Enter")
    assert screen.focus == "page-text"
    screen.press("Escape")
    assert screen.focus == "list"


def test_suggestions_are_not_offered_if_all_pages_are_placed(screen: Workspace) -> None:
    why = "Every page is placed. Topics are suggested only for pages in no topic."
    screen.page.locator("#more").click()
    item = screen.page.get_by_role("menuitem", name="Suggest topics…")
    expect(item).to_have_attribute("aria-disabled", "true")
    expect(item).to_contain_text(why)
    screen.press("Escape", "g", "g")
    expect(screen.dialog).to_contain_text(why)


def test_submitting_explains_effect_and_next_step(
    browse: Browse, owner: User, own_draft: Draft, collection: Collection
) -> None:
    other = collection.queries.exclude(key="mercury").first()
    assert other is not None
    Assignment.objects.create(query=other, curator=owner)
    screen = opener(browse)(owner, own_draft, "?queue=all&page=p1")
    screen.page.locator("#region-page").get_by_role("button", name="Take out of Planet").click()
    screen.press("l").saved()
    screen.page.get_by_role("button", name="Submit", exact=True).click()
    expect(screen.dialog).to_contain_text("The draft can no longer be changed")
    expect(screen.dialog).to_contain_text("the comparison will lack numbers")
    screen.dialog.get_by_role("button", name="Submit anyway").click()
    state = screen.page.get_by_role("region", name="State of the draft")
    expect(state).to_contain_text("Submitted.")
    expect(state.get_by_role("link", name="Curate overview")).to_have_attribute(
        "href", reverse("curate", args=[collection.slug])
    )
    expect(state.get_by_role("link", name=re.compile("^Next, assigned to you:"))).to_have_attribute(
        "href", reverse("drafts", args=[collection.slug, other.key])
    )
    # No control suggests that the draft can be changed.
    panel = screen.page.locator("#region-page")
    expect(panel.get_by_role("button", name=re.compile("^Take out of"))).to_have_count(0)
    expect(panel.get_by_role("button", name="Outlier")).to_have_count(0)
    expect(screen.page.locator("#undo")).to_be_hidden()


def test_offline_message_names_missing_parts_and_warns_of_reload(screen: Workspace) -> None:
    screen.page.context.set_offline(True)
    screen.press("j", "f")
    banner, panel = screen.page.locator("#banner"), screen.page.locator("#region-page")
    expect(banner).to_contain_text("do not reload this page")
    expect(panel).to_contain_text("Similar pages could not be loaded. The site cannot be reached.")
    banner.get_by_role("button", name="Close this message").click()
    expect(banner).to_be_hidden()
    screen.page.context.set_offline(False)
    expect(panel.locator(".similar .alike").first).to_be_visible()
    assert screen.saved().flags == {"p2"}


def test_arrival_message_can_be_closed(browse: Browse, owner: User, collection: Collection) -> None:
    page = browse(owner)
    page.goto(reverse("drafts", args=[collection.slug, "mercury"]))
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/drafts/\d+/$"))
    notice = page.locator("#toasts .snack")
    expect(notice).to_contain_text("starts from")
    expect(page.locator("#content > .notice")).to_have_count(0)
    notice.get_by_role("button", name="Close this notice").click()
    expect(notice).to_have_count(0)


@pytest.mark.parametrize("path", ["guidelines", "curate"])
def test_guidelines_and_overview_are_linked(screen: Workspace, path: str) -> None:
    address = reverse(path, args=[screen.draft.query.collection.slug])
    expect(screen.page.locator(f'#foot a[href="{address}"]')).to_be_visible()
    screen.page.locator("#more").click()
    expect(screen.page.locator(f'.menu-pop a[href="{address}"]')).to_be_visible()


def test_header_fits_on_phone(browse: Browse, owner: User, own_draft: Draft) -> None:
    screen = opener(browse)(owner, own_draft, "?queue=all&page=p3", width=390)
    for name in ("#publish", "#submit", "#save", "#more"):
        box = screen.page.locator(name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    expect(screen.page.locator("#region-tabs button")).to_have_text(["Topics", "List", "Page 3"])

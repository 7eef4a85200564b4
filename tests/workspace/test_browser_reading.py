"""Reading: region widths, long texts, marked words and unread pages."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.selectors import states
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Collection, Draft, Page
from tests.browser.accessibility import violations
from tests.browser.page_layout import too_large, too_small
from tests.browser.workspace import Open, Workspace
from tests.profiles import thorough
from tests.trigger_bypass import unguarded

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("reading in the workspace")]


def width(screen: Workspace, region: str) -> int:
    box = screen.page.locator(f"#region-{region}").bounding_box()
    assert box is not None
    return round(box["width"])


def test_regions_keep_chosen_width(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1")
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


def test_region_edges_adapt_to_narrow_windows_and_touch(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1", width=1600)
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


LONG = "\n\n".join(f"Paragraph {number} about ENGINES, the planet and other things." for number in range(60))


@pytest.fixture
def unsorted(collection: Collection, owner: User) -> Draft:
    """A draft with the topics Planet (p1 to p3) and Engines; p4 to p8 are in no topic. p4 and p5 have long texts."""
    query = collection.queries.get(key="mercury")
    with unguarded(Page):
        query.pages.filter(key__in=("p4", "p5")).update(text=LONG)
    with unguarded(Page):
        query.pages.filter(key__in=("p1", "p2")).update(snippet="Its orbit is near the sun")
    with unguarded(Page):
        query.pages.filter(key="p4").update(snippet="An órbit and a motor")
    draft = drafts.from_nothing(query=query, user=owner, kind=Draft.Kind.SHARED)
    operations = [
        {"kind": "add_topic", "topic": "planet", "name": "Planet", "pages": ["p1", "p2", "p3"]},
        {"kind": "add_topic", "topic": "engines", "name": "Engines"},
    ]
    perform(draft, owner, DraftRequest(uuid4(), draft.revision, operations))
    return draft


def test_long_text_is_read_by_keyboard(open_workspace: Open, owner: User, unsorted: Draft) -> None:
    screen = open_workspace(owner, unsorted, "?queue=level-1")
    reading, text = screen.page.locator("#reading"), screen.page.locator(".reading-text")
    expect(reading).to_be_hidden()
    screen.press("r")
    expect(text).to_be_focused()
    expect(reading.get_by_role("heading", name="Page 4")).to_be_visible()
    expect(reading).to_contain_text("Paragraph 59")
    size, measure = text.evaluate("""box => [parseFloat(getComputedStyle(box).fontSize),
        box.querySelector("article").clientWidth / parseFloat(getComputedStyle(box).fontSize)]""")
    assert size >= 18
    assert measure < 40, "the line length is readable"
    screen.press("PageDown")
    screen.page.wait_for_function("() => document.querySelector('.reading-text').scrollTop > 100")
    assert violations(screen.page) == []
    screen.press("2")
    expect(reading.get_by_role("heading", name="Page 5")).to_be_visible()
    assert text.evaluate("box => box.scrollTop") == 0
    screen.press("o")
    expect(reading.get_by_role("heading", name="Page 6")).to_be_visible()
    screen.press("n")
    expect(reading.get_by_role("heading", name="Page 7")).to_be_visible()
    screen.press("t")
    expect(screen.dialog).to_be_visible()
    screen.press("Escape")
    expect(screen.dialog).to_be_hidden()
    expect(text).to_be_focused()
    screen.press("k")
    expect(reading.get_by_role("heading", name="Page 6")).to_be_visible()
    screen.press("Escape")
    expect(reading).to_be_hidden()
    expect(screen.page.locator("#list")).to_be_focused()
    expect(screen.cursor).to_have_attribute("data-page", "p6")
    assert screen.placed()["Engines"] == {"p4"}
    assert screen.saved().outliers == {"p5"}


def test_long_text_is_read_by_mouse_and_on_phone(open_workspace: Open, owner: User, unsorted: Draft) -> None:
    screen = open_workspace(owner, unsorted, "?queue=level-1", width=390, scheme="dark")
    page = screen.page
    screen.row("Page 4").locator(".what").click()
    page.get_by_role("button", name="Read", exact=True).click()
    reading = page.locator("#reading")
    expect(reading).to_contain_text("Paragraph 59")
    assert too_large(page) == []
    assert too_small(page) == []
    assert violations(page) == []
    page.locator("#digits").get_by_role("button", name="Engines").click()
    expect(reading.get_by_role("heading", name="Page 5")).to_be_visible()
    reading.get_by_role("button", name="Previous").click()
    reading.get_by_role("button", name="Next").click()
    reading.get_by_role("button", name="Close").click()
    expect(screen.row("Page 5")).to_be_visible()
    assert screen.placed()["Engines"] == {"p4"}


def test_words_of_topics_and_search_are_marked(open_workspace: Open, owner: User, unsorted: Draft) -> None:
    screen = open_workspace(owner, unsorted, "?queue=level-1&page=p4")
    page = screen.page
    marks = page.locator("#region-page mark")
    expect(page.locator(".snippet mark")).to_have_text(["órbit"])
    expect(page.locator(".page-text mark").first).to_have_text("ENGINES")
    planet, engines = (screen.topic(name).locator(".dot") for name in ("Planet", "Engines"))
    for what, dot in ((".snippet mark", planet), (".page-text mark >> nth=0", engines)):
        hue = (dot.get_attribute("class") or "").split()[1]
        expect(page.locator(what).first).to_have_class(f"of-topic {hue}")
    assert violations(page) == []
    screen.press("h")
    expect(marks).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name="Marks")).to_have_attribute("aria-pressed", "false")
    page.get_by_label("Search pages").fill("MÓTOR")
    page.get_by_label("Search pages").fill("page")
    expect(page.locator("#page-title mark.searched")).to_have_text("Page")
    page.get_by_role("button", name="Marks").click()
    expect(page.locator(".snippet mark")).to_have_text(["órbit"])
    screen.press("r")
    expect(page.locator(".reading-body mark").first).to_have_text("ENGINES")
    screen.press("/").type("there is no such page")
    expect(page.locator("#reading")).to_be_hidden()
    expect(page.get_by_label("Search pages")).to_be_focused()


def test_next_unread_page_is_found(open_workspace: Open, owner: User, curator: User, unsorted: Draft) -> None:
    screen = open_workspace(owner, unsorted, "?queue=all&page=p2")
    unread = screen.page.locator(".p-row.unread")
    expect(unread).to_have_count(7)
    screen.press("u")
    expect(screen.cursor).to_have_attribute("data-page", "p3")
    expect(unread).to_have_count(6)
    screen.page.locator("#do-unread").click()
    expect(screen.cursor).to_have_attribute("data-page", "p4")
    expect(unread).to_have_count(5)
    screen.press("Home", "u")
    expect(screen.cursor).to_have_attribute("data-page", "p5")
    expect(unread).to_have_count(4)  # p1 was left before its text had loaded
    screen.page.reload()
    expect(screen.page.locator("#curate[data-ready]")).to_be_visible()
    expect(unread).to_have_count(4)
    others = open_workspace(curator, unsorted, "?queue=all&page=p2").page.locator(".p-row.unread")
    expect(others).to_have_count(7)
    for page in ("p6", "p7", "p8", "p1"):
        screen.press("u")
        expect(screen.cursor).to_have_attribute("data-page", page)
        expect(screen.cursor).not_to_have_class(re.compile("unread"))
    screen.press("u")
    expect(screen.page.locator("#said")).to_contain_text("You have read every page")


def test_hidden_page_does_not_count_as_read(open_workspace: Open, owner: User, unsorted: Draft) -> None:
    phone = open_workspace(owner, unsorted, "?queue=all", width=390).page
    answered = phone.wait_for_function("() => document.querySelector('.p-similar li .alike, .p-similar .muted')")
    assert answered
    expect(phone.locator(".p-row.unread")).to_have_count(8)
    phone.locator("#page-tab").click()
    phone.locator("[data-go=pages]").click()
    expect(phone.locator(".p-row.unread")).to_have_count(7)


def test_topics_after_the_ninth_have_keys(open_workspace: Open, owner: User, unsorted: Draft) -> None:
    more = [{"kind": "add_topic", "topic": f"m{at}", "name": f"More {at}"} for at in range(12)]
    perform(unsorted, owner, DraftRequest(uuid4(), unsorted.revision, more))
    screen = open_workspace(owner, unsorted, "?queue=all&page=p5")
    page = screen.page
    expect(screen.topic("More 7").locator(".key-badge")).to_have_attribute("data-key", "01")
    screen.press("0")
    menu = page.get_by_role("menu", name="More topics")
    expect(menu.locator("kbd")).to_have_text(["1", "2", "3", "4", "5"])
    assert violations(page) == []
    screen.press("Escape")
    expect(menu).to_be_hidden()
    screen.press("0", "3")
    expect(screen.row("Page 5")).to_contain_text("More 9")
    screen.press("Home", "0", "Shift+Digit5")
    expect(screen.row("Page 1")).to_contain_text("More 11")
    assert screen.saved().finest_topics("p1") == ["m11"]
    page.locator("#more-topics").click()
    page.get_by_role("menuitemradio", name="More 7").click()
    assert screen.placed()["More 7"] == {"p1"}
    assert screen.placed()["More 9"] == {"p5"}


def test_topics_without_key_are_counted_and_listed(open_workspace: Open, owner: User, unsorted: Draft) -> None:
    """Nine of 51 topics have digits, 35 have a key after `0`, and the others have no key."""
    have = len(states.current(unsorted).state.children_of(None))
    more = [{"kind": "add_topic", "topic": f"m{at}", "name": f"More {at}"} for at in range(have, 51)]
    perform(unsorted, owner, DraftRequest(uuid4(), unsorted.revision, more))
    screen = open_workspace(owner, unsorted, "?queue=all&page=p5")
    expect(screen.page.locator("#more-topics")).to_contain_text("42 more")
    screen.press("0")
    menu = screen.page.get_by_role("menu", name="More topics")
    expect(menu.get_by_role("menuitemradio")).to_have_count(42)
    menu.get_by_role("menuitemradio", name="More 50").click()
    assert screen.placed()["More 50"] == {"p5"}

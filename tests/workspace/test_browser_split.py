"""Splitting a topic as a queue: by keyboard alone, by mouse alone, and resumed after an interruption."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.imports.services import import_documents
from annotations.models import Draft, Query
from qc4.model.gold_document import GoldDocument, Page
from tests.browser.input_devices import Keyboard, Mouse
from tests.browser.workspace import Workspace, opener
from tests.fixtures.browser import Browse
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("splitting a topic in a browser")]

CATS = ("Big cats hunt at night", "Big cats of the rain forest", "Rain forest big cats")
CARS = ("Racing cars and engines", "Engines of racing cars", "Fast racing cars")
TITLES = [title for both in zip(CATS, CARS, strict=True) for title in both]
"""Pages p1, p3 and p5 are about cats, p2, p4 and p6 about cars, and p7 about neither."""


@pytest.fixture
def query(transactional_db: None, owner: User) -> Query:
    pages = tuple(Page(f"p{n}", n, title=title) for n, title in enumerate([*TITLES, "Atari console"], 1))
    return import_documents(name="Cats", documents=[GoldDocument("jaguar", "jaguar", pages)], user=owner).queries.get()


@pytest.fixture
def draft(query: Query, owner: User) -> Draft:
    """A draft with all seven pages in one topic."""
    made = drafts.from_nothing(query=query, user=owner, kind=Draft.Kind.SHARED)
    topic = {"kind": "add_topic", "topic": "t-all", "name": "Jaguar", "pages": [f"p{n}" for n in range(1, 8)]}
    perform(made, owner, DraftRequest("7c1e0f3e-6a44-4b0e-9d53-3f1c2c0d5a01", 0, [topic]))
    return made


def shown(screen: Workspace) -> list[str]:
    return [str(row.get_attribute("data-page")) for row in screen.page.locator(".p-row").all()]


def test_split_by_keyboard_and_resume(browse: Browse, owner: User, draft: Draft) -> None:
    page = browse(owner)
    keyboard = Keyboard(page)
    screen = Workspace(page, draft).open("?queue=all")
    bar = page.locator("#split-bar")
    keyboard.press("l", "Home", "s")
    expect(bar).to_contain_text("7 pages left")
    # Similar pages are grouped, and named by their distinctive words.
    expect(page.locator(".p-group")).to_have_count(3)
    names = page.locator(".p-group bdi").all_inner_texts()
    assert {"big cats", "racing cars"} <= {name.casefold() for name in names}
    assert screen.focus == "list"
    # The whole group is placed at once, and its name is proposed.
    keyboard.press("Home", "Shift+X", "+")
    expect(screen.dialog.get_by_label(re.compile("^Name for 3 pages"))).to_have_value(
        re.compile("^(big|racing) ca", re.IGNORECASE)
    )
    keyboard.press("Control+a").type("First").press("Enter")
    expect(bar).to_contain_text("4 pages left")
    # A free digit also creates the next part.
    keyboard.press("2")
    keyboard.press("Control+a").type("Second").press("Enter")
    expect(bar).to_contain_text("3 pages left")
    keyboard.press("2")
    expect(bar).to_contain_text("2 pages left")
    # Each part is an entry with its own undo.
    keyboard.press("Control+z")
    expect(bar).to_contain_text("3 pages left")
    # The person leaves the split, and returns to the remaining pages.
    keyboard.press("Escape")
    expect(bar).to_be_hidden()
    expect(page.locator("#said")).to_contain_text("3 pages left to split")
    keyboard.press("l", "Home", "s")
    expect(bar).to_contain_text("3 pages left")
    assert page.locator(".p-row").count() == 3
    keyboard.press("2", "2", "2")
    expect(bar).to_contain_text("0 pages left")
    assert screen.tree() == ["Jaguar", "Jaguar/First", "Jaguar/Second"]
    placed = screen.placed()
    assert len(placed["First"]) == 3
    assert placed["First"] | placed["Second"] == {f"p{n}" for n in range(1, 8)}
    keyboard.used_no_mouse()


def test_split_by_mouse_into_siblings(browse: Browse, owner: User, draft: Draft) -> None:
    page = browse(owner)
    mouse = Mouse(page)
    screen = Workspace(page, draft).open("?queue=all")
    mouse.click(screen.topic("Jaguar"), button="right")
    screen.menu("Split")
    bar = page.locator("#split-bar")
    mouse.click(bar.get_by_role("button", name="Topics beside it"))
    expect(page.locator(".p-group")).to_have_count(3)
    mouse.click(page.locator(".p-group").filter(has_text=re.compile("racing cars", re.IGNORECASE)))
    expect(page.locator("#selected")).to_have_text("3 selected")
    mouse.click(bar.get_by_role("button", name="New part"))
    mouse.click(screen.dialog.get_by_role("button", name="Add"))
    expect(bar).to_contain_text("4 pages left")
    assert screen.placed()["Jaguar"] == {"p1", "p3", "p5", "p7"}
    # The badge of the new topic moves a page out of the topic being split.
    mouse.click(screen.row("Atari console").locator(".title"))
    mouse.click(page.locator("#digits .digit").filter(has_text=re.compile("racing cars", re.IGNORECASE)))
    expect(bar).to_contain_text("3 pages left")
    assert screen.placed()["Jaguar"] == {"p1", "p3", "p5"}
    mouse.click(bar.get_by_role("button", name="Done"))
    expect(bar).to_be_hidden()
    assert len(screen.tree()) == 2
    mouse.used_no_keys()


def test_url_restores_the_split(browse: Browse, owner: User, draft: Draft) -> None:
    screen = opener(browse)(owner, draft, "?topic=t-all&queue=split")
    expect(screen.page.locator("#split-bar")).to_contain_text("7 pages left")
    expect(screen.page).to_have_url(re.compile("queue=split"))
    screen.page.reload()
    expect(screen.page.locator("#split-bar")).to_contain_text("7 pages left")

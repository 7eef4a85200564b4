"""Pages that appear in two groups of the list, also while others change the draft."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from playwright.sync_api import expect

from accounts.models import User
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Draft
from tests.browser.workspace import Open
from tests.profiles import thorough
from tests.workspace.test_browser_list import FRAMES, long  # noqa: F401  # fixtures

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("groups of the workspace")]


def put(draft: Draft, user: User, *operations: dict[str, Any]) -> None:
    row = Draft.objects.get(pk=draft.pk)
    perform(row, user, DraftRequest(uuid.uuid4(), row.revision, list(operations)))


@pytest.fixture
def grouped(long: Draft, owner: User) -> Draft:  # noqa: F811  # a fixture
    """A draft with p8 and p9 in Planet but in none of its subtopics, and p1 to p5 and p8 in Engines."""
    put(
        long,
        owner,
        {"kind": "add_topic", "topic": "a1", "name": "Inner", "parent": "t-Planet", "pages": ["p20"]},
        {"kind": "add_topic", "topic": "b1", "name": "Parts", "parent": "t-Engines", "pages": ["p21"]},
        {"kind": "assign", "pages": ["p8", "p9"], "topics": ["t-Planet"]},
        {"kind": "assign", "pages": ["p1", "p2", "p3", "p4", "p5", "p8"], "topics": ["t-Engines"]},
    )
    return long


def test_extending_selection_from_page_in_two_groups(open_workspace: Open, owner: User, grouped: Draft) -> None:
    screen = open_workspace(owner, grouped, "?queue=between&page=p8")
    expect(screen.cursor).to_have_attribute("data-page", "p8")
    for _ in range(3):
        screen.press("Shift+ArrowDown")
    chosen = screen.page.locator('.p-row[aria-selected="true"]').evaluate_all(
        "rows => rows.map(({dataset}) => dataset.page)"
    )
    assert set(chosen) == {"p8", "p9", "p1", "p2"}


def test_reading_view_shows_position(open_workspace: Open, owner: User, grouped: Draft) -> None:
    screen = open_workspace(owner, grouped, "?queue=between&page=p8")
    for _ in range(7):
        screen.press("j")
    assert screen.cursor.get_attribute("data-page") == "p8"
    assert screen.cursor.get_attribute("aria-posinset") == "8"
    screen.press("r")
    where = screen.page.locator(".reading-where")
    expect(where).to_contain_text("8 of 8")


def test_placing_pages_through_both_groups(open_workspace: Open, owner: User, grouped: Draft) -> None:
    """The digits of subtopics place each page of Planet, then each page of Engines; p8 comes twice."""
    screen = open_workspace(owner, grouped, "?queue=between&page=p8")
    seen = []
    for _ in range(8):
        at = screen.cursor
        seen.append((at.get_attribute("data-page"), at.get_attribute("aria-posinset")))
        screen.press("1")
        screen.page.evaluate(FRAMES)
    assert [page for page, _ in seen] == ["p8", "p9", "p1", "p2", "p3", "p4", "p5", "p8"]
    assert screen.placed()["Inner"] >= {"p8", "p9"}
    assert screen.placed()["Parts"] >= {"p1", "p8"}


def test_selecting_page_by_box_in_second_group(open_workspace: Open, owner: User, grouped: Draft) -> None:
    """A page selected in Engines and put into Parts stays listed there as done until the next move."""
    screen = open_workspace(owner, grouped, "?queue=between&page=p8")
    rows = screen.page.locator('.p-row[data-page="p8"]')
    rows.nth(1).locator(".box").click()
    screen.topic("Parts").locator(".box").click()
    screen.page.evaluate(FRAMES)
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_have_class(re.compile(r"\bdone\b"))
    expect(rows.nth(0)).not_to_have_class(re.compile(r"\bdone\b"))

"""The list of pages after it was scrolled or changed while hidden, or by others."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.imports.services import import_documents
from annotations.models import Draft
from qc4.model.gold_document import Page as GoldPage
from tests.browser.workspace import Open
from tests.profiles import thorough
from tests.samples.documents import mercury

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("the list of the workspace")]
PAGES = [f"p{number}" for number in range(1, 81)]


@pytest.fixture
def long(transactional_db: None, owner: User) -> Draft:
    """A draft of 80 pages with the empty topics Planet and Engines."""
    pages = tuple(GoldPage(page, rank, None, f"Page {rank}", f"Text {rank}") for rank, page in enumerate(PAGES, 1))
    document = replace(mercury(), pages=pages, topics=(), outliers=())
    collection = import_documents(name="Long", documents=[document], user=owner, public=True)
    draft = drafts.from_nothing(query=collection.queries.get(), user=owner, kind=Draft.Kind.SHARED)
    added = [
        {"kind": "add_topic", "topic": f"t-{name}", "name": name, "parent": None} for name in ("Planet", "Engines")
    ]
    perform(draft, owner, DraftRequest(uuid.uuid4(), draft.revision, added))
    return draft


FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
WHOLE = """(cursor) => {
  const edge = document.getElementById("list-scroller").getBoundingClientRect();
  const end = Math.min(edge.bottom, document.getElementById("list").getBoundingClientRect().bottom);
  const rows = [...document.querySelectorAll(".p-row, .p-group")].map((row) => row.getBoundingClientRect());
  for (let y = edge.top + 4; y < end - 4; y += 10)
    if (!rows.some(({top, bottom}) => top - 2 <= y && y <= bottom + 2)) return false;
  const at = document.querySelector(".p-row.cursor")?.getBoundingClientRect();
  return !cursor || Boolean(at && at.top >= edge.top - 1 && at.bottom <= edge.bottom + 1);
}"""


def whole(page: Page, *, cursor: bool = True) -> None:
    """Assert that the visible part of the list is full of rows, including the cursor's."""
    page.evaluate(FRAMES)
    page.wait_for_function(WHOLE, arg=cursor)


@pytest.mark.parametrize("width", [390, 800])
@pytest.mark.parametrize(("queue", "key"), [("all", "1"), ("level-1", "1"), ("all", "j")])
def test_list_is_complete_after_work_in_page_panel(
    open_workspace: Open, owner: User, long: Draft, queue: str, key: str, width: int
) -> None:
    """Placing moves on, both in a queue it empties and in one that stays, and so does the key for the next page."""
    screen = open_workspace(owner, long, f"?queue={queue}&page=p1", width=width)
    screen.page.locator('[data-go="page"]').click()
    for _ in range(30):
        screen.press(key)
    screen.page.locator('[data-go="pages"]').click()
    whole(screen.page)


@pytest.mark.parametrize("width", [390, 800])
def test_list_is_complete_after_choosing_queue_by_topic(
    open_workspace: Open, owner: User, long: Draft, width: int
) -> None:
    every = [{"kind": "assign", "pages": PAGES, "topics": ["t-Planet"]}]
    perform(long, owner, DraftRequest(uuid.uuid4(), long.revision, every))
    screen = open_workspace(owner, long, "?queue=all&page=p1", width=width)
    for _ in range(40):
        screen.press("j")
    screen.page.locator('[data-go="topics"]').click()
    screen.topic("Planet").locator(".name").click()
    screen.page.locator('[data-go="pages"]').click()
    whole(screen.page, cursor=False)


def test_list_position_stays_after_viewing_topics(open_workspace: Open, owner: User, long: Draft) -> None:
    screen = open_workspace(owner, long, "?queue=all&page=p1", width=390)
    for _ in range(40):
        screen.press("j")
    whole(screen.page)
    screen.page.locator('[data-go="topics"]').click()
    screen.page.evaluate(FRAMES)
    screen.page.locator('[data-go="pages"]').click()
    whole(screen.page)


def test_list_is_complete_after_changes_of_others_while_hidden(open_workspace: Open, owner: User, long: Draft) -> None:
    screen = open_workspace(owner, long, "?queue=level-1&page=p1", width=390)
    for _ in range(40):
        screen.press("j")
    whole(screen.page)
    screen.page.locator('[data-go="page"]').click()
    some = [{"kind": "assign", "pages": PAGES[:30], "topics": ["t-Planet"]}]
    row = Draft.objects.get(pk=long.pk)
    perform(row, owner, DraftRequest(uuid.uuid4(), row.revision, some))
    expect(screen.page.locator("#queue-count")).to_have_text("50")
    screen.page.locator('[data-go="pages"]').click()
    whole(screen.page)


def test_list_is_complete_after_resizing_to_phone_and_back(open_workspace: Open, owner: User, long: Draft) -> None:
    screen = open_workspace(owner, long, "?queue=all&page=p1")
    for _ in range(40):
        screen.press("j")
    screen.page.set_viewport_size({"width": 390, "height": 700})
    whole(screen.page, cursor=False)
    screen.page.locator('[data-go="page"]').click()
    for _ in range(20):
        screen.press("j")
    screen.page.set_viewport_size({"width": 1280, "height": 900})
    whole(screen.page)


def test_list_shows_cursor_after_reading(open_workspace: Open, owner: User, long: Draft) -> None:
    screen = open_workspace(owner, long, "?queue=level-1&page=p1")
    screen.press("r")
    for _ in range(40):
        screen.press("j")
    screen.press("Escape")
    whole(screen.page)


def test_key_during_scroll_brings_cursor_into_view(open_workspace: Open, owner: User, long: Draft) -> None:
    screen = open_workspace(owner, long, "?queue=all&page=p1")
    screen.page.evaluate("""() => {
      document.getElementById("list-scroller").scrollTop = 1500;
      document.getElementById("list").dispatchEvent(new KeyboardEvent("keydown",
        {key: "j", code: "KeyJ", bubbles: true}));
    }""")
    whole(screen.page)


def test_list_is_complete_after_search(open_workspace: Open, owner: User, long: Draft) -> None:
    screen = open_workspace(owner, long, "?queue=all&page=p1")
    for _ in range(60):
        screen.press("j")
    screen.page.locator("#page-search").fill("Page 7")
    whole(screen.page)
    screen.page.locator("#page-search").fill("")
    whole(screen.page, cursor=False)
    screen.page.locator("#page-search").fill("nothing like it")
    expect(screen.page.locator("#list-empty")).to_be_visible()
    screen.page.locator("#page-search").fill("")
    whole(screen.page, cursor=False)


def test_cursor_stays_visible_when_others_remove_rows_above(open_workspace: Open, owner: User, long: Draft) -> None:
    screen = open_workspace(owner, long, "?queue=level-1&page=p1")
    for _ in range(60):
        screen.press("j")
    for start in (0, 20, 40):
        some = [{"kind": "assign", "pages": PAGES[start : start + 19], "topics": ["t-Planet"]}]
        row = Draft.objects.get(pk=long.pk)
        perform(row, owner, DraftRequest(uuid.uuid4(), row.revision, some))
        expect(screen.page.locator("#save")).to_contain_text(f"r{row.revision}")
        whole(screen.page)


def test_tab_reaches_filtered_topics(open_workspace: Open, owner: User, long: Draft) -> None:
    screen = open_workspace(owner, long, "?queue=all&page=p1")
    screen.topic("Planet").locator(".name").click()
    screen.page.evaluate(FRAMES)
    screen.press("ArrowDown")
    expect(screen.topic("Engines")).to_be_focused()
    screen.page.locator("#topic-filter").fill("Plan")
    expect(screen.topic("Engines")).to_have_count(0)
    expect(screen.page.locator('.t-row[tabindex="0"]')).to_have_count(1)
    screen.page.locator("#topic-filter").fill("")
    expect(screen.topic("Engines")).to_have_count(1)
    expect(screen.page.locator('.t-row[tabindex="0"]')).to_have_count(1)

"""Topics keep their digit, colour and shape when people add, move or accept topics."""

from __future__ import annotations

from uuid import uuid4

import pytest
from playwright.sync_api import expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Collection, Draft
from tests.browser.workspace import Open, Workspace
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("digits of the workspace")]


@pytest.fixture
def suggested(collection: Collection, owner: User) -> Draft:
    """A draft with three suggested topics: A with p1 and p2, B with p3 and p4, C with p5. None is accepted."""
    query = collection.queries.get(key="mercury")
    draft = drafts.from_nothing(query=query, user=owner, kind=Draft.Kind.OWN)
    topics = [{"topic": f"s-{name}", "name": name, "parent": None} for name in "ABC"]
    hints = [["s-A", ["p1", "p2"]], ["s-B", ["p3", "p4"]], ["s-C", ["p5"]]]
    operation = {"kind": "suggest", "source": "test", "topics": topics, "hints": hints}
    perform(draft, owner, DraftRequest(uuid4(), draft.revision, [operation]))
    return draft


def digits(screen: Workspace) -> dict[str, str]:
    """Return topic name -> the digit on its badge."""
    rows = screen.page.locator(".t-row[data-topic]:has(.key-badge[data-key])")
    return {
        row.locator("bdi.name").inner_text(): row.locator(".key-badge").get_attribute("data-key") or ""
        for row in rows.all()
    }


def mark(screen: Workspace, name: str) -> str | None:
    return screen.topic(name).locator(".dot").get_attribute("class")


def test_new_topic_takes_next_free_digit(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p8")
    assert digits(screen) == {"Planet": "1", "Engines": "2"}
    screen.press("l", "Home", "n").type("Gods").press("Enter")
    assert screen.tree()[:2] == ["Planet", "Gods"]
    assert digits(screen) == {"Planet": "1", "Engines": "2", "Gods": "3"}
    screen.press("l", "3")
    assert screen.placed()["Gods"] == {"p8"}
    screen.page.reload()
    expect(screen.topic("Gods")).to_be_visible()
    assert digits(screen) == {"Planet": "1", "Engines": "2", "Gods": "3"}


def test_reordering_keeps_digits_and_deleting_frees_them(
    open_workspace: Open, owner: User, shared_draft: Draft
) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all")
    screen.press("l", "Home", "Alt+ArrowDown")
    assert screen.tree()[0] == "Engines"
    assert digits(screen) == {"Engines": "2", "Planet": "1"}
    screen.press("Delete", "Enter")
    expect(screen.topic("Planet")).to_have_count(0)
    assert digits(screen) == {"Engines": "2"}
    screen.press("Control+z")
    expect(screen.topic("Planet")).to_be_visible()
    assert digits(screen) == {"Engines": "2", "Planet": "1"}
    screen.press("Control+Shift+z")
    expect(screen.topic("Planet")).to_have_count(0)
    screen.page.locator("#add-topic").click()
    screen.type("Metal").press("Enter")
    expect(screen.topic("Metal")).to_be_visible()
    assert digits(screen) == {"Engines": "2", "Metal": "1"}


def test_topics_added_by_others_keep_digits_and_marks(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    ana, bea = open_workspace(curator, shared_draft, "?queue=all&page=p8"), open_workspace(owner, shared_draft)
    before = {name: mark(ana, name) for name in ("Planet", "Engines")}
    bea.press("l", "Home", "n").type("Gods").press("Enter", "Alt+ArrowUp")
    expect(ana.page.locator(".t-row").first).to_contain_text("Gods")
    assert digits(ana) == {"Gods": "3", "Planet": "1", "Engines": "2"}
    ana.press("1")
    assert "p8" in ana.placed()["Planet"]
    ana.page.reload()
    expect(ana.topic("Gods")).to_be_visible()
    assert {name: mark(ana, name) for name in before} == before
    assert {name: mark(bea, name) for name in before} == before
    assert mark(ana, "Gods") == mark(bea, "Gods")
    assert len({mark(ana, name) for name in ("Planet", "Engines", "Gods")}) == 3


def test_digit_is_chosen_manually(open_workspace: Open, owner: User, curator: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p8")
    screen.press("l", "Home", "k", "2", "Enter")
    assert digits(screen) == {"Planet": "2", "Engines": "1"}
    screen.topic("Engines").click(button="right")
    screen.menu("Key 1-9")
    screen.page.get_by_role("menuitemradio", name="9 free").click()
    assert digits(screen) == {"Planet": "2", "Engines": "9"}
    screen.page.locator("#list").focus()
    screen.press("9")
    assert "p8" in screen.placed()["Engines"]
    screen.page.reload()
    expect(screen.topic("Planet")).to_be_visible()
    assert digits(screen) == {"Planet": "2", "Engines": "9"}
    assert digits(open_workspace(curator, shared_draft, "?queue=all")) == {"Planet": "1", "Engines": "2"}


def test_suggested_topics_keep_digits_after_accepting_one(open_workspace: Open, owner: User, suggested: Draft) -> None:
    screen = open_workspace(owner, suggested, "?queue=all&page=p8")
    assert digits(screen) == {"A": "1", "B": "2", "C": "3"}
    screen.press("2")
    assert screen.placed()["B"] == {"p8"}
    assert digits(screen) == {"A": "1", "B": "2", "C": "3"}


def test_topic_counts_placed_and_suggested_pages_separately(
    open_workspace: Open, owner: User, suggested: Draft
) -> None:
    screen = open_workspace(owner, suggested, "?queue=all&page=p8")
    expect(screen.topic("B").locator(".waiting")).to_have_attribute("data-waiting", "2")
    expect(screen.topic("B").locator(".number")).to_have_text("")
    screen.press("2")
    expect(screen.topic("B").locator(".number")).to_have_text("1")
    expect(screen.topic("B").locator(".waiting")).to_have_attribute("data-waiting", "2")
    expect(screen.topic("B")).to_have_attribute("aria-label", "B 1 page, 2 more suggested, key 2")

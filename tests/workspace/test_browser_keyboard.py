"""The workspace by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.models import Collection, Draft, DraftEntry
from tests.browser.workspace import Open, Workspace

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def empty(collection: Collection, owner: User) -> Draft:
    """A draft of ``mercury`` without topics."""
    query = collection.queries.get(key="mercury")
    return drafts.from_nothing(query=query, user=owner, kind=Draft.Kind.OWN)


def test_build_hierarchy_without_issues_by_keyboard(open_workspace: Open, owner: User, empty: Draft) -> None:
    screen = open_workspace(owner, empty)
    # The focus is on "Add a topic".
    screen.press("n").type("Planet").press("Enter", "n").type("Engines").press("Enter")
    screen.press("Shift+n").type("Outboards").press("Enter", "n").type("Spare parts").press("Enter")
    assert screen.tree() == ["Planet", "Engines", "Engines/Outboards", "Engines/Spare parts"]
    # One key press finishes a page of the queue.
    screen.press("]", "1", "1", "1", "2", "2", "2", "2", "o")
    expect(screen.page.locator("#announcer")).to_contain_text("Nothing left here. Left: 4 unplaced on level 2")
    expect(screen.page.locator("#queue-count")).to_have_text("0")
    # In the queue of level 2 the digits are the children of the page's topic.
    screen.press("g", "2")
    expect(screen.page.locator("#digits")).to_contain_text("In Engines")
    screen.press("1", "1", "2", "2")
    assert screen.placed() == {
        "Planet": {"p1", "p2", "p3"},
        "Engines": set(),
        "Outboards": {"p4", "p5"},
        "Spare parts": {"p6", "p7"},
    }
    assert screen.saved().outliers == {"p8"}
    expect(screen.page.get_by_role("button", name="Issues 0")).to_be_visible()
    assert screen.focus == "list"


def test_placing_in_nested_topics_takes_two_keys_and_two_requests(
    open_workspace: Open, owner: User, shared_draft: Draft
) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1")
    sent = []
    screen.page.on("request", lambda request: sent.append(request.url) if "operations" in request.url else None)
    # "2" is Engines. Its child implies its parent, so one step with the picker would also be enough.
    screen.press("t").type("outb").press("Enter")
    assert "p1" in screen.placed()["Outboards"]
    assert len(sent) == 1
    assert "p1" in states_of(screen, "Engines")


def states_of(screen: Workspace, name: str) -> set[str]:
    """Return all pages of a topic, including those of its subtopics."""
    state = screen.saved()
    wanted = next(id for id, topic in state.topics.items() if topic.name == name)
    below = [wanted]
    for id in below:
        below += state.children.get(id, ())
    return {page for id in below for page in state.members.get(id, ())}


def test_place_all_matches_in_one_topic(open_workspace: Open, owner: User, empty: Draft) -> None:
    screen = open_workspace(owner, empty)
    screen.press("n").type("Everything").press("Enter", "]")
    screen.press("Control+a", "Control+a")
    expect(screen.page.locator("#selected")).to_have_text("8 selected")
    screen.press("1")
    assert screen.placed() == {"Everything": {f"p{n}" for n in range(1, 9)}}
    assert DraftEntry.objects.filter(draft=empty).count() == 2
    screen.press("Control+z")
    expect(screen.page.locator("#queue-count")).to_have_text("8")
    assert screen.placed() == {"Everything": set()}
    screen.press("Control+Shift+z")
    expect(screen.page.locator("#queue-count")).to_have_text("0")
    assert screen.placed() == {"Everything": {f"p{n}" for n in range(1, 9)}}


def test_select_extend_repeat_and_only(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1")
    screen.press("Shift+j", "2")
    expect(screen.page.locator("#selected")).to_have_text("2 selected")
    assert {"p1", "p2"} <= screen.placed()["Engines"]
    screen.press("Escape", "j", "j", ".")
    assert "p4" not in screen.placed()["Engines"]  # p4 was in it through a subtopic and stays there
    screen.press("k", "Shift+Digit2")  # p3, in Planet and in Spare parts
    placed = screen.placed()
    assert "p3" not in placed["Planet"]
    assert "p3" in placed["Spare parts"]


def test_keys_follow_keyboard_layout(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p3")  # p3 is in Planet and in Spare parts of Engines
    before = screen.placed()
    # German: "/" and "=" are Shift and a digit. They search, and place the page like the most similar one.
    screen.press_on("Digit7", "/", shift=True)
    expect(screen.page.locator("#page-search")).to_be_focused()
    expect(screen.page.locator("#page-search")).to_have_value("")
    screen.press("Escape")
    assert screen.placed() == before
    # French: Shift and the key of a digit type the digit. It toggles this topic and no other.
    screen.press_on("Digit1", "1", shift=True)
    placed = screen.placed()
    assert "p3" not in placed["Planet"]
    assert "p3" in placed["Spare parts"]
    screen.press_on("Digit1", "&")
    assert screen.placed() == before
    # On every keyboard, "i" and a digit place the page only in that topic.
    screen.press("i").press_on("Digit2", "2", shift=True)
    placed = screen.placed()
    assert "p3" not in placed["Planet"]
    assert "p3" in placed["Spare parts"]
    # Swiss: "+" is Shift+1, which has no effect while no topic is being split.
    before = placed
    screen.press_on("Digit1", "+", shift=True)
    expect(screen.page.locator("#said")).to_contain_text("No topic is being split")
    assert screen.placed() == before


def test_only_among_siblings_keeps_other_topics(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    """Shift and the digit of a subtopic removes a page from sibling topics, but not from topics of other branches."""
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p3")
    before = screen.placed()
    assert {"Planet", "Spare parts"} <= {name for name, pages in before.items() if "p3" in pages}
    screen.topic("Outboards").locator(".box").click(modifiers=["Shift"])
    placed = screen.placed()
    assert {name for name, pages in placed.items() if "p3" in pages} == {"Planet", "Outboards"}
    expect(screen.cursor).to_have_attribute("data-page", "p3")
    screen.press("Control+z")
    assert screen.placed() == before


def test_topic_is_created_only_from_new_topic_row(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1")
    screen.press("t").type("Engines > Propellers").press("Enter")
    expect(screen.dialog).to_be_visible()
    screen.press("ArrowDown", "Enter")
    assert "Engines/Propellers" in screen.tree()
    assert screen.placed()["Propellers"] == {"p1"}


def test_tree_navigation_by_keyboard(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all")
    screen.press("l", "End", "F2").type("Spares").press("Enter")
    assert screen.tree()[-1] == "Engines/Spares"
    screen.press("Alt+ArrowUp")
    assert screen.tree()[-2:] == ["Engines/Spares", "Engines/Outboards"]
    screen.press("Alt+ArrowLeft")
    assert screen.tree() == ["Planet", "Engines", "Engines/Outboards", "Spares"]
    expect(screen.topic("Spares")).to_be_focused()
    screen.press("Control+z")
    assert screen.tree()[-2:] == ["Engines/Spares", "Engines/Outboards"]
    assert "t-row" in screen.focus


def test_removing_pages_from_level_asks_for_confirmation(
    open_workspace: Open, owner: User, shared_draft: Draft
) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all")
    screen.press("l", "Home", "ArrowDown", "Alt+ArrowRight")
    expect(screen.dialog).to_contain_text("2 will lack a level-2 topic")
    screen.press("Escape")
    assert screen.tree()[1] == "Engines"
    expect(screen.topic("Engines")).to_be_focused()
    screen.press("Alt+ArrowRight", "Enter")
    expect(screen.topic("Engines")).to_have_attribute("aria-level", "2")
    assert screen.tree()[1] == "Planet/Engines"


def test_merge_describes_effect_and_is_undone_at_once(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all")
    before = screen.placed()
    screen.press("l", "End", "m").type("outb")
    expect(screen.dialog).to_contain_text("Removes 1 topic, moves 3 pages")
    screen.press("Enter")
    assert screen.placed() == {
        "Planet": {"p1", "p2", "p3"},
        "Engines": set(),
        "Outboards": {"p3", "p4", "p5", "p6", "p7"},
    }
    screen.press("Control+z")
    expect(screen.topic("Spare parts")).to_be_visible()
    assert screen.placed() == before


def test_delete_asks_for_target_of_pages(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all")
    screen.press("l", "End", "Delete")
    expect(screen.dialog).to_contain_text("2 will lack a level-2 topic")
    screen.press("Enter")
    expect(screen.topic("Spare parts")).to_have_count(0)
    assert screen.placed()["Engines"] == {"p3", "p6", "p7"}
    assert "t-row" in screen.focus


def test_shortcuts_are_inactive_while_typing_or_composing(
    open_workspace: Open, owner: User, shared_draft: Draft
) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1")
    screen.press("/").type("o1.xf")
    screen.press("Escape", "e").type("o1.xf ?").press("Escape")
    screen.page.evaluate(
        "document.querySelector('#list').dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'o', code: 'KeyO', isComposing: true, bubbles: true}))"
    )
    state = screen.saved()
    assert state.notes == {"p1": "o1.xf ?"}
    assert state.outliers == {"p8"}
    assert state.flags == set()


def test_key_can_be_changed_unless_taken(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1")
    screen.press("?")
    key = screen.dialog.get_by_role("button", name=re.compile("^Flag for later"))
    key.focus()
    screen.press("Enter", "o")
    expect(screen.dialog).to_contain_text("o is already “Outlier, or no longer”")
    screen.press("Enter", "b")
    expect(screen.dialog).to_contain_text("is now b")
    screen.press("Escape", "f", "b")
    assert screen.saved().flags == {"p1"}
    screen.page.reload()
    expect(screen.page.locator("#curate[data-ready]")).to_be_visible()
    screen.press("b")
    expect(screen.page.locator("#do-flag kbd")).to_have_text("b")
    assert screen.saved().flags == set()


def test_single_key_shortcuts_can_be_switched_off(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1")
    screen.press("?")
    screen.dialog.get_by_role("checkbox").focus()
    screen.press("Space", "Escape", "o", "1", "f", "ArrowDown")
    expect(screen.cursor).to_have_attribute("data-page", "p2")
    assert screen.saved().flags == set()
    assert screen.saved().outliers == {"p8"}


def test_url_keeps_position(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft)
    screen.press("g", "o")
    expect(screen.page).to_have_url(re.compile(r"queue=outliers.*page=p8"))
    screen.press("g", "a", "j", "j", "j")
    expect(screen.page).to_have_url(re.compile(r"queue=all.*page=p4"))
    screen.page.reload()
    expect(screen.cursor).to_have_attribute("data-page", "p4")


def test_finished_pages_stay_visible_until_next_move(open_workspace: Open, owner: User, empty: Draft) -> None:
    screen = open_workspace(owner, empty)
    screen.press("n").type("Planet").press("Enter", "]", "1", "1")
    expect(screen.page.locator(".p-row.done")).to_have_count(2)
    expect(screen.cursor).to_have_attribute("data-page", "p3")
    top = screen.cursor.bounding_box()
    screen.press("n")
    expect(screen.page.locator(".p-row.done")).to_have_count(0)
    expect(screen.cursor).to_have_attribute("data-page", "p4")
    assert top is not None


def test_issues_link_to_their_place_and_are_fixed(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1")
    screen.press("2", "g", "i")
    expect(screen.dialog).to_contain_text("1 page of 'Engines' in none of its subtopics.")
    screen.press("Enter")
    expect(screen.cursor).to_have_attribute("data-page", "p1")
    screen.press("g", "i", "Tab", "Enter")
    expect(screen.dialog).not_to_contain_text("Engines' in none")
    screen.press("Escape")
    assert screen.placed()["Engines (other)"] == {"p1"}

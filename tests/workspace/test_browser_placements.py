"""Messages and marks after a placement: its target, removed topics, and missing subtopics."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Collection, Draft
from tests.browser.workspace import Open, Workspace
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("what a placing shows")]


@pytest.fixture
def empty(collection: Collection, owner: User) -> Draft:
    """A draft of ``mercury`` with the empty topics Planet and Engines."""
    query = collection.queries.get(key="mercury")
    draft = drafts.from_nothing(query=query, user=owner, kind=Draft.Kind.OWN)
    added = [
        {"kind": "add_topic", "topic": f"t-{name}", "name": name, "parent": None} for name in ("Planet", "Engines")
    ]
    perform(draft, owner, DraftRequest(uuid4(), draft.revision, added))
    return draft


def test_placement_message_names_target(open_workspace: Open, owner: User, empty: Draft) -> None:
    screen = open_workspace(owner, empty)
    screen.press("1")
    expect(screen.page.locator("#said")).to_contain_text("Planet. Now at page 2.")
    expect(screen.cursor).to_have_attribute("data-page", "p2")


@pytest.mark.parametrize("by_way_of_the_parent", [True, False])
def test_subtopic_does_not_depend_on_order_of_placements(
    open_workspace: Open, owner: User, empty: Draft, by_way_of_the_parent: bool
) -> None:
    added = {"kind": "add_topic", "topic": "t-Moons", "name": "Moons", "parent": "t-Planet"}
    perform(empty, owner, DraftRequest(uuid4(), empty.revision, [added]))
    for topic in ["t-Planet"] * by_way_of_the_parent + ["t-Moons"]:
        perform(
            empty,
            owner,
            DraftRequest(uuid4(), empty.revision, [{"kind": "assign", "pages": ["p1"], "topics": [topic]}]),
        )
    screen = open_workspace(owner, empty, "?queue=all&page=p1")
    assert screen.placed() == {"Planet": set(), "Moons": {"p1"}, "Engines": set()}
    screen.page.get_by_role("button", name="Take out of Moons").click()
    expect(screen.page.get_by_role("button", name="Take out of Planet")).to_be_visible()
    assert screen.placed() == {"Planet": {"p1"}, "Moons": set(), "Engines": set()}
    screen.press("Control+z")
    expect(screen.page.get_by_role("button", name="Take out of Moons")).to_be_visible()
    screen.topic("Moons").click(button="right")
    screen.menu("Delete")
    expect(screen.dialog.get_by_role("radio", name="stay in Planet")).to_be_checked()
    screen.dialog.get_by_role("button", name="Delete").click()
    assert screen.placed() == {"Planet": {"p1"}, "Engines": set()}
    screen.press("Control+z")
    assert screen.placed() == {"Planet": set(), "Moons": {"p1"}, "Engines": set()}
    screen.topic("Moons").click(button="right")
    screen.menu("Up")
    assert screen.placed() == {"Planet": set(), "Moons": {"p1"}, "Engines": set()}
    expect(screen.topic("Planet").locator(".number")).to_have_text("0")


@pytest.mark.parametrize("by", ["key", "mouse"])
def test_moving_on_can_be_switched_off(open_workspace: Open, owner: User, empty: Draft, by: str) -> None:
    screen = open_workspace(owner, empty)
    switch = screen.page.get_by_role("button", name="Move on")
    expect(switch).to_have_attribute("aria-pressed", "true")
    if by == "key":
        screen.press("p")
    else:
        switch.click()
        screen.page.locator("#list").focus()
    expect(switch).to_have_attribute("aria-pressed", "false")
    screen.press("1", "2")
    expect(screen.cursor).to_have_attribute("data-page", "p1")
    assert screen.placed() == {"Planet": {"p1"}, "Engines": {"p1"}}
    screen.page.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")


def test_shift_keeps_page_for_second_topic(open_workspace: Open, owner: User, empty: Draft) -> None:
    screen = open_workspace(owner, empty)
    screen.press("Shift+Digit1")
    expect(screen.cursor).to_have_attribute("data-page", "p1")
    screen.press("2")
    expect(screen.cursor).to_have_attribute("data-page", "p2")
    assert screen.placed() == {"Planet": {"p1"}, "Engines": {"p1"}}


def test_digit_that_removes_from_subtopics_offers_undo(open_workspace: Open, owner: User, own_draft: Draft) -> None:
    screen = open_workspace(owner, own_draft, "?queue=all&page=p4")
    before = screen.placed()
    screen.press("2")
    notice = screen.page.locator("#toasts")
    expect(notice).to_contain_text("Engines › Outboards")
    assert screen.placed() != before
    notice.get_by_role("button", name="Undo").click()
    expect(screen.row("Page 4")).to_contain_text("Outboards")
    assert screen.placed() == before


def test_confirming_page_is_shown_and_moves_on(open_workspace: Open, owner: User, own_draft: Draft) -> None:
    screen = open_workspace(owner, own_draft, "?queue=all&page=p1")
    expect(screen.row("Page 1").locator(".sign-seen")).to_have_count(0)
    screen.press("c")
    expect(screen.cursor).to_have_attribute("data-page", "p2")
    expect(screen.row("Page 1").locator(".sign-seen")).to_have_count(1)
    screen.press("k")
    pressed = screen.page.locator("#region-page").get_by_role("button", name="Confirmed")
    expect(pressed).to_have_attribute("aria-pressed", "true")
    screen.press("j")
    expect(screen.page.locator("#region-page").get_by_role("button", name=re.compile("^Confirm\\b"))).to_have_attribute(
        "aria-pressed", "false"
    )


def test_page_in_no_subtopic_is_marked(open_workspace: Open, owner: User, own_draft: Draft) -> None:
    screen = open_workspace(owner, own_draft, "?queue=all&page=p1")
    expect(screen.row("Page 1").locator(".lacks")).to_have_count(0)
    screen.press("2")
    expect(screen.row("Page 1").locator(".lacks")).to_have_text("no subtopic")
    expect(screen.page.locator("#region-page")).to_contain_text("In Engines, but in none of its subtopics")


def test_chips_show_finest_topics(open_workspace: Open, owner: User, own_draft: Draft) -> None:
    """The page p1 is put into Engines and then into its subtopic Outboards."""
    screen = open_workspace(owner, own_draft, "?queue=all&page=p1")
    screen.press("2", "t").type("outboards").press("Enter")
    placed = screen.placed()
    assert ("p1" in placed["Outboards"], "p1" in placed["Engines"]) == (True, False)
    expect(screen.row("Page 1").locator(".topic-chip bdi")).to_have_text(["Planet", "Outboards"])


def test_placed_page_shows_suggestions_only_in_their_queue(open_workspace: Open, owner: User, empty: Draft) -> None:
    hint = {
        "kind": "suggest",
        "source": "test",
        "topics": [{"topic": "s-A", "name": "A", "parent": None}],
        "hints": [["s-A", ["p1"]]],
    }
    perform(empty, owner, DraftRequest(uuid4(), 1, [hint]))
    screen = open_workspace(owner, empty, "?queue=all&page=p1")
    expect(screen.row("Page 1").locator(".topic-chip.hint")).to_have_text("?A")
    screen.press("1")
    expect(screen.row("Page 1").locator(".topic-chip bdi")).to_have_text(["Planet"])
    screen.press("g", "s")
    expect(screen.row("Page 1").locator(".topic-chip bdi")).to_have_text(["Planet", "A"])


def test_read_only_viewer_has_no_buttons(
    open_workspace: Open, owner: User, own_draft: Draft, collection: Collection
) -> None:
    Draft.objects.filter(pk=own_draft.pk).update(status=Draft.Status.SUBMITTED, submitted_at=timezone.now())
    screen = open_workspace(owner, own_draft, "?queue=all&page=p1")
    expect(screen.page.locator("#add-topic")).to_be_disabled()
    expect(screen.page.locator("#digits .digit").first).to_be_disabled()
    expect(screen.page.get_by_role("button", name="Move on")).to_have_count(0)
    expect(screen.row("Page 1").locator(".topic-chip .x")).to_be_hidden()


@pytest.fixture
def twofold(collection: Collection, owner: User) -> Draft:
    """A draft of two topics with a subtopic each, and three pages in both topics but in no subtopic."""
    query = collection.queries.get(key="mercury")
    draft = drafts.from_nothing(query=query, user=owner, kind=Draft.Kind.OWN)
    work: list[dict[str, object]] = []
    for name in ("Planet", "Engines"):
        work.append({"kind": "add_topic", "topic": name, "name": name, "parent": None})
        work.append({"kind": "add_topic", "topic": f"{name} part", "name": f"{name} part", "parent": name})
        work.append({"kind": "assign", "pages": ["p1", "p2", "p3"], "topics": [name]})
    perform(draft, owner, DraftRequest(uuid4(), draft.revision, work))
    return draft


ROWS = [(topic, page) for topic in ("Planet", "Engines") for page in ("p1", "p2", "p3")]


def stands(screen: Workspace, topic: str, page: str) -> None:
    """Assert that the cursor is at this row and that the digits are the subtopics of its topic."""
    expect(screen.page.locator(".p-row.cursor")).to_have_count(1)
    expect(screen.cursor).to_have_attribute("data-page", page)
    expect(screen.page.locator("#digits .digits-parent bdi")).to_have_text(topic)


def test_cursor_visits_page_in_each_of_its_topics(open_workspace: Open, owner: User, twofold: Draft) -> None:
    screen = open_workspace(owner, twofold, "?queue=between")
    for topic, page in ROWS:
        stands(screen, topic, page)
        screen.press("j")
    for topic, page in reversed(ROWS):
        stands(screen, topic, page)
        screen.press("k")
    screen.page.locator(".p-row[data-page=p2]").last.click()
    stands(screen, "Engines", "p2")


def test_topic_is_finished_before_pages_repeat_in_another(open_workspace: Open, owner: User, twofold: Draft) -> None:
    screen = open_workspace(owner, twofold, "?queue=between")
    for topic, page in ROWS:
        stands(screen, topic, page)
        screen.press("1")
    expect(screen.page.locator("#queue-count")).to_have_text("0")
    placed = screen.placed()
    assert placed["Planet part"] == placed["Engines part"] == {"p1", "p2", "p3"}


def test_skipped_pages_come_at_the_end(open_workspace: Open, owner: User, twofold: Draft) -> None:
    screen = open_workspace(owner, twofold, "?queue=between")
    screen.press("j", "1", "1", "1", "1", "1")
    stands(screen, "Planet", "p1")
    expect(screen.page.locator("#queue-count")).to_have_text("1")

"""Conflicts between two people: undo of deleted topics, outdated deletions, and cards that keep typed text."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, expect

from accounts.models import User
from annotations.drafts.selectors import states
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Draft, DraftEntry
from tests.browser.accessibility import violations
from tests.browser.workspace import Open, Workspace
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("conflicts in the workspace")]

HERE = "?queue=all&page=p1"


def said(screen: Workspace) -> Locator:
    return screen.page.locator("#said .said-words")


def banner(screen: Workspace) -> Locator:
    return screen.page.locator("#banner")


def look(screen: Workspace) -> Locator:
    """Return the conflict cards that the banner opens."""
    banner(screen).get_by_role("button", name="Look at it").click()
    return screen.dialog.locator(".conflict")


def away(screen: Workspace) -> None:
    screen.page.context.set_offline(True)


def back(screen: Workspace) -> None:
    screen.page.context.set_offline(False)


def test_undo_of_deleted_topic_is_skipped_and_loss_is_reported(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    ana, bea = open_workspace(curator, shared_draft, HERE), open_workspace(owner, shared_draft, HERE)
    ana.press("f", "t").type("outb").press("Enter")
    expect(said(bea)).to_contain_text("curator put “Page 1” into Engines › Outboards.")
    ana.saved()
    bea.press("l", "End", "ArrowUp", "Delete", "Enter")
    bea.saved()

    # A single message reports what happened to her placements.
    lost = "owner deleted “Outboards”: 1 page you had placed there is in Planet, Engines now."
    expect(banner(ana)).to_contain_text(lost)
    expect(ana.page.locator(".snack")).to_have_count(0)

    ana.press("Control+z")
    expect(said(ana)).to_have_text(
        "“Put 1 page into Outboards” was not undone, and is passed over. "
        "'Outboards' no longer exists (owner: Delete Outboards)."
    )
    ana.press("Control+z")
    expect(said(ana)).to_have_text("Undone: Flag 1 page.")
    assert not ana.saved().flags
    ana.page.reload()
    expect(ana.page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    ana.press("Control+z")
    expect(said(ana)).to_have_text("You have nothing to undo.")

    # It is still reported after the reload, and undone in one step.
    expect(banner(ana)).to_contain_text(lost)
    expect(look(ana)).to_contain_text("Page 1")
    assert violations(ana.page) == []
    ana.dialog.get_by_role("button", name="Bring “Outboards” back with its pages").click()
    expect(ana.dialog).to_have_count(0)
    expect(banner(ana)).to_be_hidden()
    expect(bea.topic("Outboards")).to_be_visible()
    expect(said(bea)).to_have_text("curator brought back what “Delete Outboards” took away.")
    assert ana.placed()["Outboards"] == {"p1", "p4", "p5"}
    ana.press("Control+z")
    expect(bea.topic("Outboards")).to_have_count(0)


def test_topic_that_seemed_empty_is_not_deleted_with_new_pages(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    """Tested offline, and with a dialog that was open for a while."""
    ana, bea = open_workspace(curator, shared_draft, HERE), open_workspace(owner, shared_draft, HERE)
    ana.press("l", "Home", "n").type("Oat").press("Enter")
    expect(bea.topic("Oat")).to_be_visible()
    away(bea)
    bea.press("l", "Home", "ArrowDown", "Delete", "Enter")
    expect(bea.topic("Oat")).to_have_count(0)
    ana.press("l", "x", "j", "x", "t").type("oat").press("Enter")
    ana.saved()
    back(bea)
    expect(bea.topic("Oat")).to_be_visible()
    expect(banner(bea)).to_contain_text("“Delete Oat” was not done. Meanwhile curator: Put 2 pages into Oat.")
    expect(bea.page.locator(".snack.bad")).to_have_count(0)
    assert ana.placed()["Oat"] == {"p1", "p2"}

    # After the change is dismissed, the topic still exists until it is deleted deliberately.
    look(bea).get_by_role("button", name="Let it go").click()
    expect(bea.dialog).to_have_count(0)
    expect(bea.page.locator("#save")).to_have_attribute("data-kind", "saved")
    bea.page.reload()
    expect(banner(bea)).to_be_hidden()
    bea.page.locator("#more").click()
    bea.menu("Set aside")
    expect(bea.dialog.locator(".conflict")).to_contain_text("set aside")
    bea.dialog.get_by_role("button", name="Delete for good").click()
    expect(bea.dialog).to_have_count(0)

    # Another page arrives while the dialog shows the number of pages.
    bea.press("l", "Home", "ArrowDown", "Delete")
    expect(bea.dialog).to_contain_text("It holds 2 pages")
    ana.press("Escape", "End", "t").type("oat").press("Enter")
    expect(bea.topic("Oat").locator(".number")).to_have_text("3")
    bea.dialog.locator("#delete-now").click()
    expect(banner(bea)).to_contain_text("“Delete Oat” was not done. Meanwhile curator: Put 1 page into Oat.")
    # Now she has seen the page.
    bea.press("g", "w")
    bea.dialog.get_by_role("button", name="Try again").click()
    expect(ana.topic("Oat")).to_have_count(0)
    expect(banner(ana)).to_contain_text("owner deleted “Oat”: 3 pages you had placed there")


def test_conflicting_descriptions_are_shown_side_by_side(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    ana, bea = open_workspace(curator, shared_draft), open_workspace(owner, shared_draft)
    ana.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    away(ana)
    ana.press("l", "Home", "d").type("Planets <b>and</b> their moons").press("Tab", "Tab", "Tab")
    ana.dialog.get_by_role("button", name="Save").click()
    bea.press("l", "Home", "d").type("Only the planet")
    bea.dialog.get_by_role("button", name="Save").click()
    bea.saved()
    back(ana)
    expect(banner(ana)).to_contain_text("“Describe Planet” was not done. Meanwhile owner: Describe Planet.")
    texts = look(ana).locator(".kept-text")
    expect(texts).to_have_text(["Planets <b>and</b> their moons", "Only the planet"])
    expect(ana.dialog).not_to_contain_text(re.compile("clash|revision|base", re.IGNORECASE))
    assert violations(ana.page) == []
    ana.dialog.get_by_role("button", name="Copy what I typed").click()
    expect(ana.page.locator(".snack")).to_contain_text("Copied")
    assert ana.page.evaluate("navigator.clipboard.readText()") == "Planets <b>and</b> their moons"
    ana.dialog.get_by_role("button", name="Try again").click()
    expect(ana.dialog).to_have_count(0)
    expect(said(bea)).to_have_text("curator changed the description of Planet.")
    assert ana.saved().topics["space"].description == "Planets <b>and</b> their moons"


def test_deleted_topic_is_restored_for_intended_change(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    """Tested on a phone in dark mode."""
    ana, bea = open_workspace(curator, shared_draft, width=390, scheme="dark"), open_workspace(owner, shared_draft)
    away(ana)
    ana.page.locator('#region-tabs [data-go="topics"]').click()
    ana.press("End", "F2").type("Parts").press("Enter")
    bea.press("l", "End", "Delete", "Enter")
    bea.saved()
    back(ana)
    expect(banner(ana)).to_contain_text("“Rename Spare parts to Parts” was not done.")
    expect(look(ana)).to_contain_text("The topic no longer exists.")
    assert violations(ana.page) == []
    ana.dialog.get_by_role("button", name="Bring “Spare parts” back, and do it").click()
    expect(bea.topic("Parts")).to_be_visible()
    assert bea.placed()["Parts"] == {"p3", "p6", "p7"}
    labels = DraftEntry.objects.filter(draft=shared_draft).order_by("revision").values_list("label", flat=True)
    assert list(labels) == ["Delete Spare parts", "Restore: Delete Spare parts", "Rename Spare parts to Parts"]


def test_notice_offers_undo_only_for_its_own_action(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    """The offer disappears if the action was rejected, was undone already, or has nothing left to undo."""
    ana = open_workspace(curator, shared_draft, HERE)
    notice, line = ana.page.locator(".snack").get_by_role("button", name="Undo"), ana.page.locator("#said button")
    ana.press("x", "j", "x", "2")
    ana.saved()
    before = ana.placed()
    expect(notice).to_have_count(1)

    # Rejected because the topic was deleted meanwhile.
    away(ana)
    ana.press("Escape", "Escape", "j", "x", "j", "x", "t").type("outb").press("Enter")
    expect(notice).to_have_count(1)
    outboards = next(id for id, topic in states.current(shared_draft).state.topics.items() if topic.name == "Outboards")
    shared_draft.refresh_from_db()
    delete = {"kind": "delete_topic", "topic": outboards, "children": "lift", "pages": "parent"}
    perform(shared_draft, owner, DraftRequest(uuid4(), shared_draft.revision, [delete]))
    back(ana)
    expect(banner(ana)).to_contain_text("was not done")
    expect(notice).to_have_count(0)
    expect(line).to_have_count(0)
    assert ana.page.locator(".snack").count() == 0
    look(ana).get_by_role("button", name="Let it go").first.click()
    ana.press("Escape")
    assert ana.placed()["Engines"] >= before["Engines"]

    # Undone already with the undo key.
    ana.press("Escape", "Home", "x", "j", "x", "f")
    expect(notice).to_have_count(1)
    ana.press("Control+z")
    expect(notice).to_have_count(0)

    # Undone by others.
    ana.press("f")
    expect(notice).to_have_count(1)
    ana.saved()
    shared_draft.refresh_from_db()
    perform(
        shared_draft, owner, DraftRequest(uuid4(), shared_draft.revision, [{"kind": "unflag", "pages": ["p1", "p2"]}])
    )
    expect(notice).to_have_count(0)
    expect(line).to_have_count(0)


def test_waiting_work_of_closed_tab_is_sent_before_submission(
    open_workspace: Open, owner: User, own_draft: Draft
) -> None:
    closed = open_workspace(owner, own_draft, "?queue=all&page=p8")
    there = closed.page.context.new_page()
    beside = Workspace(there, own_draft).open("?queue=all&page=p1")
    # There are no responses. The first tab is closed with unsent work that the other one has not noticed yet.
    closed.page.context.route("**/api/v1/drafts/**", lambda route: route.fulfill(status=429, json={}))
    closed.press("f")
    expect(closed.page.locator("#save")).to_have_attribute("data-kind", "offline")
    closed.page.close()

    # The page of all drafts finds the unsent work.
    listed = there.context.new_page()
    listed.goto(reverse("drafts", args=[own_draft.query.collection.slug, own_draft.query.key]))
    listed.get_by_role("button", name="Submit").first.click()
    expect(listed.get_by_role("alert")).to_contain_text(
        "1 change that you made to this draft in this browser is not saved yet. Open the draft"
    )

    # The other tab also finds it, and sends it first.
    there.locator("#submit").click()
    expect(beside.dialog).to_contain_text("1 change not saved yet.")
    beside.dialog.get_by_role("button", name=re.compile("^Submit")).click()
    expect(there.locator(".snack.bad")).to_contain_text(
        "1 change that you made in another tab was not saved yet. It is being sent"
    )
    there.context.unroute("**/api/v1/drafts/**")
    assert beside.saved().flags == {"p8"}
    there.locator("#submit").click()
    beside.dialog.get_by_role("button", name=re.compile("^Submit")).click()
    expect(there.locator("#submit")).to_have_count(0)
    own_draft.refresh_from_db()
    assert own_draft.status == "submitted"

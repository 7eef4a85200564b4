"""Two people on one draft, offline work, and a tab that is closed too early."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from annotations.models import Draft
from tests.browser.workspace import Open
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("two people in the workspace")]


def test_each_person_sees_changes_of_the_other(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    ana, bea = (
        open_workspace(curator, shared_draft, "?queue=all&page=p1"),
        open_workspace(owner, shared_draft, "?queue=all&page=p5"),
    )
    expect(ana.page.get_by_role("button", name=re.compile("^owner is at “Page 5”"))).to_be_visible()
    bea.press("l", "Home", "F2").type("Planets").press("Enter")
    expect(ana.topic("Planets")).to_be_visible()
    ana.press("2")
    expect(bea.row("Page 1")).to_contain_text("Engines")
    expect(ana.cursor).to_have_attribute("data-page", "p1")
    assert "p1" in ana.placed()["Engines"]


def test_changes_of_others_do_not_disturb_typing(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    ana, bea = open_workspace(curator, shared_draft), open_workspace(owner, shared_draft, "?queue=all&page=p1")
    ana.press("l", "Home", "Shift+n").type("Orb")
    bea.press("2")
    expect(ana.topic("Engines").locator(".number")).to_have_text("6")
    ana.type("its").press("Enter")
    expect(bea.topic("Orbits")).to_be_visible()


def test_topic_is_deleted_while_being_renamed(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    ana, bea = open_workspace(curator, shared_draft), open_workspace(owner, shared_draft)
    ana.press("l", "End", "F2").type("Spa")
    bea.press("l", "End", "m").type("outb").press("Enter")
    expect(ana.page.get_by_role("alert")).to_contain_text("Somebody has deleted or merged that topic")
    expect(ana.page.locator(".name-field")).to_have_count(0)
    assert "t-row" in ana.focus
    assert ana.tree() == ["Planet", "Engines", "Engines/Outboards"]


def test_workspace_follows_merged_topic(open_workspace: Open, owner: User, curator: User, shared_draft: Draft) -> None:
    ana, bea = open_workspace(curator, shared_draft, "?queue=all&page=p1"), open_workspace(owner, shared_draft)
    ana.page.context.set_offline(True)
    ana.press("t").type("outb").press("Enter")
    expect(ana.page.locator("#save-words")).to_have_text("Offline, 1 waiting")
    bea.press("l", "End", "ArrowUp", "m").type("spare").press("Enter")
    expect(bea.topic("Outboards")).to_have_count(0)
    assert "Outboards" not in bea.placed()
    ana.page.context.set_offline(False)
    expect(ana.topic("Outboards")).to_have_count(0)
    assert "p1" in ana.placed()["Spare parts"]


def test_pages_for_merged_topic_go_to_target_and_return(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    """Ana is offline while Bea merges. Both are notified, with the number of pages."""
    ana, bea = open_workspace(curator, shared_draft, "?queue=all&page=p1"), open_workspace(owner, shared_draft)
    before = bea.placed()
    failures: list[str] = []
    for screen in (ana, bea):
        screen.page.on("pageerror", lambda error: failures.append(str(error)))
    ana.page.context.set_offline(True)
    for _ in range(3):
        ana.press("t").type("outb").press("Enter", "j")
    expect(ana.page.locator("#save-words")).to_have_text("Offline, 3 waiting")
    bea.press("l", "End", "ArrowUp", "m").type("spare").press("Enter")
    expect(bea.topic("Outboards")).to_have_count(0)
    bea.saved()
    ana.page.context.set_offline(False)
    told = "owner had merged “Outboards” into “Spare parts”: 3 pages that you put into it are in “Spare parts” now."
    expect(ana.page.locator("#toasts")).to_contain_text(told)
    expect(bea.page.locator("#said")).to_contain_text("meant for Outboards, which had been merged into it")
    new = {"p1", "p2", "p3"}
    assert ana.placed()["Spare parts"] == before["Spare parts"] | before["Outboards"] | new
    bea.press("Control+z")
    expect(bea.page.locator("#toasts")).to_contain_text("3 pages that were meant for Outboards are in it again")
    expect(ana.page.locator("#said")).to_contain_text("3 pages that were meant for Outboards are in it again")
    after = ana.placed()
    assert (after["Outboards"], after["Spare parts"]) == (before["Outboards"] | new, before["Spare parts"])
    assert failures == []


def test_redirected_pages_are_reported_after_rejected_change(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    ana, bea = open_workspace(curator, shared_draft, "?queue=all&page=p1"), open_workspace(owner, shared_draft)
    ana.page.context.set_offline(True)
    ana.press("t").type("outb").press("Enter", "l", "Home", "F2").type("Ana's").press("Enter")
    expect(ana.page.locator("#save-words")).to_have_text("Offline, 2 waiting")
    bea.press("l", "Home", "F2").type("Bea's").press("Enter")
    expect(bea.topic("Bea's")).to_be_visible()
    bea.press("End", "ArrowUp", "m").type("spare").press("Enter")
    expect(bea.topic("Outboards")).to_have_count(0)
    bea.saved()
    ana.page.context.set_offline(False)
    expect(ana.page.locator("#save-words")).to_have_text("Conflict")
    told = "owner had merged “Outboards” into “Spare parts”: 1 page that you put into it is in “Spare parts” now."
    expect(ana.page.locator("#toasts")).to_contain_text(told)


def test_conflict_waits_for_decision(open_workspace: Open, owner: User, curator: User, shared_draft: Draft) -> None:
    ana, bea = open_workspace(curator, shared_draft), open_workspace(owner, shared_draft)
    ana.page.context.set_offline(True)
    ana.press("l", "Home", "F2").type("Ana's").press("Enter")
    expect(ana.page.locator("#save")).to_have_attribute("data-kind", "offline")
    bea.press("l", "Home", "F2").type("Bea's").press("Enter")
    assert "Bea's" in bea.placed()
    ana.page.context.set_offline(False)
    expect(ana.page.locator("#save-words")).to_have_text("Conflict")
    expect(ana.topic("Bea's")).to_be_visible()
    ana.page.locator("#save").click()
    expect(ana.dialog).to_contain_text("Meanwhile owner")
    ana.dialog.get_by_role("button", name="Try again").click()
    expect(ana.topic("Ana's")).to_be_visible()
    assert "Ana's" in ana.placed()


def test_bulk_work_offline_survives_a_reload(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1")
    screen.page.route("**/operations", lambda route: route.abort("internetdisconnected"))
    screen.press("Control+a", "1", "l", "Home", "n").type("Later").press("Enter")
    expect(screen.page.locator("#save-words")).to_have_text("Offline, 2 waiting")
    expect(screen.page.locator("#banner")).to_contain_text("2 changes wait in this browser")
    screen.page.reload()
    expect(screen.topic("Later")).to_be_visible()
    screen.page.unroute("**/operations")
    placed = screen.placed()
    assert placed["Later"] == set()
    assert {f"p{n}" for n in range(1, 9)} == placed["Planet"]
    screen.press("Control+z", "Control+z")
    expect(screen.page.get_by_role("button", name=re.compile(r"^Outliers 1\."))).to_be_visible()
    assert "Later" not in screen.placed()

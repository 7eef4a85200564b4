"""Accessibility (axe) of the workspace in all states and the pages around it: light, dark, desktop and phone."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.models import Collection, Draft, Role
from annotations.people.services import invitations
from evaluation.drafts.services import publish_draft
from tests.browser.accessibility import SCREENS, violations
from tests.browser.attack_strings import PAYLOADS, scene
from tests.browser.page_layout import open_all
from tests.browser.workspace import Workspace, opener
from tests.fixtures.browser import ATTACK, Browse
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("what axe finds in the workspace")]


@pytest.fixture
def empty(collection: Collection, owner: User) -> Draft:
    return drafts.from_nothing(query=collection.queries.get(key="mercury"), user=owner, kind=Draft.Kind.OWN)


def sound(screen: Workspace, what: str) -> None:
    """Assert that there are no violations and that nothing is wider than the screen."""
    assert (what, violations(screen.page)) == (what, [])
    assert screen.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), what


def regions(screen: Workspace, width: int, what: str) -> None:
    for region in ("topics", "pages", "page") if width == 390 else ("pages",):
        if width == 390:
            screen.page.locator(f"#region-tabs [data-go={region}]").click()
        sound(screen, f"{what}, {region}")


def test_pages_around_drafts_are_accessible(browse: Browse, owner: User, transactional_db: None) -> None:
    """Pages with hostile text, two gold versions, and drafts of all kinds and states. They also fit the screen."""
    made = scene(owner)
    slug, key = made.collection.slug, made.query.key
    drafts.archive(drafts.from_nothing(query=made.query, user=owner, kind="own", name=PAYLOADS[1]))
    publish_draft(draft=made.shared, revision=made.shared.revision, user=owner, note=ATTACK)
    _, secret = invitations.invite(collection=made.collection, role=Role.CURATOR, user=owner, note=ATTACK[:200])
    first, second = made.pair
    open_all(
        browse(owner),
        [
            reverse("drafts", args=[slug, key]),
            *(reverse("draft", args=[draft.pk]) for draft in (made.shared, first, made.judged)),
            *(reverse("draft-publish", args=[draft.pk]) for draft in (made.shared, first, made.judged)),
            *(reverse("gold-changes", args=[slug, number]) for number in (1, 2)),
            reverse("agreement", args=[slug, key]),
            reverse("agreement", args=[slug, key]) + f"?first={first.pk}&second={second.pk}",
            reverse("adjudicate", args=[made.judged.pk]),
            reverse("curate", args=[slug]),
            reverse("guidelines", args=[slug]),
            reverse("people", args=[slug]),
            reverse("invitation", args=[secret]),
            reverse("query", args=[slug, key]),
            reverse("collection", args=[slug]),
        ],
    )


@SCREENS
def test_empty_draft_is_accessible(browse: Browse, owner: User, empty: Draft, width: int, scheme: str) -> None:
    screen = opener(browse)(owner, empty, width=width, scheme=scheme)
    regions(screen, width, "empty")
    screen.press("g", "i")
    expect(screen.dialog).to_be_visible()
    sound(screen, "issues of an empty draft")
    screen.press("Escape", "g", "o")
    expect(screen.page.locator("#list-empty")).to_be_visible()
    regions(screen, width, "an empty queue")


@SCREENS
def test_draft_in_use_is_accessible(browse: Browse, owner: User, shared_draft: Draft, width: int, scheme: str) -> None:
    screen = opener(browse)(owner, shared_draft, "?queue=all&page=p1", width=width, scheme=scheme)
    screen.press("f", "e").type("a note").press("Escape", "Control+a", "2")
    expect(screen.page.locator("#toasts")).to_contain_text("Undo")
    regions(screen, width, "selected, with a notice")
    screen.press("g", "f", "f")
    expect(screen.page.locator(".p-row.done")).to_have_count(1)
    regions(screen, width, "a page that is done")
    screen.press("g", "2")
    regions(screen, width, "queue of level 2")
    screen.press("g", "a", "/").type("page").press("Enter", "Shift+f").type("not flagged").press("Enter")
    expect(screen.page.locator(".filter-chip")).to_have_count(2)
    expect(screen.page.locator(".filter-status")).to_have_text(re.compile("pages?$"))
    regions(screen, width, "searched and filtered")
    screen.press("/").type("-page").press("Enter")
    expect(screen.page.locator("#widen")).to_be_visible()
    regions(screen, width, "nothing found")
    screen.press("Escape", "Escape")
    screen.press("l", "End", "n").type("Half a name")
    sound(screen, "typing a name")
    screen.press("Enter")
    screen.page.context.set_offline(True)
    screen.press("F2").type("Other").press("Enter")
    expect(screen.page.locator("#banner")).to_be_visible()
    sound(screen, "offline")
    screen.page.context.set_offline(False)
    expect(screen.page.locator("#save")).to_have_attribute("data-kind", "saved")


@SCREENS
def test_dialogs_and_menus_are_accessible(
    browse: Browse, owner: User, shared_draft: Draft, width: int, scheme: str
) -> None:
    screen = opener(browse)(owner, shared_draft, "?queue=all&page=p1", width=width, scheme=scheme)
    screen.press("2")
    for keys in (["t"], ["?"], ["Shift+f"], ["g", "i"], ["g", "h"], ["g", "g"]):
        screen.press("]", "[", *keys)
        expect(screen.dialog).to_be_visible()
        sound(screen, f"the dialog of {' '.join(keys)}")
        screen.press("Escape")
    for key in ("Shift+F10", "d", "m", "Shift+m", "Delete"):
        # Inside the tree, Home and End move within it.
        screen.page.locator("#region-tabs [data-go=topics]").click() if width == 390 else screen.press("l")
        screen.topic("Spare parts").focus()
        screen.press(key)
        expect(screen.page.locator("dialog, .menu-pop").first).to_be_visible()
        sound(screen, f"what {key} opens on a topic")
        screen.press("Escape")
        expect(screen.page.locator("dialog, .menu-pop")).to_have_count(0)
        screen.press("]")
    for target in ("#more", "#queue", "#draft-name", "#save"):
        screen.page.locator(target).click()
        expect(screen.page.locator("dialog, .menu-pop").first).to_be_visible()
        sound(screen, f"what {target} opens")
        screen.press("Escape")


@SCREENS
def test_split_is_accessible(browse: Browse, owner: User, shared_draft: Draft, width: int, scheme: str) -> None:
    screen = opener(browse)(owner, shared_draft, "?queue=split&topic=space", width=width, scheme=scheme)
    expect(screen.page.locator("#split-bar")).to_contain_text("3 pages left")
    regions(screen, width, "splitting")
    screen.press("]", "[", "+")
    expect(screen.dialog).to_be_visible()
    sound(screen, "a new part")
    screen.type("Orbit").press("Enter")
    expect(screen.page.locator("#split-bar")).to_contain_text("2 pages left")
    sound(screen, "a part is there")


def test_conflict_is_accessible(browse: Browse, owner: User, curator: User, shared_draft: Draft) -> None:
    screen, other = (
        opener(browse)(user, shared_draft, "?queue=all&page=p1", scheme="dark") for user in (curator, owner)
    )
    screen.page.context.set_offline(True)
    screen.press("l", "End", "F2").type("Mine").press("Enter")
    expect(screen.page.locator("#save")).to_have_attribute("data-kind", "offline")
    other.press("l", "End", "F2").type("Theirs").press("Enter")
    other.saved()
    screen.page.context.set_offline(False)
    expect(screen.page.locator("#save")).to_have_attribute("data-kind", "conflict")
    sound(screen, "a conflict")
    screen.page.locator("#save").click()
    sound(screen, "the conflict's dialog")
    screen.page.get_by_role("button", name="Let it go").click()


def test_suggestions_are_accessible(browse: Browse, owner: User, empty: Draft) -> None:
    screen = opener(browse)(owner, empty, scheme="dark")
    screen.press("g", "g").type("1").press("Enter")
    expect(screen.dialog).to_be_visible()  # too few pages
    screen.press("Control+a").type("2").press("Enter")
    expect(screen.page.locator(".t-row.suggested").first).to_be_visible()
    screen.press("g", "s")
    expect(screen.page.locator(".topic-chip.hint").first).to_be_visible()
    sound(screen, "suggestions")
    screen.press("a")
    sound(screen, "a suggestion accepted")
    screen.page.get_by_role("button", name="Submit").click()
    screen.dialog.get_by_role("button", name="Submit").click()
    expect(screen.page.get_by_role("button", name="Reopen")).to_be_visible()
    sound(screen, "a submitted draft")

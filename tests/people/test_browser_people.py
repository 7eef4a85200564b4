"""Inviting, assigning and writing guidelines in a browser with the keyboard only, and layout of full pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from annotations.drafts.services import lifecycle
from annotations.guidelines import services as guidelines
from annotations.models import Assignment, Collection, Membership, Query, Role
from annotations.people.services import invitations
from annotations.team import services as team
from tests.browser.page_layout import DESK, PHONE, open_all, too_large
from tests.fixtures.browser import ATTACK, LONG, Browse
from tests.profiles import thorough
from tests.samples.documents import PASSWORD
from tests.trigger_bypass import unguarded

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    thorough("people and guidelines in a browser"),
]


HOSTILE_LINE = f"<img src=x onerror=alert(1)>{LONG}"
"""A hostile draft name, without characters that change the text direction."""
TEXT = f"# {LONG}\n\n{ATTACK}\n\n| {LONG} | {LONG} |\n|---|---|\n| a | b |\n\n    {LONG * 3}\n\n- {ATTACK}"


def press_to(page: Page, name: str, role: str = "button") -> None:
    """Press Tab until an element with this name has the focus."""
    target = page.get_by_role(role, name=name, exact=True).first
    for _ in range(80):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the keyboard does not reach {name!r}")


def test_owner_invites_newcomer_and_assigns_queries_by_keyboard(
    browse: Browse, owner: User, page_list_collection: Collection
) -> None:
    slug = page_list_collection.slug
    mine = browse(owner)
    mine.context.grant_permissions(["clipboard-read", "clipboard-write"])
    mine.goto(reverse("people", args=[slug]))
    press_to(mine, "Make a link")
    mine.keyboard.press("Enter")
    link = mine.locator("#new-link").inner_text()
    press_to(mine, "Copy the link")
    mine.keyboard.press("Enter")
    expect(mine.get_by_role("button", name="Copied")).to_be_visible()
    assert mine.evaluate("navigator.clipboard.readText()") == link

    newcomer = browse(None)
    newcomer.goto(link)
    press_to(newcomer, "Make an account", "link")
    newcomer.keyboard.press("Enter")
    newcomer.wait_for_url("**/sign-up/**")
    for field, value in (("username", "kim"), ("password1", PASSWORD), ("password2", PASSWORD)):
        newcomer.locator(f"input[name={field}]").focus()
        newcomer.keyboard.type(value)
    newcomer.keyboard.press("Enter")
    newcomer.wait_for_url("**/invitations/**")
    press_to(newcomer, "Accept")
    newcomer.keyboard.press("Enter")
    expect(newcomer.get_by_text("You now have the role curator in Only pages")).to_be_visible()

    mine.goto(reverse("curate", args=[slug]))
    press_to(mine, "Choose all queries shown", "checkbox")
    mine.keyboard.press("Space")
    press_to(mine, "kim", "checkbox")
    mine.keyboard.press("Space")
    press_to(mine, "Assign")
    mine.keyboard.press("Enter")
    expect(mine.get_by_text("2 assignments made")).to_be_visible()
    assert Assignment.objects.filter(curator__username="kim").count() == 2

    # Accepting an invitation to curate leads to the Curate page.
    newcomer.wait_for_url(f"**{reverse('curate', args=[slug])}")
    newcomer.reload()
    press_to(newcomer, "Start your draft (mercury)")
    newcomer.keyboard.press("Enter")
    expect(newcomer.locator("#curate[data-ready]")).to_be_visible()


def test_guidelines_are_written_and_previewed_by_keyboard(
    browse: Browse, owner: User, page_list_collection: Collection
) -> None:
    page = browse(owner)
    page.goto(reverse("guidelines", args=[page_list_collection.slug]))
    press_to(page, "Write guidelines", "link")
    page.keyboard.press("Enter")
    page.get_by_label("Guidelines, in Markdown").focus()
    page.keyboard.type("# Outliers\n\n- pages in **other** languages <script>alert(1)</script>")
    press_to(page, "Preview")
    page.keyboard.press("Enter")
    shown = page.get_by_role("region", name="Preview")
    expect(shown.get_by_role("heading", name="Outliers")).to_be_visible()
    expect(shown.get_by_role("listitem")).to_have_text("pages in other languages <script>alert(1)</script>")
    press_to(page, "Save as a new version")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The guidelines are saved as version 1.")).to_be_visible()
    expect(page.locator(".prose strong")).to_have_text("other")


def test_full_pages_fit_the_screen(
    browse: Browse, owner: User, collection: Collection, person: Callable[[str], User]
) -> None:
    collection.name = ATTACK
    collection.save()
    query = collection.queries.get(key="mercury")
    query.text = ATTACK
    with unguarded(Query):
        query.save()
    people = [person(f"{LONG}{n}") for n in range(5)]
    for user in people:
        Membership.objects.create(collection=collection, user=user, role=Role.CURATOR)
    team.assign_evenly(collection, people, per_query=2, user=owner, note=ATTACK[:200])
    for user in people[:2]:
        lifecycle.submit(lifecycle.from_nothing(query=query, user=user, kind="own", name=HOSTILE_LINE))
    lifecycle.from_nothing(query=query, user=owner, kind="shared", name=HOSTILE_LINE)
    guidelines.save_guidelines(collection=collection, text=TEXT, base=0, user=people[0])
    _, secret = invitations.invite(collection=collection, role=Role.ADJUDICATOR, user=owner, note=ATTACK[:200])
    spent, old = invitations.invite(collection=collection, role=Role.READER, user=owner)
    invitations.revoke(spent)
    slug = collection.slug
    page = browse(owner)
    open_all(
        page,
        [
            reverse("curate", args=[slug]),
            reverse("people", args=[slug]),
            reverse("guidelines", args=[slug]),
            reverse("guidelines-edit", args=[slug]),
            reverse("invitation", args=[secret]),
            reverse("invitation", args=[old]),
        ],
    )
    page.goto(reverse("people", args=[slug]))
    page.get_by_label("For whom").fill(ATTACK[:200])
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator("#new-link")).to_be_visible()
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert too_large(page) == []

"""The API's documentation works in a real browser under the site's strict content policy, without any other host."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.services import tokens
from tests.profiles import thorough

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    thorough("the API's documentation in a browser"),
]


def test_an_operation_can_be_tried_on_a_phone(browse: Callable[..., Page]) -> None:
    page = browse(None, width=390)
    page.goto("/api/v1/docs/")
    expect(page.locator(".info .title")).to_contain_text("QC4 Bench")
    operation = page.locator("#operations-measures-measure .opblock-summary-control")
    expect(page.locator(".opblock").first).to_be_visible()
    page.mouse.move(195, 450)
    # Only what is near the screen is there.
    for _ in range(200):
        if operation.count():
            break
        page.mouse.wheel(0, 600)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    operation.click()
    page.locator("#operations-measures-measure .try-out__btn").click()
    # By keyboard: while the row is drawn anew, what the mouse was pressed on may be gone when it is let go.
    key = page.locator("#operations-measures-measure input").first
    key.fill("aq")
    key.press("Tab")
    page.locator("#operations-measures-measure .execute").press("Enter")
    expect(page.locator("#operations-measures-measure .live-responses-table")).to_contain_text('"key": "aq"')
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_token_can_be_tried_at_a_desk(browse: Callable[..., Page], owner: User) -> None:
    _, secret = tokens.create(owner, "docs")
    page = browse(None)
    page.goto("/api/v1/docs/")
    page.locator(".btn.authorize").first.click()
    page.locator("#auth-bearer-value").fill(secret)
    token = page.locator(".auth-container", has=page.locator("#auth-bearer-value"))
    token.locator(".authorize").click()
    page.locator(".auth-btn-wrapper .btn-done").first.click()
    page.locator("#operations-start-root .opblock-summary-control").click()
    page.locator("#operations-start-root .try-out__btn").click()
    page.locator("#operations-start-root .execute").click()
    expect(page.locator("#operations-start-root .live-responses-table")).to_contain_text('"user": "owner"')

"""The compare page in a browser, by keyboard: another pair, another order, other options; and its layout."""

from __future__ import annotations

import numpy as np
import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from evaluation.models import Algorithm
from tests.browser.accessibility import SCREENS, violations
from tests.browser.page_layout import WIDER
from tests.fixtures.browser import LONG, Browse
from tests.samples.scores import give, many_queries

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ("Lingo", "STC", f"{LONG} with 'quotes' & <tags>", "Random")


@pytest.fixture
def address(transactional_db: None, owner: User) -> str:
    """URL of the compare page for four algorithms on thirty queries."""
    collection = many_queries(owner, 30)
    random = np.random.default_rng(5)
    scores = {
        name: random.normal(mean, 0.04, 30).clip(0, 1).tolist()
        for name, mean in zip(NAMES, (0.7, 0.5, 0.51, 0.1), strict=True)
    }
    give(collection, scores, owner)
    return reverse("compare", args=[collection.slug])


def reach(page: Page, role: str, name: str, within: str) -> None:
    """Press Tab until the focus is on this element."""
    target = page.locator(within).get_by_role(role, name=name, exact=True).first
    expect(target).to_be_visible()
    for _ in range(200):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"Tab never reaches {role} {name}")


def test_keyboard_selects_another_pair(browse: Browse, owner: User, address: str) -> None:
    page = browse(owner)
    page.goto(address)
    expect(page.locator(".sentence")).to_contain_text("Lingo is better than each of the other 3 on 30 queries")
    assert page.locator(".sentence").bounding_box()["y"] < 500
    cell = page.locator(".pair-matrix tbody tr").nth(1).locator("td a").last
    cell.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**pair=*#differences")
    heading = page.locator("#differences-title")
    expect(heading).to_contain_text("against Random")
    reach(page, "button", "Difference", "#differences")
    page.keyboard.press("Enter")
    table = page.get_by_role("region", name="Differences query by query")
    shown = [float(text.replace("−", "-")) for text in table.locator("tbody td:nth-child(4)").all_inner_texts()]
    assert shown == sorted(shown, reverse=True)
    page.keyboard.press("Enter")
    shown = [float(text.replace("−", "-")) for text in table.locator("tbody td:nth-child(4)").all_inner_texts()]
    assert shown == sorted(shown)


def test_keyboard_operates_the_options_form(browse: Browse, owner: User, address: str) -> None:
    page = browse(owner)
    page.goto(address)
    page.locator(".options > summary").focus()
    page.keyboard.press("Enter")
    reach(page, "checkbox", "Random", ".options")
    page.keyboard.press("Space")
    reach(page, "combobox", "Compared with", ".options")
    page.keyboard.type("STC")
    reach(page, "button", "Compare", ".options")
    page.keyboard.press("Enter")
    page.wait_for_url("**baseline=*")
    stc = Algorithm.objects.get(name="STC").pk
    assert f"baseline={stc}" in page.url
    expect(page.locator("#forest-title")).to_contain_text("Differences from STC")
    expect(page.locator(".forest-table tbody tr")).to_have_count(3)


@SCREENS
def test_page_fits_and_is_accessible(browse: Browse, owner: User, address: str, width: int, scheme: str) -> None:
    page = browse(owner, width, scheme)
    page.goto(address)
    page.locator(".options > summary").click()
    page.locator(".figures > summary").click()
    assert page.evaluate(WIDER) <= 0
    assert violations(page) == []
    page.locator(".policy-menu > summary").click()
    assert page.evaluate(WIDER) <= 0
    page.keyboard.press("Escape")
    expect(page.locator(".policy-menu[open]")).to_have_count(0)


def test_list_of_algorithms_does_not_scroll_sideways(browse: Browse, owner: User) -> None:
    collection = many_queries(owner, 2)
    give(collection, {f"Algorithm {number}": [0.5, 0.6] for number in range(16)}, owner)
    page = browse(owner, 390)
    page.goto(reverse("compare", args=[collection.slug]))
    page.locator(".options > summary").click()
    names = page.locator(".options .names")
    expect(names.get_by_role("checkbox")).to_have_count(16)
    assert names.evaluate("names => names.scrollWidth - names.clientWidth") == 0

"""The leaderboard in a browser: ranks that appear later, ticks, menus and the keyboard."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotations.models import Collection
from evaluation.ranking.standings import BOARD
from tests.fixtures.browser import Browse
from tests.samples.boards import board_of
from tests.stored_answers import compute_waiting_answers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLE = {f"Algorithm {number}": [0.9 - 0.1 * number + 0.01 * place for place in range(8)] for number in range(4)}


def board() -> tuple[Collection, str]:
    collection = board_of(TABLE, quality=TABLE, coverage=TABLE)
    return collection, reverse("leaderboard", args=[collection.slug])


@pytest.mark.costs
def test_slow_ranks_appear_without_reloading(browse: Browse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BOARD, "cheap", 20)  # the means alone
    page = browse()
    page.goto(board()[1])
    expect(page.locator("#pending")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(4)
    compute_waiting_answers()
    expect(page.locator(".verdict")).to_contain_text("Algorithm 0 is better than each of the other 3")
    expect(page.locator("#pending")).to_have_count(0)


def test_ticked_rows_are_shown_alone_and_then_all_again(browse: Browse) -> None:
    page = browse()
    page.goto(board()[1])
    only = page.get_by_role("button", name="Only ticked")
    expect(only).to_be_disabled()
    for name in ("Algorithm 1", "Algorithm 3"):
        page.get_by_role("checkbox", name=f"Tick {name}").focus()
        page.keyboard.press("Space")
    expect(page.locator("#tick-words")).to_have_text("2 ticked")
    only.click()
    expect(page.locator("tbody tr")).to_have_count(2)
    page.get_by_role("link", name="All 4 algorithms").click()
    expect(page.locator("tbody tr")).to_have_count(4)


def test_search_finds_queries_to_tick(browse: Browse) -> None:
    page = browse()
    page.goto(board()[1])
    page.locator("#query-menu summary").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Find a query").fill("query 3")
    expect(page.locator("#query-ticks label:visible")).to_have_count(1)
    page.locator("#query-ticks input:visible").check()
    page.keyboard.press("Escape")
    expect(page.locator("#query-menu")).not_to_have_attribute("open", "")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Only these").click()
    expect(page.locator("#query-menu summary")).to_contain_text("1 of 8 query")


def test_choosing_a_baseline_updates_the_page(browse: Browse) -> None:
    page = browse()
    page.goto(board()[1])
    page.get_by_label("Compared with").select_option("Algorithm 2")
    expect(page.get_by_role("columnheader", name="against Algorithm 2")).to_be_visible()
    assert "baseline=" in page.url
    page.go_back()
    expect(page.get_by_role("columnheader", name="against Algorithm 2")).to_have_count(0)


def test_policies_menu_shows_the_scoring_options_in_use(browse: Browse) -> None:
    page = browse()
    page.goto(board()[1])
    menu = page.locator(".policy-menu > summary")
    expect(menu).to_contain_text("default policies")
    menu.click()
    recall = page.locator("#policy-recall")
    recall.select_option("standard")
    expect(menu).to_contain_text("recall standard")
    recall.select_option("modified")
    expect(menu).to_contain_text("default policies")
    expect(recall).to_be_visible()


def test_measure_with_parameters_can_be_typed(browse: Browse) -> None:
    """Measures in the list are ticked there, and the other ones stay in the field."""
    page = browse()
    page.goto(board()[1])
    page.locator("#measure-menu > summary").click()
    field = page.get_by_label("With your own parameters")
    field.fill("alpha_ndcg@15,pair_f(beta=1), kssl(k=6)")
    page.keyboard.press("Tab")
    expect(page.get_by_role("columnheader", name="α-nDCG@15")).to_be_visible()
    expect(page.locator('#measure-menu input[value="pair_f1"]')).to_be_checked()
    expect(field).to_have_value("alpha_ndcg@15, kssl(k=6)")
    page.locator('#measure-menu input[value="pair_f1"]').uncheck()
    expect(page.get_by_role("columnheader", name="Pair F1")).to_have_count(0)
    expect(page.get_by_role("columnheader", name="6SSL")).to_be_visible()


def test_sorting_keeps_scroll_position_focus_and_ticks(browse: Browse) -> None:
    page = browse(width=390)
    page.goto(board()[1])
    page.get_by_role("checkbox", name="Tick Algorithm 2").check()
    region = page.get_by_role("region", name="Leaderboard table")
    region.evaluate("region => { region.scrollLeft = 150; }")
    coverage = page.locator("#sort-coverage")
    coverage.focus()
    left = region.evaluate("region => region.scrollLeft")
    page.keyboard.press("Enter")
    expect(page.locator("th.sorted")).to_contain_text("Coverage")
    expect(page).to_have_url(re.compile("sort=coverage"))
    expect(coverage).to_be_focused()
    expect(page.get_by_role("checkbox", name="Tick Algorithm 2")).to_be_checked()
    expect(page.locator("#tick-words")).to_have_text("1 ticked, 2 to 20 can be compared")
    assert region.evaluate("region => region.scrollLeft") == left > 0


def test_controls_are_folded_on_phones_only(browse: Browse) -> None:
    """Folding needs no script: it is a `details` element that CSS keeps open on wide screens."""
    page = browse()
    page.goto(board()[1])
    picker, table = page.locator("#picker"), page.get_by_role("region", name="Leaderboard table")
    expect(picker.get_by_role("button", name="Show")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 800})
    expect(picker).to_be_hidden()
    expect(table).to_be_in_viewport()
    page.get_by_text("Choose measures, scoring and gold version").click()
    expect(picker.get_by_role("button", name="Show")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

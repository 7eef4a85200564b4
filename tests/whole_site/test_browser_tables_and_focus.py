"""What every page owes its visitors: columns out of sight are told of, and the focus is seen wherever Tab leads."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from annotations.models import Collection
from evaluation.models import StreamSubmission, Submission
from tests.fixtures.browser import Browse
from tests.profiles import thorough
from tests.samples.boards import board_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("tables and focus in a browser")]

TABLE = {f"Algorithm {number}": [0.9 - 0.1 * number + 0.01 * place for place in range(8)] for number in range(3)}
# The focused element where no ring of two pixels or more is drawn around it; nothing where there is one, or at the end.
RINGLESS = """() => {
    const here = document.activeElement;
    if (!here || here === document.body) return "the end";
    const {outlineStyle, outlineWidth} = getComputedStyle(here);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 ? "" : here.outerHTML.slice(0, 120);
}"""


def ringless(page: Page) -> list[str]:
    """What Tab leads to without a ring; the first hundred stops stand for the others."""
    found = []
    for _ in range(100):
        page.keyboard.press("Tab")
        what = page.evaluate(RINGLESS)
        if what == "the end":
            break
        found.extend([what] if what else [])
    return found


@pytest.fixture
def boarded(transactional_db: None) -> Collection:
    return board_of(TABLE, quality=TABLE, coverage=TABLE)


@pytest.mark.parametrize("name", ["leaderboard", "submit", "measure"])
def test_a_ring_is_around_the_focus_at_every_stop(browse: Browse, owner: User, scored: Submission, name: str) -> None:
    page = browse(owner)
    page.goto(reverse(name, args=["ari" if name == "measure" else scored.collection.slug]))
    assert ringless(page) == []


def test_a_board_says_how_many_columns_are_out_of_sight_and_leads_there(browse: Browse, boarded: Collection) -> None:
    page = browse(width=390)
    page.goto(reverse("leaderboard", args=[boarded.slug]))
    more, region = page.locator(".more-columns"), page.get_by_role("region", name="Leaderboard table")
    expect(more).to_have_text(re.compile(r"^[1-9] more columns? →$"))
    more.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#board .scroll').scrollLeft > 0")
    page.get_by_text("Choose measures, scoring and gold version").click()
    page.get_by_label("Compared with").select_option("Algorithm 2")
    expect(page.get_by_role("columnheader", name="against Algorithm 2")).to_have_count(1)
    expect(region).to_have_count(1)
    expect(page.locator(".more-columns:visible")).to_have_count(1)


@pytest.mark.parametrize("sort", ["qc4_f", "coverage"])
def test_the_column_that_ranks_is_in_sight_on_a_phone(browse: Browse, boarded: Collection, sort: str) -> None:
    page = browse(width=390)
    page.goto(reverse("leaderboard", args=[boarded.slug]) + f"?measures=quality,coverage,qc4_f&sort={sort}")
    page.wait_for_selector(".more-columns", state="attached")
    inside = """() => {
        const frame = document.querySelector("#board .scroll").getBoundingClientRect();
        const names = document.querySelector("#board thead .pin").getBoundingClientRect();
        const head = document.querySelector("#board thead .sorted").getBoundingClientRect();
        return head.left >= names.right - 1 && head.right <= frame.right + 1;
    }"""
    page.wait_for_function(inside)


def test_tables_of_streams_fold_on_a_phone(
    browse: Browse, owner: User, hostile_stream_submission: StreamSubmission
) -> None:
    page = browse(owner, 390)
    page.goto(reverse("streams", args=[hostile_stream_submission.stream.collection.slug]))
    page.wait_for_selector("table.folds.labelled")
    expect(page.get_by_role("table").get_by_role("cell")).to_have_count(7)
    assert page.evaluate("(f => f.scrollWidth <= f.clientWidth + 1)(document.querySelector('.folds').parentElement)")
    shown = "getComputedStyle(document.querySelector('.folds td'), '::before').content"
    assert page.evaluate(shown) == '"Points"'


def test_the_button_of_the_policies_says_what_is_chosen(browse: Browse, owner: User, scored: Submission) -> None:
    page = browse(owner)
    page.goto(reverse("submit", args=[scored.collection.slug]))
    button = page.locator("#policy-words")
    expect(button).to_have_text("default policies")
    button.click()
    page.locator("select[name=overlap]").select_option("first")
    expect(button).to_have_text("overlap first")
    page.locator("select[name=overlap]").select_option("refuse")
    expect(button).to_have_text("default policies")

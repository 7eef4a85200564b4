"""The page Why this score in a browser: ticks, the matrix, the comparison with chance, and two algorithms."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from evaluation.models import Submission
from tests.browser.page_layout import open_all
from tests.fixtures.browser import Browse
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("why this score in a browser")]


@pytest.fixture
def address(transactional_db: None, scored: Submission) -> str:
    return reverse("why", args=[scored.pk, "mercury"])


def test_ticking_a_cluster_shows_the_effect_and_updates_the_url(browse: Browse, owner: User, address: str) -> None:
    page = browse(owner)
    page.goto(address)
    page.get_by_role("checkbox", name=re.compile("^drop ")).nth(2).check()
    expect(page.locator("#answer")).to_contain_text("One cluster dropped: QC4-F")
    expect(page).to_have_url(re.compile(r"drop=c3"))
    tick = page.get_by_role("checkbox", name=re.compile("^complete ")).nth(1)
    tick.focus()
    page.keyboard.press("Space")
    expect(page.locator("#answer")).to_contain_text("one cluster given the missing pages")
    page.reload()
    expect(page.locator("#answer")).to_contain_text("one cluster given the missing pages")
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)


def test_matrix_describes_cells_for_mouse_and_keyboard(browse: Browse, owner: User, address: str) -> None:
    page = browse(owner)
    page.goto(address)
    detail, cells = page.locator("#matrix-detail"), page.get_by_role("application")
    cells.click(position={"x": 5, "y": 5})
    expect(detail).to_have_text("Planet (3) and “cluster 1” (3): 3 in common; recall 1.000, precision 1.000, F 1.000")
    expect(page.locator("#common")).to_contain_text("3 pages in common")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    page.keyboard.press("PageDown")
    expect(detail).to_contain_text("outliers (1) and “cluster 3” (3): 1 in common")
    page.keyboard.press("Enter")
    expect(page.locator("#common")).to_contain_text("1 page in common")
    expect(page).to_have_url(re.compile(r"cluster=c3"))
    page.get_by_label("Cells show").select_option("pages")
    expect(page).to_have_url(re.compile(r"shade=pages"))
    expect(page.locator("svg.cells text").first).to_have_text("3")


def test_adding_another_algorithm_keeps_the_ticks(
    browse: Browse, owner: User, address: str, submit: Callable[..., tuple[Submission, object]]
) -> None:
    submit(owner, "Worse", {"mercury": (("p1", "p4"), ("p2", "p3", "p5"))})
    page = browse(owner)
    page.goto(address)
    page.get_by_role("checkbox", name=re.compile("^drop ")).nth(2).check()
    expect(page.locator("#what-if-said")).to_contain_text("One cluster dropped: QC4-F")
    page.get_by_label("Side by side with").focus()
    page.keyboard.type("Worse")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("and Worse")
    expect(page.locator("#what-if-said")).to_contain_text("One cluster dropped: QC4-F")
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(1)


def test_effect_of_a_tick_is_shown_beside_it(browse: Browse, owner: User, address: str) -> None:
    page = browse(owner, 390)
    page.set_viewport_size({"width": 390, "height": 420})
    page.goto(address)
    tick = page.get_by_role("checkbox", name=re.compile("^drop ")).first
    tick.focus()
    page.keyboard.press("Space")
    effect = page.locator("#what-if-said")
    expect(effect).to_contain_text("One cluster dropped: QC4-F")
    expect(effect).to_be_in_viewport(ratio=1)
    expect(tick).to_be_focused()
    expect(tick).to_be_in_viewport()
    assert tick.bounding_box()["y"] < effect.bounding_box()["y"]


def test_comparison_with_chance_appears_without_reloading(browse: Browse, owner: User, address: str) -> None:
    page = browse(owner)
    page.goto(address)
    expect(page.get_by_text("200 times, seed 0")).to_be_visible()


def test_pages_with_two_algorithms_and_changes_fit(browse: Browse, owner: User, hostile_submission: Submission) -> None:
    address = reverse("why", args=[hostile_submission.pk, hostile_submission.clusterings.get().query.key])
    ids = hostile_submission.clusterings.get()
    other = (
        Submission.objects.exclude(pk=hostile_submission.pk).filter(clusterings__query=ids.query).first()
        or hostile_submission
    )
    open_all(
        browse(owner),
        [
            f"{address}?against={other.pk}",
            f"{address}?drop=nobody",
            f"{address}?shade=recall&depth=1&told=2",
        ],
    )

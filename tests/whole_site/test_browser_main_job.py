"""The main job in a real browser, from signing in to the reason of a score."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection
from evaluation.models import Run, Submission
from evaluation.runs.execution import run_here
from qc4.io import read_gold_document, write_gold, write_submission
from tests.fixtures.browser import Browse
from tests.samples.documents import GOOD_ANSWER, PASSWORD, mercury, submission_document
from tests.samples.label_files import GOLD, SEVERAL

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page: Page) -> None:
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name="owner")).to_be_visible()


def follow(page: Page) -> None:
    """Do the waiting run in this process while the page looks on."""
    expect(page.get_by_text("Next in the queue")).to_be_visible()
    run_here(Run.objects.get(state="queued"))
    expect(page.get_by_text("Finished in")).to_be_visible()
    expect(page.locator("#log")).to_contain_text("→ done")
    expect(page).to_have_title(re.compile("(done)"))


def test_from_signing_in_to_why(browse: Browse, owner: User, tmp_path: Path) -> None:
    gold, answer = tmp_path / "mercury.gold.json", tmp_path / "lingo.json"
    gold.write_bytes(write_gold(mercury()))
    answer.write_bytes(write_submission(submission_document({"mercury": GOOD_ANSWER["mercury"]}, "Lingo")))
    page = browse()
    sign_in(page)

    page.get_by_role("link", name="New collection").click()
    page.get_by_label("Name of the collection").fill("Space")
    page.get_by_label("Drop files here").set_input_files(gold)
    page.get_by_role("button", name="Check and import").click()
    follow(page)
    page.get_by_role("link", name="Open the collection").click()

    page.get_by_role("link", name="Submit a clustering").first.click()
    page.get_by_label("Drop a file here").set_input_files(answer)
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_role("heading", name="The file is valid")).to_be_visible()
    page.get_by_role("button", name="Submit privately").click()
    follow(page)

    page.get_by_role("link", name="Leaderboard").click()
    row = page.get_by_role("row").filter(has_text="Lingo")
    expect(row).to_contain_text("1/1")
    row.get_by_role("link", name=re.compile(r"^#\d+$")).click()
    page.get_by_role("row").filter(has_text="mercury").get_by_role("link").first.click()
    expect(page.get_by_text("Exactly the 3 pages of Planet.")).to_be_visible()
    expect(page.get_by_text("1 foreign page")).to_be_visible()


def test_a_bad_file_lists_every_problem(browse: Browse, owner: User, collection: Collection, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(write_submission(submission_document({"mercury": (("zz1",), ("zz2",))}, "Lingo")))
    page = browse(owner, 390)
    page.goto(f"/c/{collection.slug}/submit/")
    page.get_by_label("Drop a file here").set_input_files(bad)
    page.get_by_role("button", name="Check the file").click()
    problems = page.get_by_role("alert")
    expect(problems).to_contain_text("zz1")
    expect(problems).to_contain_text("zz2")


def test_file_is_read_again_by_a_button_of_its_report(browse: Browse, owner: User, tmp_path: Path) -> None:
    import_documents(name="Apples", slug="apples", documents=[read_gold_document(GOLD)], user=owner)
    (file := tmp_path / "apfel.csv").write_text(SEVERAL)
    page = browse(owner)
    page.goto("/c/apples/submit/")
    page.get_by_label("Drop a file here").set_input_files(file)
    page.get_by_label("Algorithm (optional)").fill("Mine")
    page.get_by_role("button", name="Check the file").click()
    page.get_by_role("button", name="Read such labels as several").click()
    expect(page.get_by_role("heading", name="The file is valid")).to_be_visible()
    page.get_by_label("Separator of several labels").fill("")
    page.get_by_role("button", name="Read the file again").click()
    expect(page.get_by_role("heading", name="The file can be submitted")).to_be_visible()


def test_the_picker_changes_the_board_and_the_address(browse: Browse, owner: User, scored: Submission) -> None:
    page = browse(owner)
    page.goto(f"/c/{scored.collection.slug}/leaderboard/")
    page.locator("#measure-menu summary").click()
    page.get_by_label("Adjusted Rand").check()
    expect(page.get_by_role("columnheader", name="Adjusted Rand")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_label("Level").select_option("2")
    expect(page.get_by_role("columnheader", name="Adjusted Rand")).to_contain_text("level 2")
    expect(page).to_have_url(re.compile("level=2"))
    page.reload()
    expect(page.get_by_role("columnheader", name="Adjusted Rand")).to_contain_text("level 2")


def test_a_board_is_sorted_by_its_headers(
    browse: Browse, owner: User, scored: Submission, submit: Callable[..., object], finish: Callable[..., None]
) -> None:
    submit(owner, "Poor", {"mercury": (("p1", "p4", "p7"),), "saturn": (("p1", "p3"),)})
    finish()
    page = browse(owner)
    page.goto(f"/c/{scored.collection.slug}/leaderboard/")
    names = page.locator("tbody th .algorithm")
    expect(names).to_have_text(["Lingo", "Poor"])
    page.get_by_role("columnheader", name="QC4-F").first.get_by_role("link").first.click()
    expect(names).to_have_text(["Poor", "Lingo"])


def test_a_page_is_usable_by_keyboard(browse: Browse, owner: User, collection: Collection) -> None:
    page = browse(owner)
    page.goto(f"/c/{collection.slug}/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("navigation", name="Breadcrumbs").get_by_role("link")).to_be_focused()


def test_tables_are_sorted_by_their_headers(browse: Browse, owner: User, collection: Collection) -> None:
    page = browse(owner)
    page.goto(f"/c/{collection.slug}/")
    table = page.get_by_role("group", name="Queries")
    names = table.locator("tbody th")
    table.get_by_role("button", name="Pages").click()
    expect(names).to_have_text(["mercury", "saturn car"])
    table.get_by_role("button", name="Pages").click()
    expect(names).to_have_text(["saturn car", "mercury"])
    table.get_by_role("button", name="Query").click()
    expect(table.get_by_role("columnheader", name="Query")).to_have_attribute("aria-sort", "ascending")
    expect(names).to_have_text(["mercury", "saturn car"])

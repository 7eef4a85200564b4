"""What a browser does where the site has no place for slow work: nothing that somebody entered or asked for is lost."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django import Settings

from accounts.models import User
from annotations.models import Collection
from common.capacity import slow_work
from evaluation.models import Submission
from qc4.io import write_submission
from tests.browser.contexts import Browse
from tests.profiles import thorough
from tests.samples.documents import GOOD_ANSWER, submission_document
from tests.samples.scores import give
from tests.stored_answers import leave_all_to_workers
from tests.waiting import PATIENCE

pytestmark = thorough("browsers that find no place for slow work")


@pytest.fixture(autouse=True)
def _one_place(settings: Settings) -> None:
    settings.SLOW_WORK_AT_ONCE = 1


@contextmanager
def no_place() -> Iterator[None]:
    begun, may_end = Event(), Event()

    def work() -> None:
        with slow_work("something"):
            begun.set()
            assert may_end.wait(PATIENCE)

    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(work)
        assert begun.wait(PATIENCE)
        try:
            yield
        finally:
            may_end.set()
        held.result()


def test_reloading_sends_a_form_again_with_its_file(
    browse: Browse, owner: User, collection: Collection, tmp_path: Path
) -> None:
    file = tmp_path / "lingo.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("lingo.json", write_submission(submission_document(GOOD_ANSWER, "Lingo")))
    page = browse(owner)
    page.goto(f"/c/{collection.slug}/submit/")
    page.get_by_label("Drop a file here").set_input_files(file)
    page.get_by_label(re.compile("^Algorithm")).first.fill("My algorithm")
    with no_place():
        page.get_by_role("button", name="Check the file").click()
        expect(page.get_by_text("reload this page: your browser sends the form again")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="The file is valid")).to_be_visible()
    expect(page.get_by_text("My algorithm").first).to_be_visible()


def test_a_page_comes_by_itself_once_there_is_a_place(browse: Browse, owner: User, collection: Collection) -> None:
    page = browse(owner)
    with no_place():
        page.goto(f"/c/{collection.slug}/heat-map/")
        expect(page.get_by_role("heading", name="Not just now")).to_be_visible()
    expect(page.get_by_role("heading", name="heat map", level=1)).to_be_visible()


def test_a_part_of_a_page_comes_by_itself_once_there_is_a_place(
    browse: Browse, owner: User, collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(collection, {"A": [0.2, 0.4], "B": [0.6, 0.7]}, owner)
    leave_all_to_workers(monkeypatch)
    page = browse(owner)
    page.goto(f"/c/{collection.slug}/compare/")
    expect(page.locator("#pending")).to_be_visible()
    with no_place(), page.expect_response(lambda answer: "compare" in answer.url and answer.status == 503):
        pass
    monkeypatch.undo()
    expect(page.get_by_text(re.compile("^[AB] .*[AB]")).first).to_be_visible()
    expect(page.locator("#pending")).to_have_count(0)


def open_cell(page: Page, *, status: int) -> None:
    """Open the cell of the matrix that has the focus; the site answers with this status."""
    with page.expect_response(lambda answer: "cluster=" in answer.url and answer.status == status):
        page.keyboard.press("Enter")


def test_a_part_that_came_late_replaces_only_itself(browse: Browse, owner: User, scored: Submission) -> None:
    page = browse(owner)
    page.goto(reverse("why", args=[scored.pk, "mercury"]))
    expect(page.locator("[hx-trigger=load]")).to_have_count(0)
    page.get_by_role("application").focus()
    page.keyboard.press("ArrowRight")
    told = page.locator("#matrix-detail").text_content() or ""
    with no_place():
        open_cell(page, status=503)
    expect(page.locator("#common")).to_contain_text("in common")
    expect(page.locator("#matrix-detail")).to_have_text(told)


def test_what_was_asked_for_later_is_what_stays(browse: Browse, owner: User, scored: Submission) -> None:
    page = browse(owner)
    page.clock.install()
    page.goto(reverse("why", args=[scored.pk, "mercury"]))
    expect(page.locator("[hx-trigger=load]")).to_have_count(0)
    page.get_by_role("application").focus()
    with no_place():
        open_cell(page, status=503)
    page.keyboard.press("End")
    page.keyboard.press("PageDown")
    open_cell(page, status=200)
    expect(page.locator("#common")).to_contain_text("1 page in common")
    page.clock.run_for(60_000)
    expect(page.locator("#common")).to_contain_text("1 page in common")
    expect(page).to_have_url(re.compile("cluster=c3"))

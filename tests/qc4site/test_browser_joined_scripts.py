"""Collected static files in a browser: one joined script per page, and modules that can still be loaded singly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotations.models import Draft
from tests.browser.contexts import Browse
from tests.browser.workspace import Open
from tests.collected_files import collected_into, served_from
from tests.paths import ROOT
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAIN = {"js/documentation/api-docs.js"}
"""Scripts that are no modules."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with collected_into(tmp_path_factory.mktemp("static")) as found:
        return found


@pytest.fixture
def collected(folder: Path) -> Iterator[None]:
    with served_from(folder):
        yield


def scripts(page: Page) -> list[str]:
    """The paths of the scripts that the page has loaded, without the hashes in their names."""
    loaded = page.evaluate("performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)")
    return [re.sub(r"\.[0-9a-f]{12}\.js$", ".js", path) for path in loaded if path.endswith(".js")]


@pytest.mark.usefixtures("collected")
def test_workspace_works_with_its_joined_script(open_workspace: Open, owner: User, own_draft: Draft) -> None:
    screen = open_workspace(owner, own_draft)
    assert "/static/js/joined/workspace/workspace.js" in scripts(screen.page)
    single = ("/static/js/workspace/", "/static/js/drafts/")
    assert not [path for path in scripts(screen.page) if path.startswith(single)]
    before = screen.placed()
    screen.press("1")
    expect(screen.page.locator("#undo")).to_be_enabled()
    assert screen.placed() != before
    screen.press("Control+z")
    expect(screen.page.locator("#redo")).to_be_enabled()
    assert screen.placed() == before
    screen.press("?")
    expect(screen.dialog).to_be_visible()


@pytest.mark.usefixtures("collected")
def test_every_joined_script_of_a_page_runs(browse: Browse, owner: User, own_draft: Draft, folder: Path) -> None:
    page = browse(owner)
    page.goto("/docs/")
    joined = [path for path in (folder / "js" / "joined").rglob("*.js") if re.search(r"\.[0-9a-f]{12}\.js$", path.name)]
    assert len(joined) > 3
    for path in joined:
        page.evaluate("(path) => import(path).then(() => null)", f"/static/{path.relative_to(folder).as_posix()}")


@pytest.mark.parametrize("kind", ["as they are", pytest.param("collected", marks=thorough("single collected modules"))])
def test_every_module_can_be_loaded_singly(
    kind: str, browse: Browse, folder: Path, live_server: LiveServer, request: pytest.FixtureRequest
) -> None:
    names = [path.relative_to(ROOT / "static").as_posix() for path in (ROOT / "static" / "js").rglob("*.js")]
    if kind == "collected":
        request.getfixturevalue("collected")
    page = browse()
    page.goto("/docs/")
    failed = page.evaluate(
        """(names) => Promise.all(
             names.map((name) => import(`/static/${name}`).then(() => "", (error) => `${name}: ${error}`)),
           ).then((all) => all.filter(Boolean))""",
        sorted(set(names) - PLAIN),
    )
    assert failed == []

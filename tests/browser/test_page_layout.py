"""What `open_all` must find on a page that is wrong on one screen, or in one scheme, alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.page_layout import misfits_of
from tests.fixtures.browser import Browse
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("how pages fit")]

PAGE = """<!doctype html><html lang="en"><title>Made up</title><meta name="viewport" content="width=device-width">
<style>
  body { color: #000; background: #fff; }
  a { color: inherit; }
  button, summary { min-width: 24px; min-height: 24px; }
  :focus-visible { outline: 2px solid; }
  .ringless:focus-visible { outline: none; }
  .thin:focus-visible { outline-width: 1px; }
  @media (prefers-color-scheme: dark) { body { color: #fff; background: #000; } }
  @media (prefers-color-scheme: light) { .pale-in-light { color: #eee; } }
  @media (prefers-color-scheme: dark) { .pale-in-dark { color: #111; } }
  @media (max-width: 600px) { .desk { display: none; } }
  @media (min-width: 601px) { .phone { display: none; } }
</style><main><h1>Made up</h1>%s</main></html>"""
ROWS = "<tr><td>row</td></tr>" * 13
DESK, PHONE = "/made-up at a desk: ", "/made-up on a phone: "
PALE, UNNAMED, RINGLESS = "color-contrast", "button-name", "no focus ring"


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        ("<p>nothing</p>", []),
        ('<p class="pale-in-light">some words</p>', [f"{DESK}{PALE}"]),
        ('<p class="pale-in-dark">some words</p>', [f"{PHONE}{PALE}"]),
        ('<p class="desk pale-in-light">some words</p>', [f"{DESK}{PALE}"]),
        ('<p class="desk pale-in-dark">some words</p>', [f"{DESK}dark: {PALE}"]),
        ('<p class="phone pale-in-light">some words</p>', [f"{PHONE}light: {PALE}"]),
        ('<p class="phone pale-in-dark">some words</p>', [f"{PHONE}{PALE}"]),
        ("<button></button>", [f"{PHONE}{UNNAMED}"]),
        ('<button class="desk"></button>', [f"{DESK}{UNNAMED}"]),
        ('<button class="phone"></button>', [f"{PHONE}{UNNAMED}"]),
        ("<button>press</button>", []),
        ('<button class="ringless">press</button>', [f"{DESK}{RINGLESS}", f"{PHONE}{RINGLESS}"]),
        ('<button class="thin">press</button>', [f"{DESK}{RINGLESS}", f"{PHONE}{RINGLESS}"]),
        ('<button class="phone ringless">press</button>', [f"{PHONE}{RINGLESS}"]),
        ('<details><summary>more</summary><a href="/" class="phone ringless">a</a></details>', [f"{PHONE}{RINGLESS}"]),
        ('<ul class="ringless" tabindex="0"><li>a</li></ul>', [f"{DESK}{RINGLESS}", f"{PHONE}{RINGLESS}"]),
        ('<button style="height: 20px; min-height: 0">press</button>', [f"{PHONE}smaller than 24 pixels"]),
        ('<p>Read <a href="/">the rules</a> first.</p>', []),
        ('<p><a href="/">a</a></p><p style="margin-top: 40px"><a href="/">b</a></p>', []),
        (
            '<p><a href="/">a</a> <a href="/">b</a></p>',
            [f"{PHONE}smaller than 24 pixels", f"{PHONE}smaller than 24 pixels"],
        ),
        ('<label style="display: block; min-height: 24px"><input type="checkbox"> a long label</label>', []),
        ('<div style="width: 700px">a</div>', [f"{PHONE}318 pixels wider"]),
        (f'<table>{ROWS}<tr><td><div style="width: 700px">a</div></td></tr></table>', [PHONE]),
    ],
)
def test_it_is_found(browse: Browse, wrong: str, found: list[str]) -> None:
    page = browse(None)
    misfits = misfits_of(page, made_up(page, wrong), set())
    assert len(misfits) == len(found), misfits
    for misfit, start in zip(misfits, found, strict=True):
        assert misfit.startswith(start)


def test_colours_are_judged_again_where_the_element_is_of_another_kind(browse: Browse) -> None:
    page, judged = browse(None), set()
    assert misfits_of(page, made_up(page, '<p class="desk">some words</p>'), judged) == []
    again = misfits_of(page, made_up(page, '<p class="desk pale-in-dark">some words</p>'), judged)
    assert [each.startswith(f"{DESK}dark: {PALE}") for each in again] == [True]


def made_up(page: Page, content: str) -> str:
    """The address of a page with this content."""
    page.unroute_all()
    page.route("**/made-up", lambda route: route.fulfill(body=PAGE % content, content_type="text/html"))
    return "/made-up"

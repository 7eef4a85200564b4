"""The documentation is searched with nothing but keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.input_devices import Keyboard
from tests.fixtures.browser import Browse
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("the documentation in a browser")]


def test_a_word_is_looked_for_and_its_section_opened(browse: Browse) -> None:
    page = browse(None, 390)
    keyboard = Keyboard(page)
    page.goto("/docs/")
    keyboard.reach("Search the documentation", "searchbox").type("completion").press("Enter")
    page.wait_for_url("**/docs/search/?q=completion")
    keyboard.reach("Completion", "link").press("Enter")
    page.wait_for_url("**/docs/formats/#completion")
    expect(page.get_by_role("heading", name=re.compile("^Completion"))).to_be_in_viewport()
    keyboard.used_no_mouse()

"""A page that asks for a file that is not there fails the test that saw it: see `browse`."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Route

from tests.fixtures.browser import missing_file

pytestmark = pytest.mark.browser

SITE = "http://site.test"
PAGE = f"""<!doctype html><title>files</title>
<link rel="stylesheet" href="{SITE}/static/css/gone.css"><script src="{SITE}/static/js/gone.js" type="module"></script>
<script src="{SITE}/broken.js"></script><img src="{SITE}/gone.svg" alt="">"""


def test_missing_scripts_styles_and_pictures_are_told_and_refusals_are_not(chromium: Browser) -> None:
    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(SITE)
        status = {"/page": 200, "/broken.js": 500, "/api/v1/no": 403}.get(path, 404)
        route.fulfill(status=status, body=PAGE if status == 200 else "nothing", content_type="text/html")

    told: list[Any] = []
    context = chromium.new_context()
    context.on("response", lambda response: told.extend(missing_file(response)))
    page = context.new_page()
    page.route(f"{SITE}/**", answer)
    page.goto(f"{SITE}/page")
    page.evaluate("Promise.all(['/static/data.json', '/api/v1/no', '/nowhere'].map((address) => fetch(address)))")
    page.goto(f"{SITE}/no-such-page")
    context.close()
    assert sorted(told) == [
        f"404 for the fetch {SITE}/static/data.json",
        f"404 for the image {SITE}/gone.svg",
        f"404 for the script {SITE}/static/js/gone.js",
        f"404 for the stylesheet {SITE}/static/css/gone.css",
        f"500 for the script {SITE}/broken.js",
    ]

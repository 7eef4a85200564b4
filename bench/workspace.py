"""The curation workspace in Chromium: the time until it can be used, and from a key until its effect is painted.

One web server runs on SQLite, as in `manage.py serve`. Shared drafts have 1,000 and 5,000 pages and 200 topics, with
most pages in two topics. The first visit is the server's first request. "Empty browser" has an empty cache, and
"again" is another visit by the same browser. The workspace can be used when its script has built the page and the
browser has painted a frame. Keys are measured in the page, from the time of the event until after the next frame.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from bench.serving import chromium, run_python, running_site, site_settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZES = {1_000: (1.0, 0.050), 5_000: (2.0, 0.100)}
"""Number of pages of a draft -> limits in seconds: until it can be used, and from key to paint."""
FAR_LATENCY_MS, FAR_SECONDS = 400, 3.0
"""Latency of a browser that is far away, and the longest time until it can use the workspace."""
VISITS = 5
TURNS = 12
KEYS = {"next page": "j", "select it": "x", "deselect it": "x", "put it into a topic": "1", "undo": "Control+z"}
FILL = """
import json
from dataclasses import asdict
import django
django.setup()
from django.core.management import call_command
from bench.drafts import working_draft
call_command("migrate", verbosity=0)
call_command("collectstatic", verbosity=0, interactive=False)
print(json.dumps([asdict(working_draft(count, count * 9 // 10)) for count in {sizes}]))
"""
READY = "() => document.querySelector('#curate[data-ready]') !== null"
PAINTED = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() / 1000)));
})"""
PREDICTED = """() => performance.getEntriesByType("resource").some((one) => {
  return one.name.includes("/predictions") && one.responseEnd > 0;
})"""
LISTEN = """() => {
  window.strokes = [];
  window.addEventListener("keydown", (event) => {
    if (event.key === "Control") return;
    requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = () => window.strokes.push((performance.now() - event.timeStamp) / 1000);
      after.port2.postMessage(null);
    });
  }, true);
}"""


def run() -> Iterator[dict[str, Any]]:
    """Yield the rows of the table."""
    with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        settings = site_settings(folder) | {"API_RATE_DRAFTS": "100000/min"}
        drafts = json.loads(run_python(FILL.format(sizes=[*SIZES]), settings).splitlines()[-1])
        for (count, limits), made in zip(SIZES.items(), drafts, strict=True):
            with running_site(settings) as port, chromium() as browser:
                yield from _measured(browser, f"http://127.0.0.1:{port}", made, count, *limits)


def _measured(
    browser: Browser, site: str, made: Mapping[str, Any], count: int, limit: float, key_limit: float
) -> Iterator[dict[str, Any]]:
    address, name = f"{site}/drafts/{made['draft']}/", f"Workspace, {count:,} pages"
    first, *empty = (_new_visit(browser, site, made, address) for _ in range(VISITS + 1))
    yield _row(f"{name}, first visit of all", first, limit)
    yield _row(f"{name}, empty browser", median(empty), limit)
    far = median(_new_visit(browser, site, made, address, FAR_LATENCY_MS) for _ in range(VISITS))
    yield _row(f"{name}, cold and far away", far, FAR_SECONDS)
    page = _page(browser, site, made)
    _visit(page, address)
    yield _row(f"{name}, again", median(_visit(page, address) for _ in range(VISITS)), limit)
    strokes = _strokes(page)
    every = [seconds for found in strokes.values() for seconds in found]
    for what, found in strokes.items():
        yield _row(f"{name}, key: {what}, p50", median(found), key_limit)
    yield _row(f"{name}, all keys, p95", quantiles(every, n=20)[-1], 2 * key_limit)


def _page(browser: Browser, site: str, made: Mapping[str, Any]) -> Page:
    """Open a page in a browser with an empty cache."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": name, "value": value, "url": site} for name, value in made["cookies"].items()])
    return context.new_page()


def _new_visit(browser: Browser, site: str, made: Mapping[str, Any], address: str, latency: int = 0) -> float:
    page = _page(browser, site, made)
    if latency:
        conditions = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
        page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", conditions)
    seconds = _visit(page, address)
    page.context.close()
    return seconds


def _visit(page: Page, address: str) -> float:
    """Return the seconds from the start of the request until the workspace can be used.

    The function then waits for the predictions, which the site computes at every visit, so that they do not slow down
    the next one.
    """
    answer = page.goto(address, wait_until="commit")
    if answer is None or answer.status != 200:
        raise RuntimeError(f"{address}: {answer.status if answer else 'no answer'}")
    page.wait_for_function(READY)
    seconds: float = page.evaluate(PAINTED)
    page.wait_for_function(PREDICTED)
    return seconds


def _strokes(page: Page) -> dict[str, list[float]]:
    """Press the keys one after another, each when the effect of the last one is painted. Return seconds by key."""
    page.wait_for_load_state("load")
    page.evaluate(LISTEN)
    page.keyboard.press("Escape")
    for _ in range(TURNS + 1):
        for key in KEYS.values():
            before = page.evaluate("window.strokes.length")
            page.keyboard.press(key)
            page.wait_for_function("before => window.strokes.length > before", arg=before)
    found: list[float] = page.evaluate("window.strokes")
    found = found[1 + len(KEYS) :]
    return {what: found[number :: len(KEYS)] for number, what in enumerate(KEYS)}


def _row(work: str, seconds: float, limit: float) -> dict[str, Any]:
    amounts = {"seconds": seconds, "peer_seconds": limit, "ratio": seconds / limit, "goal": 1.0}
    return {"work": work, "peer": f"limit of {limit * 1e3:g} ms", **amounts}

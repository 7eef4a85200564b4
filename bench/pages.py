"""Pages of 200 algorithms x 500 queries x 40 measures in Chromium: from the click until they can be used.

One gunicorn process with SQLite, as `manage.py serve` starts it. A page can be used once it is loaded, its canvas (if
it has one) is painted and the browser has time for a frame. The first visit finds nothing worked out yet; what takes
long follows by itself, and the next visits wait until it is there. The peer is the limit: 2 s, on a calm machine.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from statistics import median
from typing import TYPE_CHECKING, Any

from bench.board import ALGORITHMS, FILL, QUERIES, measure_keys
from bench.serving import ROOT, environment, in_python, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

LIMIT = 2.0
VISITS = 3
LONGEST = 120_000
"""Milliseconds that working out may take."""
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-gpu"]

USABLE = """() => new Promise((done) => {
  const ready = () => {
    const canvas = document.querySelector("#heat-canvas");
    if (canvas && !canvas.style.width) { requestAnimationFrame(ready); return; }
    requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
  };
  ready();
})"""
SETTLED = """() => !document.querySelector('.htmx-request, [hx-trigger^="load"]')"""


def run() -> list[dict[str, Any]]:
    """Two rows for each page: the first visit, and the median of later ones."""
    with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        settings = environment(folder)
        in_python(FILL, settings)
        with served(settings) as port:
            return _visits(f"http://127.0.0.1:{port}/c/many")


def _visits(collection: str) -> list[dict[str, Any]]:
    from playwright.sync_api import sync_playwright

    finder = [ROOT / "scripts" / "find_chromium.sh"]
    chromium = subprocess.run(finder, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603  # our own script
    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.stdout.strip(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(LONGEST)
        for name, address in _addresses(collection).items():
            first = _seconds(page, address)
            page.wait_for_function(SETTLED)
            later = median(_seconds(page, address) for _ in range(VISITS))
            work = f"Chromium, {ALGORITHMS} x {QUERIES}, {name}"
            rows += [_row(f"{work}, first visit", first), _row(work, later)]
        browser.close()
    return rows


def _addresses(collection: str) -> dict[str, str]:
    twenty = "&".join(f"algorithms={number}" for number in range(1, 21))
    return {
        "board, 40 measures": f"{collection}/leaderboard/?measures={','.join(measure_keys())}",
        "compare": f"{collection}/compare/",
        "compare, 20 algorithms": f"{collection}/compare/?{twenty}",
        "heat map": f"{collection}/heat-map/",
        "trade-off": f"{collection}/trade-off/",
        "measures compared": f"{collection}/measures/",
        "robustness": f"{collection}/robustness/",
    }


def _seconds(page: Page, address: str) -> float:
    start = time.perf_counter()
    answer = page.goto(address, wait_until="load")
    if answer is None or answer.status != 200:
        raise RuntimeError(f"{address}: {answer.status if answer else 'no answer'}")
    page.evaluate(USABLE)
    return time.perf_counter() - start


def _row(work: str, seconds: float) -> dict[str, Any]:
    amounts = {"seconds": seconds, "peer_seconds": LIMIT, "ratio": seconds / LIMIT, "goal": 1.0}
    return {"work": work, "peer": f"limit of {LIMIT:g} s", **amounts}

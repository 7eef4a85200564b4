"""The time from a click until a page can be used, in Chromium.

The pages show 200 algorithms x 500 queries x 40 measures, and drafts with 1,000 and 10,000 pages. One web server runs
on SQLite, as in `manage.py serve`. A page can be used once it is loaded, its canvas (if it has one) is painted, and the
browser has time for a frame. On the first visit nothing is stored, and slow results are loaded afterwards. Later visits
start when these are complete. The peer is the limit: 2 s, on an otherwise idle machine.
"""

from __future__ import annotations

import json
import tempfile
import time
from statistics import median
from typing import TYPE_CHECKING, Any

from bench.board import ALGORITHMS, QUERIES, measure_keys
from bench.large import DRAFTS
from bench.serving import chromium, run_python, running_site, site_settings

if TYPE_CHECKING:
    from playwright.sync_api import Page

FILL = "from bench.large import fill_large; fill_large()"
LIMIT = 2.0
VISITS = 3
LONGEST = 120_000
"""Maximum time for computing slow results, in milliseconds."""

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
    """Return two rows for each page: the first visit, and the median of later ones."""
    with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        settings = site_settings(folder)
        made = json.loads(run_python(FILL, settings).splitlines()[-1])
        with running_site(settings) as port:
            site = f"http://127.0.0.1:{port}"
            return _visits(_addresses(site, made["drafts"]), made["cookie"], site)


def _visits(addresses: dict[str, str], cookie: dict[str, str], site: str) -> list[dict[str, Any]]:
    rows = []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": site}])
        page.set_default_timeout(LONGEST)
        for name, address in addresses.items():
            first, *others = [_settled(page, address) for _ in range(1 + VISITS)]
            later = median(others)
            rows += [_row(f"Chromium, {name}, first visit", first), _row(f"Chromium, {name}", later)]
    return rows


def _addresses(site: str, drafts: dict[str, list[int]]) -> dict[str, str]:
    collection = f"{site}/c/many"
    twenty = "&".join(f"algorithms={number}" for number in range(1, 21))
    of_many = {
        "board, 40 measures": f"{collection}/leaderboard/?measures={','.join(measure_keys())}",
        "compare": f"{collection}/compare/",
        "compare, 20 algorithms": f"{collection}/compare/?{twenty}",
        "heat map": f"{collection}/heat-map/",
        "trade-off": f"{collection}/trade-off/",
        "measures compared": f"{collection}/measures/",
        "robustness": f"{collection}/robustness/",
        "topics": f"{collection}/topics/",
        "ranks before and after": f"{collection}/gold/2/ranks/",
    }
    found = {f"{ALGORITHMS} x {QUERIES}, {name}": address for name, address in of_many.items()}
    for slug, (pages, many) in DRAFTS.items():
        name, agreement = f"drafts of {pages:,} pages", f"{site}/c/{slug}/q/large/agreement/"
        found[f"agreement of {many} {name}"] = agreement
        found[f"agreement of 2 {name}"] = f"{agreement}?first={drafts[slug][0]}&second={drafts[slug][1]}"
    return found | {"behaviour study": f"{site}/study/", "measures": f"{site}/measures/"}


def _settled(page: Page, address: str) -> float:
    """Visit a page and wait until it is complete. Return the seconds until it could be used.

    A person has one slot for slow work, so another visit before that would be rejected.
    """
    seconds = _seconds(page, address)
    page.wait_for_function(SETTLED)
    return seconds


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

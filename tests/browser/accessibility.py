"""What axe finds wrong with a page: the serious and critical violations, each with the element."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_AXE = (Path(__file__).parent.parent / "vendor" / "axe-core" / "axe.min.js").read_text()
_RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
    .filter(found => ["serious", "critical"].includes(found.impact))
    .map(found => `${found.id}: ${found.help}: `
        + found.nodes.slice(0, 5).map(node => node.html.slice(0, 200)).join(" | "))"""


def violations(page: Page) -> list[str]:
    """Serious and critical violations on the page as it is now; an empty list where there are none."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    return list(page.evaluate(_RUN))

"""What axe finds wrong with a page: the serious and critical violations, each with the element."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

SCREENS = pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
"""Two suffice: what a page is wide does not depend on its colours, and `violations` looks at those of both schemes."""

_AXE = (Path(__file__).parent.parent / "vendor" / "axe-core" / "axe.min.js").read_text()
_RUN = """async (only) => {
    const alike = [["tbody tr:nth-of-type(n + 13)"], ["svg text:nth-of-type(n + 13)"]];
    const {violations} = await axe.run({exclude: alike}, {resultTypes: ["violations"], ...only});
    return violations
        .filter(found => ["serious", "critical"].includes(found.impact))
        .map(found => `${found.id}: ${found.help}: `
            + found.nodes.slice(0, 5).map(node => node.html.slice(0, 200)).join(" | "));
}"""
_SCHEME = "matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'"
_COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}


def violations(page: Page) -> list[str]:
    """Serious and critical violations on the page as it is now, in light and in dark; empty where there are none.

    The first dozen rows of a table and squares of a picture stand for the others, which are made alike.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    found = list(page.evaluate(_RUN, {}))
    scheme = page.evaluate(_SCHEME)
    other = "light" if scheme == "dark" else "dark"
    page.emulate_media(color_scheme=other)
    found += [f"{other}: {each}" for each in page.evaluate(_RUN, _COLOURS)]
    page.emulate_media(color_scheme=scheme)
    return found

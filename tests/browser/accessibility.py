"""What axe finds wrong with a page: the serious and critical violations, each with the element."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

SCREENS = pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
"""Two suffice: what a page is wide does not depend on its colours, and `violations` looks at those of both schemes."""

_AXE = (Path(__file__).parent.parent / "vendor" / "axe-core" / "axe.min.js").read_text()
_RUN = """async ({only, include}) => {
    const exclude = [["tbody tr:nth-of-type(n + 13)"], ["svg text:nth-of-type(n + 13)"]];
    const {violations} = await axe.run({exclude, ...include}, {resultTypes: ["violations"], ...only});
    return violations
        .filter(found => ["serious", "critical"].includes(found.impact))
        .map(found => `${found.id}: ${found.help}: `
            + found.nodes.slice(0, 5).map(node => node.html.slice(0, 200)).join(" | "));
}"""
_SCHEME = "matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'"
_COLOURS = ["color-contrast", "link-in-text-block"]
_WIDTH = ["scrollable-region-focusable"]
_EMPTY_ROWS = """() => {
    const rows = [...document.querySelectorAll("tbody tr:nth-of-type(n + 13)")];
    const heights = rows.map(row => `${row.offsetHeight}px`);
    rows.forEach((row, at) => { row.replaceChildren(); row.style.height = heights[at]; });
}"""
_REMEMBER = """() => {
    const seen = [...document.querySelectorAll("body *")].filter(each => each.checkVisibility());
    window.seenBefore = new WeakSet(seen);
}"""
_NEW = "[...document.querySelectorAll('body *')].filter(each => each.checkVisibility() && !seenBefore.has(each))"
_MARK_NEW = f"""() => {{
    document.querySelectorAll("[data-new]").forEach(each => delete each.dataset.new);
    const found = {_NEW};
    found.forEach(each => {{ each.dataset.new = ""; }});
    return found.length;
}}"""
_NEW_ONES = {"include": [["[data-new]"]]}


def violations(page: Page) -> list[str]:
    """Serious and critical violations on the page as it is now, in light and in dark; empty where there are none.

    The first dozen rows of a table and squares of a picture stand for the others, which are made alike.
    """
    return _run(page) + _colours_of_the_other_scheme(page, {})


def remember(page: Page) -> None:
    """Of what the screen shows now, `violations_beside` need not look at everything again."""
    page.evaluate(_REMEMBER)


def empty_rows(page: Page) -> None:
    """Take the content of the rows that are not looked at away, and keep their height: large tables take axe long.

    The page is good for nothing but more looking at it afterwards.
    """
    page.evaluate(_EMPTY_ROWS)


def violations_here(page: Page) -> list[str]:
    """As `violations`; but of what was shown when `remember` was called, colours are judged in this scheme alone."""
    return _run(page) + _of_the_new(page, all_rules=False)


def violations_beside(page: Page) -> list[str]:
    """As `violations_here`, but of what was shown when `remember` was called only what another width can change."""
    return _run(page, {"runOnly": _COLOURS + _WIDTH}) + _of_the_new(page, all_rules=True)


def _of_the_new(page: Page, *, all_rules: bool) -> list[str]:
    """What is wrong with elements that were not shown before, in the colours of the other scheme; or by all rules that
    `violations_beside` has not run."""
    if not page.evaluate(_MARK_NEW):
        return []
    found = (
        _run(page, {"rules": {rule: {"enabled": False} for rule in _COLOURS + _WIDTH}}, _NEW_ONES) if all_rules else []
    )
    return found + _colours_of_the_other_scheme(page, _NEW_ONES)


def _colours_of_the_other_scheme(page: Page, where: dict[str, Any]) -> list[str]:
    scheme = page.evaluate(_SCHEME)
    other = "light" if scheme == "dark" else "dark"
    page.emulate_media(color_scheme=other)
    found = _run(page, {"runOnly": _COLOURS}, where)
    page.emulate_media(color_scheme=scheme)
    return [f"{other}: {each}" for each in found]


def _run(page: Page, only: dict[str, Any] | None = None, where: dict[str, Any] | None = None) -> list[str]:
    """Run these rules of axe, or all, on the page or a part of it, as the screen shows it now."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    return list(page.evaluate(_RUN, {"only": only or {}, "include": where or {}}))

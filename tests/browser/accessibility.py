"""What axe finds wrong with a page: the serious and critical violations, each with the element."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

SCREENS = pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
"""Two suffice: what a page is wide does not depend on its colours, and `violations` looks at those of both schemes."""

_AXE = (Path(__file__).parent.parent / "vendor" / "axe-core" / "axe.min.js").read_text()
# Rules whose violations are never serious are not run: `region` alone takes as long as many others.
_RUN = """async ({only, include}) => {
    const exclude = [["tbody tr:nth-of-type(n + 13)"], ["svg text:nth-of-type(n + 13)"]];
    const light = axe._audit.rules.filter(rule => ["minor", "moderate"].includes(rule.impact));
    const rules = Object.fromEntries(light.map(rule => [rule.id, {enabled: false}]));
    const options = {resultTypes: ["violations"], preload: false, rules, ...only};
    const {violations} = await axe.run({exclude, ...include}, options);
    return violations
        .filter(found => ["serious", "critical"].includes(found.impact))
        .map(found => `${found.id}: ${found.help}: `
            + found.nodes.slice(0, 5).map(node => node.html.slice(0, 200)).join(" | "));
}"""
_SCHEME = "matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'"
_COLOURS = ["color-contrast", "link-in-text-block"]
_EMPTY_ROWS = """() => {
    const rows = [...document.querySelectorAll("tbody tr:nth-of-type(n + 13)")];
    const heights = rows.map(row => `${row.offsetHeight}px`);
    rows.forEach((row, at) => { row.replaceChildren(); row.style.height = heights[at]; });
}"""
_REMEMBER = """() => {
    const seen = [...document.querySelectorAll("body *")].filter(each => each.checkVisibility());
    window.seenBefore = new WeakSet(seen);
}"""
# What decides an element's colours: its and its ancestors' names and attributes, but for what they say or lead to.
_MARK_NEW = """known => {
    document.querySelectorAll("[data-new]").forEach(each => delete each.dataset.new);
    const told = new Set(known), paths = new Map(), found = [];
    const texts = /^(href|src|id|for|name|title|value|d|points|transform|x|y|x1|x2|y1|y2|aria-(label|describedby).*)$/;
    const path = each => {
        if (!each) return "";
        if (!paths.has(each)) {
            const own = [...each.attributes].filter(({name}) => !texts.test(name)).map(({name, value}) => name + value);
            paths.set(each, `${path(each.parentElement)}>${each.localName} ${own.join(" ")}`);
        }
        return paths.get(each);
    };
    for (const each of document.querySelectorAll("body *"))
        if (!seenBefore.has(each) && each.checkVisibility() && !told.has(path(each))) found.push(each);
    const fresh = [...new Set(found.map(path))];
    found.forEach(each => { each.dataset.new = ""; });
    return fresh;
}"""
_NEW_ONES = {"include": [["[data-new]"]]}


def violations(page: Page) -> list[str]:
    """Serious and critical violations on the page as it is now, in light and in dark; empty where there are none.

    The first dozen rows of a table and squares of a picture stand for the others, which are made alike.
    """
    return _run(page) + _colours_of_the_other_scheme(page, {})


def remember(page: Page) -> None:
    """Of what the screen shows now, `violations_where_new` need not look at the colours again."""
    page.evaluate(_REMEMBER)


def empty_rows(page: Page) -> None:
    """Take the content of the rows that are not looked at away, and keep their height: large tables take axe long.

    The page is good for nothing but more looking at it afterwards.
    """
    page.evaluate(_EMPTY_ROWS)


def violations_where_new(page: Page, judged: set[str]) -> list[str]:
    """As `violations`; but colours of the other scheme only of what was not shown when `remember` was called.

    That kind of thing is looked at once: `judged` knows those of the pages before, and learns those of this one.
    """
    fresh = page.evaluate(_MARK_NEW, list(judged))
    judged.update(fresh)
    return _run(page) + (_colours_of_the_other_scheme(page, _NEW_ONES) if fresh else [])


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

"""Pages that fit every screen: nothing too wide, nothing too small, a ring around each focus, what axe finds."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.accessibility import empty_rows, remember, violations_where_new

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 900}
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Pixels below the footer: what an element that escapes its scroll region adds to the page.
LONGER = """() => {
    const end = document.querySelector("footer.footer")?.getBoundingClientRect().bottom;
    const height = document.documentElement.scrollHeight;
    return end === undefined ? 0 : Math.round(height - Math.max(end + window.scrollY, window.innerHeight));
}"""
# Controls around which no ring of two pixels or more is drawn where the keyboard brings the focus, by their source.
_RINGLESS = """() => {
    const fields = "input:not([type=hidden]), select, textarea";
    const controls = `a[href], button, summary, ${fields}, [tabindex]:not([tabindex="-1"])`;
    const found = [];
    const folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach(each => { each.open = true; });
    for (const one of [...document.querySelectorAll(controls)].slice(0, 600)) {
        if (one.disabled || !one.checkVisibility({visibilityProperty: true})) continue;
        one.focus({preventScroll: true});
        if (document.activeElement !== one) continue;
        const {outlineStyle, outlineWidth} = getComputedStyle(one);
        if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) found.push(one.outerHTML.slice(0, 120));
    }
    document.activeElement?.blur();
    folded.forEach(each => { each.open = false; });
    return [...new Set(found)].slice(0, 5);
}"""
# Buttons of less than 24 pixels, wherever they are.
_SMALL_BUTTONS = """() => [...document.querySelectorAll("button, .btn, select, summary, .actions a")]
    .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.closest(".visually-hidden, [aria-hidden]"))
    .filter(one => { const {width, height} = one.getBoundingClientRect(); return width < 24 || height < 24; })
    .map(one => one.outerHTML.slice(0, 120)).slice(0, 5)"""
# Other targets of less than 24 pixels, as WCAG 2.5.8 measures them: with their labels; not links within a sentence; and
# not where a circle of 24 pixels around the middle touches neither another target nor the circle of another small one.
_CROWDED = """() => {
    const fields = "input:not([type=hidden]), select, textarea";
    const seen = one => one.checkVisibility({visibilityProperty: true, opacityProperty: true})
        && !one.closest(".visually-hidden, .visually-hidden-focusable, [aria-hidden=true], [inert]");
    const boxes = one => [one, ...(one.labels || [])].filter(seen).map(each => each.getBoundingClientRect());
    const area = one => {
        const all = boxes(one);
        const [left, top] = [Math.min(...all.map(each => each.left)), Math.min(...all.map(each => each.top))];
        const [right, bottom] = [Math.max(...all.map(each => each.right)), Math.max(...all.map(each => each.bottom))];
        return {one, left, top, right, bottom, x: (left + right) / 2, y: (top + bottom) / 2,
            small: right - left < 23.5 || bottom - top < 23.5};
    };
    const inline = one => {
        if (one.tagName !== "A" || !getComputedStyle(one).display.startsWith("inline")) return false;
        const around = "p, li, td, th, dd, dt, div, h1, h2, h3, header, section, label, summary, main, body";
        const block = one.closest(around);
        const links = [...block.querySelectorAll("a")].map(each => each.textContent).join("");
        const words = text => text.replace(/[^\\p{L}\\p{N}]/gu, "").length;
        return getComputedStyle(one).display === "inline" && words(block.textContent) > words(links);
    };
    const pick = `a[href], button, summary, [role=button], [role=tab], ${fields}`;
    const all = [...document.querySelectorAll(pick)].filter(one => seen(one) && !one.disabled).slice(0, 800).map(area);
    const small = all.filter(each => each.small && each.right > each.left && !inline(each.one));
    const far = (a, b) => {
        const [dx, dy] = [Math.max(b.left - a.x, 0, a.x - b.right), Math.max(b.top - a.y, 0, a.y - b.bottom)];
        return Math.hypot(dx, dy) >= 11.5;
    };
    const crowded = a => all.some(b => b.one !== a.one && !b.one.contains(a.one) && !a.one.contains(b.one)
        && !(a.one.labels && [...a.one.labels].some(each => each.contains(b.one)))
        && (!far(a, b) || (b.small && Math.hypot(a.x - b.x, a.y - b.y) < 23.5)));
    return small.filter(crowded).map(each => each.one.outerHTML.slice(0, 120)).slice(0, 5);
}"""
# Controls around whose middle a click within 12 pixels would be another's; what is out of sight is not asked.
_MISSED = """what => [...document.querySelectorAll(what)].filter(one => {
    if (!one.checkVisibility({visibilityProperty: true})) return false;
    const {left, top, bottom, width, height} = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const sight = one.closest(".scroller")?.getBoundingClientRect();
    if (sight && (top < sight.top || bottom > sight.bottom)) return false;
    const at = (dx, dy) => document.elementFromPoint(x + dx, y + dy);
    if (!one.contains(at(0, 0))) return false;
    const around = [[-11, 0], [11, 0], [0, -11], [0, 11], [-7, -7], [7, -7], [-7, 7], [7, 7]];
    return around.some(([dx, dy]) => !one.contains(at(dx, dy)));
}).map(one => one.outerHTML.slice(0, 120))"""
# What scripts do about another width is done in the frame that shows it.
_SHOWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def open_all(page: Page, addresses: list[str]) -> None:
    """Look at each page at a desk in light and, without loading it anew, on a phone in dark.

    Every rule of axe sees each element on both screens, and its colours in both schemes: where both screens show it the
    phone brings the dark one, and what only one of them shows is judged in both there. All misfits of all pages are
    told at once.
    """
    judged: set[str] = set()
    misfits = [each for address in addresses for each in misfits_of(page, address, judged)]
    assert misfits == [], "\n".join(map(str, misfits))


def misfits_of(page: Page, address: str, judged: set[str]) -> list[str]:
    """What does not fit, or is not accessible, on a page and on which screen; `judged`: see `violations_where_new`."""
    _screen(page, "light", DESK)
    answer = page.goto(address)
    assert answer is not None
    assert answer.status < 500, address
    assert page.title(), address
    assert page.locator("h1").count() == 1, address
    at_the_desk = too_large(page) + without_ring(page)
    remember(page)
    _screen(page, "dark", PHONE)
    on_a_phone = too_large(page) + without_ring(page) + too_small(page)
    empty_rows(page)
    on_a_phone += violations_where_new(page, judged)
    remember(page)
    _screen(page, "light", DESK)
    page.evaluate(_SHOWN)  # or what goes away with the width would be marked as new
    at_the_desk += [each for each in violations_where_new(page, judged) if each not in on_a_phone]
    told = {"at a desk": at_the_desk, "on a phone": on_a_phone}
    return [f"{address} {where}: {each}" for where, found in told.items() for each in found]


def too_large(page: Page) -> list[str]:
    """Where the page as it is now is wider than the screen, or goes on below its footer."""
    page.evaluate(_SHOWN)
    found = []
    if (pixels := page.evaluate(WIDER)) > 0:
        found.append(f"{pixels} pixels wider than the screen")
    if (pixels := page.evaluate(LONGER)) > 1:
        found.append(f"goes on for {pixels} pixels below its footer")
    return found


def without_ring(page: Page) -> list[str]:
    """The controls that show no ring where the keyboard brings the focus."""
    page.keyboard.press("Shift")  # what has the focus now came there by keyboard
    return [f"no focus ring: {source}" for source in page.evaluate(_RINGLESS)]


def too_small(page: Page) -> list[str]:
    """The targets that a finger misses: buttons, fields and links."""
    found = dict.fromkeys([*page.evaluate(_SMALL_BUTTONS), *page.evaluate(_CROWDED)])
    return [f"smaller than 24 pixels: {source}" for source in found]


def missed_around(page: Page, what: str) -> list[str]:
    """The controls to which a circle of 24 pixels around their middle does not all belong; there must be some."""
    assert page.locator(what).count(), what
    found: list[str] = page.evaluate(_MISSED, what)
    return found


def _screen(page: Page, scheme: str, size: dict[str, int]) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(size)

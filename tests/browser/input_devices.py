"""A person with only a keyboard, and one with only a mouse: what the browser itself saw of either is checked."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from playwright.sync_api import Locator, Page, expect

# Counts in the tab's session storage, so that it outlives every change of page.
_WATCH = """
const seen = JSON.parse(sessionStorage.getItem("hands") ?? "[]");
const note = (event, what) => {
  if (!event.isTrusted) return;
  seen.push(what);
  sessionStorage.setItem("hands", JSON.stringify(seen));
};
for (const kind of ["pointerdown", "wheel"]) {
  addEventListener(kind, (event) => note(event, kind), {capture: true, passive: true});
}
addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input, textarea") && event.key.length === 1 && !event.ctrlKey && !event.altKey;
  note(event, typing ? "letter" : `key ${event.key}`);
}, true);
"""


_DROP = re.compile(r"\bdrop-in\b")


class Hands:
    """Both kinds; `seen` says what reached the pages."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.add_init_script(_WATCH)

    def seen(self) -> Counter[str]:
        """How often what was used: "pointerdown", "wheel", "letter" (typed into a field), "key Enter" .."""
        return Counter(json.loads(self.page.evaluate("sessionStorage.getItem('hands') ?? '[]'")))


class Keyboard(Hands):
    """Nothing but keys. `presses` counts them, letters typed into a field apart."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.presses = 0

    def press(self, *keys: str) -> Keyboard:
        for key in keys:
            self.page.keyboard.press(key)
        self.presses += len(keys)
        return self

    def type(self, text: str) -> Keyboard:
        self.page.keyboard.type(text)
        return self

    def reach(self, name: str, role: str = "button") -> Keyboard:
        """Tab on until the focus is on what has this name."""
        target = self.page.get_by_role(role, name=name, exact=True).first
        expect(target).to_be_visible()
        for _ in range(80):
            if target.evaluate("element => element === document.activeElement"):
                return self
            self.press("Tab")
        pytest.fail(f"the keyboard does not reach {name!r}")

    def used_no_mouse(self) -> None:
        assert not {"pointerdown", "wheel"} & set(self.seen())


class Mouse(Hands):
    """Nothing but clicks and drags; letters only into fields."""

    def click(self, target: Locator, **how: object) -> Mouse:
        target.click(**how)
        return self

    def name(self, text: str) -> Mouse:
        """Type into the field that has the focus."""
        self.page.keyboard.type(text)
        return self

    def drag(self, start: Locator, end: Locator) -> Mouse:
        """Press, move in steps as a hand does, and let go once the end shows that it would take it."""
        (x, y), (to_x, to_y) = _near_the_left(start), _near_the_left(end)
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x - 10, y + 12, steps=4)
        mouse.move(to_x, to_y, steps=10)
        expect(end).to_have_class(_DROP)
        mouse.up()
        return self

    def used_no_keys(self) -> None:
        assert [what for what in self.seen() if what.startswith("key ")] == []


def _near_the_left(target: Locator) -> tuple[float, float]:
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box is not None
    return box["x"] + 90, box["y"] + box["height"] / 2


class KeysAtWork(Keyboard):
    """A curator with only a keyboard, in the workspace."""

    def select_all(self) -> None:
        self.press("]", "[", "Control+a", "Control+a")

    def place(self, digit: int) -> None:
        """Put what is selected into the topic of this digit."""
        self.press(str(digit))

    def flag(self) -> None:
        self.press("f")

    def outlier(self) -> None:
        self.press("o")

    def rename(self, topic: Locator, name: str) -> None:
        self._go(topic).press("F2").type(name).press("Enter")

    def merge(self, topic: Locator, into: str) -> None:
        self._go(topic).press("m").type(into).press("Enter")

    def undo(self) -> None:
        self.press("Control+z")

    def redo(self) -> None:
        self.press("Control+Shift+z")

    def delete(self, topic: Locator) -> None:
        self._go(topic).press("Delete", "Enter")

    def go_to_page(self, page: str) -> KeysAtWork:
        """Up or down the list to a page."""
        if not self.page.evaluate("document.activeElement.matches('#list')"):
            self.press("l")
        self.press("Home")
        for _ in range(60):
            if self.page.locator(".p-row.cursor").get_attribute("data-page") == page:
                return self
            self.press("j")
        pytest.fail(f"the keyboard does not reach page {page!r}")

    def activate(self, target: Locator) -> None:
        """Press a button that Tab reaches."""
        expect(target).to_be_visible()
        for _ in range(160):
            if target.evaluate("element => element === document.activeElement"):
                self.press("Enter")
                return
            self.press("Tab")
        pytest.fail("the keyboard does not reach the button")

    def _go(self, topic: Locator) -> KeysAtWork:
        """Down the tree to a topic."""
        if not self.page.evaluate("document.activeElement.matches('.t-row')"):
            self.press("l")
        self.press("Home")
        for _ in range(30):
            if topic.evaluate("row => row === document.activeElement"):
                return self
            self.press("ArrowDown")
        pytest.fail("the arrows do not reach the topic")

    def nothing_else(self) -> None:
        self.used_no_mouse()


class MouseAtWork(Mouse):
    """A curator with only a mouse, in the workspace."""

    def select_all(self) -> None:
        self.click(self.page.locator("#check-all"))
        every = self.page.locator("#select-all")
        if every.is_visible():
            self.click(every)

    def place(self, digit: int) -> None:
        self.click(self.page.locator("#digits .digit").nth(digit - 1))

    def flag(self) -> None:
        self.click(self.page.locator("#do-flag"))

    def outlier(self) -> None:
        self.click(self.page.locator("#do-outlier"))

    def rename(self, topic: Locator, name: str) -> None:
        topic.click(button="right")
        self.page.get_by_role("menuitem", name="Rename").click()
        field = self.page.locator(".name-field")
        expect(field).to_be_focused()
        self.name(name).click(self.page.locator("#topics-title"))

    def merge(self, topic: Locator, into: str) -> None:
        topic.click(button="right")
        self.page.get_by_role("menuitem", name="Merge into").click()
        self.page.locator(".pick-row").filter(has_text=re.compile(into, re.IGNORECASE)).first.click()

    def delete(self, topic: Locator) -> None:
        topic.click(button="right")
        self.page.get_by_role("menuitem", name="Delete").click()
        self.page.locator("#delete-now").click()

    def go_to_page(self, page: str) -> MouseAtWork:
        self.click(self.page.locator(f'.p-row[data-page="{page}"] .title'))
        return self

    def activate(self, target: Locator) -> None:
        self.click(target)

    def undo(self) -> None:
        self.click(self.page.locator("#undo"))

    def redo(self) -> None:
        self.click(self.page.locator("#redo"))

    def nothing_else(self) -> None:
        self.used_no_keys()


AtWork = KeysAtWork | MouseAtWork
HANDS = (pytest.param(KeysAtWork, id="by keyboard alone"), pytest.param(MouseAtWork, id="by mouse alone"))
BOTH = pytest.mark.parametrize("hands", HANDS)

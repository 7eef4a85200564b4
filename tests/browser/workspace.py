"""The curation workspace as a person sees it, and what the server holds of the draft."""

from __future__ import annotations

from collections.abc import Callable

from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from annotations.drafts.selectors import states
from annotations.drafts.state_machine import DraftState
from annotations.models import Draft
from tests.browser.contexts import Browse


class Workspace:
    """One person's screen of one draft."""

    def __init__(self, page: Page, draft: Draft) -> None:
        self.page, self.draft = page, draft

    def open(self, query: str = "") -> Workspace:
        self.page.goto(reverse("draft", args=[self.draft.pk]) + query)
        expect(self.page.locator("#curate[data-ready]")).to_be_visible()
        return self

    # Keys

    def press(self, *keys: str) -> Workspace:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def press_on(self, code: str, types: str, *, shift: bool = False) -> Workspace:
        """Press the key at a position, as a keyboard on which it types this character."""
        press_on(self.page, code, types, shift=shift)
        return self

    def type(self, text: str) -> Workspace:
        self.page.keyboard.type(text)
        return self

    # What is there

    def row(self, title: str) -> Locator:
        return self.page.get_by_role("option").filter(has_text=title)

    def topic(self, name: str) -> Locator:
        """A topic of the tree by its exact name."""
        return self.page.locator(".t-row[data-topic]").filter(has=self.page.locator(f'bdi.name:text-is("{name}")'))

    def menu(self, words: str) -> None:
        """Choose from the menu that is open."""
        self.page.get_by_role("menuitem", name=words).click()

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def cursor(self) -> Locator:
        return self.page.locator(".p-row.cursor")

    @property
    def focus(self) -> str:
        """Where the focus is: an element's id or class; "BODY" means that it was lost."""
        return str(
            self.page.evaluate("(({id, className, tagName}) => id || className || tagName)(document.activeElement)")
        )

    # What the server has

    def saved(self) -> DraftState:
        """The state on the server once everything is saved."""
        expect(self.page.locator("#save")).to_have_attribute("data-kind", "saved")
        return states.current(Draft.objects.get(pk=self.draft.pk)).state

    def placed(self) -> dict[str, set[str]]:
        """Name of a topic -> the pages whose finest place it is, as the server has it."""
        state = self.saved()
        return {topic.name: set(state.members.get(id, ())) for id, topic in state.topics.items()}

    def tree(self) -> list[str]:
        """Paths of the topics in tree order, as the server has it."""
        state = self.saved()

        def below(parent: str | None, before: str) -> list[str]:
            found = []
            for id in state.children.get(parent, ()):
                path = f"{before}{state.topics[id].name}"
                found += [path, *below(id, f"{path}/")]
            return found

        return below(None, "")


def press_on(page: Page, code: str, types: str, *, shift: bool = False) -> None:
    """Press a key of a keyboard on which it types this character. Playwright itself knows only US keyboards."""
    keyboard = page.context.new_cdp_session(page)
    event = {"code": code, "key": types, "modifiers": 8 if shift else 0}
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyDown", "text": types, **event})
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyUp", **event})
    keyboard.detach()


Open = Callable[..., Workspace]


def opener(browse: Browse) -> Open:
    def call(user: User, draft: Draft, query: str = "", *, width: int = 1280, scheme: str = "light") -> Workspace:
        return Workspace(browse(user, width, scheme), draft).open(query)

    return call

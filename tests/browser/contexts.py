"""Browser contexts that one test leaves to the next, empty but for the files that browsers keep.

A new context fetches, reads and compiles a hundred scripts anew, which took half of what the tests of the workspace
cost. What a test may leave behind in one is taken away before another page is opened in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Browser, BrowserContext, Page

from tests.waiting import PATIENCE

Browse = Callable[..., Page]
"""What the fixture `browse` of `tests/fixtures/browser.py` gives."""

Kind = tuple[str, int, str]
"""Which server, how wide, which colour scheme."""


@dataclass
class Contexts:
    """Those of one browser that no test is using."""

    browser: Browser
    _free: dict[Kind, list[BrowserContext]] = field(default_factory=lambda: defaultdict(list))

    @contextmanager
    def lend(self) -> Iterator[Lent]:
        """Contexts for one test, each of them its own until it ends."""
        lent = Lent(self)
        try:
            yield lent
        finally:
            for context, kind in lent.kinds.items():
                for page in context.pages:
                    page.close()
                if context not in lent.closed:
                    self._free[kind].append(context)

    def take(self, kind: Kind) -> BrowserContext:
        if self._free[kind]:
            return self._free[kind].pop()
        url, width, scheme = kind
        return self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce", base_url=url
        )


@dataclass
class Lent:
    """What one test uses."""

    source: Contexts
    kinds: dict[BrowserContext, Kind] = field(default_factory=dict)
    closed: set[BrowserContext] = field(default_factory=set)

    @property
    def contexts(self) -> list[BrowserContext]:
        return list(self.kinds)

    def page(self, url: str, width: int = 1280, scheme: str = "light") -> Page:
        """A page in a context of its own, in which nobody has been."""
        context = self.source.take((url, width, scheme))
        self.kinds[context] = (url, width, scheme)
        context.once("close", lambda context: self.closed.add(context))
        page = context.new_page()
        _empty(page, url)
        page.set_default_timeout(PATIENCE * 1_000)
        return page


def _empty(page: Page, url: str) -> None:
    """Leave nothing of whoever was there before: the page has just been opened, so that no script writes any more."""
    context = page.context
    context.set_offline(False)
    context.clear_cookies()
    context.clear_permissions()
    browser = context.new_cdp_session(page)
    kept = "local_storage,indexeddb,service_workers,cache_storage,file_systems"
    browser.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": kept})
    browser.detach()

"""Support for tests of the workspace's scripts: an empty page in which Chromium loads the modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from accounts.models import User

EMPTY = "/static/empty.html"
"""A URL that the server does not have; the test responds to it."""

OPEN = """
async ({draft, name, slow}) => {
  const {DraftStore} = await import("/static/js/drafts/store.js");
  const workspace = await (await fetch(`/api/v1/drafts/${draft}`)).json();
  const pace = slow ? {poll: 3600000} : {poll: 20, retry: 20, signedOut: 20, presenceDelay: 0};
  const store = new DraftStore({workspace, pace});
  store.heard = [];
  for (const kind of ["change", "save", "people", "conflict", "undo"]) {
    store.addEventListener(kind, ({detail}) => {
      store.heard.push({...detail, event: kind, pages: detail.pages && [...detail.pages]});
    });
  }
  window[name] = store;
  store.start();
  // What it asks at its start is answered before the test goes on: it would hear of what the test does next.
  while (slow && store._connection._polling) await new Promise((resolve) => setTimeout(resolve, 5));
}
"""
SETTLED = "(name) => ['saved', 'conflict'].includes(window[name].save.kind) && window[name].save.waiting === 0"


def empty_page(page: Page, base: str) -> Page:
    """Open an empty page at the server's own origin, so that scripts can send requests to it."""
    page.route(
        f"**{EMPTY}",
        lambda route: route.fulfill(body="<!doctype html><title>scripts</title>", content_type="text/html"),
    )
    page.goto(f"{base}{EMPTY}")
    return page


class Curator:
    """One person's browser, with the store of one draft."""

    def __init__(self, page: Page, live_server: LiveServer, draft: int, user: User) -> None:
        self.page, self.draft, self.user, self.url = page, draft, user, live_server.url
        # Pages of the site set this cookie, but the empty page does not.
        page.context.add_cookies([{"name": "csrftoken", "value": "c" * 32, "url": live_server.url}])
        empty_page(page, live_server.url)

    def open(self, name: str = "store", *, slow: bool = False) -> Curator:
        """Load the draft into a store; a ``slow`` store never polls."""
        self.page.evaluate(OPEN, {"draft": self.draft, "name": name, "slow": slow})
        return self

    def reload(self, *, slow: bool = False) -> Curator:
        self.page.goto(f"{self.url}{EMPTY}")
        return self.open(slow=slow)

    def run(self, script: str, argument: Any = None) -> Any:
        """Return the value of an expression that uses ``store``."""
        return self.page.evaluate(f"async (given) => {{ {script} }}", argument)

    def perform(self, *operations: Mapping[str, Any]) -> str:
        batch: str = self.run("return store.perform(given)", list(operations))
        return batch

    def state(self) -> dict[str, Any]:
        """Return the shown state, without marks and the records of stale pages."""
        found: dict[str, Any] = self.run("const {touched, changed, marks, ...rest} = store.state.toJSON(); return rest")
        return found

    def save(self) -> dict[str, Any]:
        found: dict[str, Any] = self.run("return store.save")
        return found

    def wait(self, condition: str, argument: Any = None) -> None:
        self.page.wait_for_function(f"(given) => {condition}", arg=argument, polling=10)

    def settled(self, name: str = "store") -> None:
        """Wait until all work has been sent."""
        self.page.wait_for_function(SETTLED, arg=name, polling=10)

"""What one test leaves in a browser, the next does not find: see `Contexts`."""

from __future__ import annotations

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.browser.contexts import Contexts

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LEAVE = "localStorage.setItem('left', 'x'); sessionStorage.setItem('left', 'x'); document.cookie = 'left=x';"
FOUND = "[localStorage.getItem('left'), sessionStorage.getItem('left'), /left/.test(document.cookie)]"
MAY_READ = "navigator.permissions.query({name: 'clipboard-read'}).then(({state}) => state)"


def test_a_context_is_given_on_empty_and_connected(contexts: Contexts, live_server: LiveServer) -> None:
    with contexts.lend() as lent:
        page = lent.page(live_server.url)
        page.goto("/")
        before = page.evaluate(MAY_READ)
        page.context.grant_permissions(["clipboard-read"])
        assert page.evaluate(MAY_READ) != before
        page.evaluate(LEAVE)
        assert page.evaluate(FOUND) == ["x", "x", True]
        page.context.set_offline(True)
        first = page.context
    with contexts.lend() as lent:
        page = lent.page(live_server.url)
        assert page.context is first
        page.goto("/")
        assert page.evaluate(FOUND) == [None, None, False]
        assert page.evaluate(MAY_READ) == before


def test_one_that_a_test_has_closed_is_not_given_on(contexts: Contexts, live_server: LiveServer) -> None:
    with contexts.lend() as lent:
        closed = lent.page(live_server.url).context
        closed.close()
    with contexts.lend() as lent:
        assert lent.page(live_server.url).context is not closed

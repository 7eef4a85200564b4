"""People who look at pages: a browser-like client per person."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User

Visit = Callable[[User | None], Client]


@pytest.fixture
def visit(db: None) -> Visit:
    """``visit(user)``: a client signed in as this person; ``visit(None)`` is not signed in. CSRF is not checked."""

    def client(user: User | None) -> Client:
        found = Client()
        if user is not None:
            found.force_login(user)
        return found

    return client

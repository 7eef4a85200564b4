"""People who look at pages: a browser-like client per person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection

Visit = Callable[[User | None], Client]
Read = Callable[..., Any]


@pytest.fixture
def visit(db: None) -> Visit:
    """``visit(user)``: a client signed in as this person; ``visit(None)`` is not signed in. CSRF is not checked."""

    def client(user: User | None) -> Client:
        found = Client()
        if user is not None:
            found.force_login(user)
        return found

    return client


def reading(visit: Visit, collection: Collection, face: str) -> Read:
    """``read(user, name=face, **choices)``: the JSON answer of that name."""

    def call(user: User, name: str = face, **choices: str) -> Any:
        answer = visit(user).get(reverse(name, args=[collection.slug]), choices)
        assert answer.status_code == 200, answer.content
        return answer.json()

    return call

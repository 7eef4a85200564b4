"""Somebody who gave an e-mail address, and what was sent there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User

ADDRESS = "ada@example.org"


@pytest.fixture
def ada(person: Callable[[str], User]) -> User:
    """Somebody who gave an address."""
    user = person("ada")
    user.email = ADDRESS
    user.save()
    return user


@pytest.fixture
def confirmed(ada: User) -> User:
    """The same, once she has confirmed it."""
    ada.email_confirmed_at = timezone.now()
    ada.save()
    return ada


@pytest.fixture
def browser() -> Callable[[User], Client]:
    """A browser in which this person is signed in."""

    def make(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return make

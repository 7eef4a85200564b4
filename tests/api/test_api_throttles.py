"""Limits on how often one may ask: 429 says when to try again."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.api.answers import Api, error

ROOT = "/api/v1/"


@pytest.fixture
def rates(settings: Settings) -> dict[str, Any]:
    """The rates, to be changed; those of other tests stay."""
    changed = deepcopy(settings.REST_FRAMEWORK)
    settings.REST_FRAMEWORK = changed
    found: dict[str, Any] = changed["DEFAULT_THROTTLE_RATES"]
    return found


def refused(response: Any) -> None:
    found = error(response, 429)
    assert 1 <= int(response["Retry-After"]) <= 60
    assert found["retry_after"] == int(response["Retry-After"])
    assert found["code"] == "too-many-requests"


@pytest.mark.django_db
def test_anonymous_callers_are_limited_by_address(client: Client, rates: dict[str, Any]) -> None:
    rates["anon"] = "2/min"
    assert [client.get(ROOT).status_code for _ in range(2)] == [200, 200]
    refused(client.get(ROOT))
    refused(client.get(ROOT, headers={"x-forwarded-for": "192.0.2.7"}))
    assert client.get(ROOT, REMOTE_ADDR="192.0.2.8").status_code == 200


def test_people_are_limited_whatever_token_they_use(api: Api, owner: User, outsider: User, rates: Any) -> None:
    rates["user"] = "2/min"
    assert [api(owner).get(ROOT).status_code for _ in range(2)] == [200, 200]
    refused(api(owner).get(ROOT))
    assert api(outsider).get(ROOT).status_code == 200


def test_uploads_have_a_limit_of_their_own(api: Api, owner: User, address: str, rates: dict[str, Any]) -> None:
    rates["upload"] = "1/min"

    def send():
        return api(owner).post(f"{address}/submissions/check", b"?", content_type="text/csv")

    assert send().status_code == 200
    refused(send())
    assert api(owner).get(f"{address}/submissions").status_code == 200


def test_guessing_tokens_is_limited_and_right_ones_are_not_counted(
    api: Api, owner: User, client: Client, rates: dict[str, Any]
) -> None:
    rates["login"] = "2/min"
    program = api(owner)
    assert [program.get(ROOT).status_code for _ in range(4)] == [200] * 4
    guess = {"authorization": "Bearer qc4_guess"}
    assert [client.get(ROOT, headers=guess).status_code for _ in range(2)] == [401, 401]
    refused(client.get(ROOT, headers=guess))


@pytest.mark.django_db
def test_guessing_passwords_is_limited_whatever_the_names(client: Client, rates: dict[str, Any]) -> None:
    rates["login"] = "2/min"

    def guess(name):
        return client.post("/sign-in/", {"username": name, "password": "guess"}).status_code

    assert [guess(name) for name in ("ann", "bob", "eve")] == [200, 200, 429]


def test_counts_are_shared_by_all_processes() -> None:
    assert "locmem" not in settings.CACHES["default"]["BACKEND"]
    assert "dummy" not in settings.CACHES["default"]["BACKEND"]
    assert caches["default"] is not None

"""Tokens: shown once, stored hashed, useless once revoked."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import ApiToken, User
from accounts.services import tokens
from tests.api.answers import error

ROOT = "/api/v1/"


def bearer(secret: str) -> dict[str, str]:
    return {"authorization": f"Bearer {secret}"}


def test_a_token_speaks_for_its_user(owner: User, client: Client) -> None:
    _, secret = tokens.create(owner, "nightly")
    assert client.get(ROOT, headers=bearer(secret)).json()["user"] == "owner"


def test_only_a_hash_is_stored(owner: User) -> None:
    row, secret = tokens.create(owner, "nightly")
    stored = ApiToken.objects.values().get(pk=row.pk)
    assert secret.startswith("qc4_")
    assert len(secret) > 40
    assert not any(secret in str(value) for value in stored.values())
    assert secret.startswith(stored["prefix"])


def test_two_tokens_are_never_the_same(owner: User) -> None:
    assert tokens.create(owner, "a")[1] != tokens.create(owner, "a")[1]


def test_a_revoked_token_is_refused(owner: User, client: Client) -> None:
    row, secret = tokens.create(owner, "nightly")
    tokens.revoke(row)
    response = client.get(ROOT, headers=bearer(secret))
    assert error(response, 401)["code"] == "not-authenticated"
    assert response["WWW-Authenticate"] == "Bearer"


def test_a_token_of_a_deactivated_person_is_refused(owner: User, client: Client) -> None:
    _, secret = tokens.create(owner, "nightly")
    User.objects.filter(pk=owner.pk).update(is_active=False)
    error(client.get(ROOT, headers=bearer(secret)), 401)


@pytest.mark.parametrize("secret", ["", "qc4_", "qc4_wrong", "wrong", "qc4_ä€", "a b c"])
@pytest.mark.django_db
def test_a_wrong_token_is_an_error_even_where_none_is_needed(client: Client, secret: str) -> None:
    error(client.get(ROOT, headers=bearer(secret)), 401)


def test_when_a_token_was_used_is_noted_at_most_once_a_minute(owner: User) -> None:
    row, secret = tokens.create(owner, "nightly")
    tokens.authenticate(secret)
    row.refresh_from_db()
    first = row.last_used_at
    assert first is not None
    tokens.authenticate(secret)
    row.refresh_from_db()
    assert row.last_used_at == first
    ApiToken.objects.filter(pk=row.pk).update(last_used_at=timezone.now() - timedelta(minutes=2))
    tokens.authenticate(secret)
    row.refresh_from_db()
    assert row.last_used_at >= first


def test_a_browser_session_works_too_and_needs_the_csrf_token(owner: User, address: str) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    assert browser.get(ROOT).json()["user"] == "owner"
    error(browser.post(f"{address}/baselines", {}), 403)

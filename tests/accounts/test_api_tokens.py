"""Tokens: shown once, stored hashed, useless once revoked."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import ApiToken, User
from accounts.services import tokens
from tests.fixtures.api import error

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


def test_when_a_token_was_used_is_noted_at_most_once_an_hour(owner: User) -> None:
    row, secret = tokens.create(owner, "nightly")
    tokens.authenticate(secret)
    row.refresh_from_db()
    first = row.last_used_at
    assert first is not None
    tokens.authenticate(secret)
    row.refresh_from_db()
    assert row.last_used_at == first
    ApiToken.objects.filter(pk=row.pk).update(last_used_at=timezone.now() - timedelta(hours=2))
    tokens.authenticate(secret)
    row.refresh_from_db()
    assert row.last_used_at >= first


def test_an_expired_token_is_told_so_and_a_wrong_one_is_not(owner: User, client: Client) -> None:
    row, secret = tokens.create(owner, "nightly", days=1)
    assert client.get(ROOT, headers=bearer(secret)).status_code == 200
    ApiToken.objects.filter(pk=row.pk).update(expires_at=timezone.now() - timedelta(minutes=1), last_used_at=None)
    found = error(client.get(ROOT, headers=bearer(secret)), 401)
    assert found["code"] == "token-expired"
    assert "expired on" in found["sentence"]
    assert ApiToken.objects.get(pk=row.pk).last_used_at is None
    assert error(client.get(ROOT, headers=bearer(secret[:-1] + "?")), 401)["code"] == "not-authenticated"


def test_a_token_works_for_ninety_days_unless_chosen_otherwise(owner: User) -> None:
    assert tokens.create(owner, "nightly")[0].days_left in {89, 90}
    assert tokens.create(owner, "nightly", days=7)[0].days_left in {6, 7}
    assert tokens.create(owner, "nightly", days=0)[0].days_left is None


def test_tokens_are_made_listed_and_revoked_by_whoever_is_signed_in(owner: User, outsider: User) -> None:
    browser = APIClient()
    browser.force_login(owner)
    made = browser.post(f"{ROOT}tokens", {"name": "nightly", "scopes": ["curate"], "days": 0})
    assert made.status_code == 201
    found = made.json()
    assert (found["scopes"], found["expires_at"], found["is_expired"]) == (["read", "curate"], None, False)
    (listed,) = browser.get(f"{ROOT}tokens").json()
    assert listed == {key: value for key, value in found.items() if key != "token"}
    program = APIClient(headers=bearer(found["token"]))
    assert program.get(ROOT).json()["user"] == "owner"
    stranger = APIClient()
    stranger.force_login(outsider)
    assert stranger.delete(f"{ROOT}tokens/{found['id']}").status_code == 404
    assert browser.delete(f"{ROOT}tokens/{found['id']}").status_code == 204
    assert program.get(ROOT).status_code == 401


@pytest.mark.parametrize("options", [{"scopes": ["admin"]}, {"days": -1}, {"days": 10**9}, {"scope": ["read"]}])
def test_a_token_takes_no_scope_or_time_there_is_not(owner: User, options: dict[str, object]) -> None:
    browser = APIClient()
    browser.force_login(owner)
    error(browser.post(f"{ROOT}tokens", {"name": "nightly", **options}), 400)
    assert not ApiToken.objects.exists()


def test_no_token_makes_another_or_gets_at_the_account(owner: User) -> None:
    """Whatever its scopes: neither by the API nor by the pages, which know no tokens at all."""
    program = APIClient(headers=bearer(tokens.create(owner, "nightly")[1]))
    found = error(program.post(f"{ROOT}tokens", {"name": "another"}), 403)
    assert found["code"] == "token-not-enough"
    pages = [program.post(reverse(name), {"name": "x", "email": "x@example.org"}) for name in ACCOUNT_PAGES]
    assert {page.headers["Location"].partition("?")[0] for page in pages} == {reverse("sign-in")}
    assert ApiToken.objects.count() == 1


ACCOUNT_PAGES = ("token-create", "email-change", "notices-choose")


def test_a_browser_session_works_too_and_needs_the_csrf_token(owner: User, collection_url: str) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    assert browser.get(ROOT).json()["user"] == "owner"
    error(browser.post(f"{collection_url}/baselines", {}), 403)

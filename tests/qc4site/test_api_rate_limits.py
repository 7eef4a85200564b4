"""Limits on how often one may ask: 429 says when to try again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from pytest_django import Settings

from accounts.models import Tally, User
from common import throttles
from tests.fixtures.api import Api, error
from tests.samples.documents import PASSWORD

ROOT = "/api/v1/"


@pytest.fixture
def rates(settings: Settings) -> dict[str, str]:
    """The rates, to be changed; those of other tests stay."""
    settings.RATES = found = dict(settings.RATES)
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


def test_uploads_have_a_limit_of_their_own(api: Api, owner: User, collection_url: str, rates: dict[str, Any]) -> None:
    rates["upload"] = "1/min"

    def send():
        return api(owner).post(f"{collection_url}/submissions/check", b"?", content_type="text/csv")

    assert send().status_code == 200
    refused(send())
    assert api(owner).get(f"{collection_url}/submissions").status_code == 200


GUESS = {"authorization": "Bearer qc4_guess"}


def test_guessing_tokens_is_limited_and_right_ones_are_not_counted(
    api: Api, owner: User, client: Client, rates: dict[str, Any]
) -> None:
    rates["login"] = "2/min"
    program = api(owner)
    assert [program.get(ROOT).status_code for _ in range(4)] == [200] * 4
    assert [client.get(ROOT, headers=GUESS).status_code for _ in range(2)] == [401, 401]
    refused(client.get(ROOT, headers=GUESS))


def test_wrong_tokens_of_others_lock_out_nobody(api: Api, owner: User, client: Client, rates: dict[str, Any]) -> None:
    """Behind the same address: neither a program with a right token nor who signs in."""
    rates["login"] = "2/min"
    program = api(owner)
    assert [client.get(ROOT, headers=GUESS).status_code for _ in range(4)] == [401, 401, 429, 429]
    assert program.get(ROOT).status_code == 200
    assert client.post("/sign-in/", {"username": "owner", "password": PASSWORD}).status_code == 302


@pytest.mark.django_db
def test_guessing_passwords_is_limited_whatever_the_names(client: Client, rates: dict[str, Any]) -> None:
    rates["login"] = "2/min"

    def guess(name):
        return client.post("/sign-in/", {"username": name, "password": "guess"}).status_code

    assert [guess(name) for name in ("ann", "bob", "eve")] == [200, 200, 429]


@pytest.mark.django_db
def test_no_crowd_makes_the_site_forget_wrong_secrets(client: Client, rates: dict[str, Any]) -> None:
    rates["login"] = "2/min"
    assert [client.get(ROOT, headers=GUESS).status_code for _ in range(2)] == [401, 401]
    assert {client.get(ROOT, REMOTE_ADDR=f"2001:db8:0:{number:x}::1").status_code for number in range(40)} == {200}
    refused(client.get(ROOT, headers=GUESS))


@pytest.mark.django_db
def test_wrong_secrets_fill_no_table(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles, "BUCKETS", 5)
    for number in range(30):
        client.get(ROOT, headers=GUESS, REMOTE_ADDR=f"2001:db8:0:{number:x}::1")
    assert Tally.objects.count() <= 5


def test_counts_that_cannot_be_written_fail_no_request(
    api: Api, owner: User, client: Client, rates: dict[str, Any], settings: Settings, tmp_path: Path
) -> None:
    """And the limits hold, by what each process counts."""
    settings.RATE_COUNTS_FILE = tmp_path / "no such folder" / "counts.sqlite3"
    rates["anon"] = rates["user"] = "2/min"
    for caller in (client, api(owner)):
        assert [caller.get(ROOT).status_code for _ in range(2)] == [200, 200]
        refused(caller.get(ROOT))


@pytest.mark.django_db
def test_a_database_that_takes_no_counts_opens_no_door(client: Client, rates: dict[str, Any]) -> None:
    def full(execute: Any, sql: str, *rest: Any) -> Any:
        if "accounts_tally" in sql and not sql.startswith("SELECT"):
            raise OperationalError("database or disk is full")
        return execute(sql, *rest)

    rates["login"] = "3/min"
    assert client.get(ROOT, headers=GUESS).status_code == 401
    with connection.execute_wrapper(full):
        assert [client.get(ROOT, headers=GUESS).status_code for _ in range(2)] == [401, 401]
        refused(client.get(ROOT, headers=GUESS))
        assert client.get(ROOT, headers=GUESS, REMOTE_ADDR="192.0.2.8").status_code == 401

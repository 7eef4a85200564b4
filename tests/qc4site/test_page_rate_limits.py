"""How often one may ask for pages: people never notice, programs are told when to come back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from common import routes
from common.routes import Cost, Declaration

MEASURES, STUDY, LIGHT = "/measures/", "/study/study.csv", "/docs/"


@pytest.fixture
def rates(settings: Settings) -> dict[str, str]:
    """The rates, to be changed; those of other tests stay."""
    settings.RATES = found = dict(settings.RATES)
    return found


@pytest.fixture
def heavy(monkeypatch: pytest.MonkeyPatch) -> str:
    """A page that counts as heavy, and needs no data."""
    monkeypatch.setitem(routes._DECLARED, "measures", Declaration(cost=Cost.COMPUTES))
    return MEASURES


def statuses(client: Client, *addresses: str, **more: Any) -> list[int]:
    return [client.get(address, **more).status_code for address in addresses]


@pytest.mark.django_db
def test_an_address_is_limited_and_told_when_to_come_back(client: Client, rates: dict[str, Any]) -> None:
    rates["pages-anon"] = "2/min"
    assert statuses(client, LIGHT, LIGHT) == [200, 200]
    refused = client.get(LIGHT)
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert f"Wait {refused['Retry-After']} seconds and reload the page." in refused.content.decode()
    assert statuses(client, LIGHT, headers={"x-forwarded-for": "192.0.2.7"}) == [429], "anybody may claim that"
    assert statuses(client, LIGHT, REMOTE_ADDR="192.0.2.8") == [200]
    assert statuses(client, "/study/study.json") == [429]
    assert client.get("/study/study.json").json()["error"]["code"] == "too-many-requests"


def test_a_person_is_limited_wherever_they_are_and_apart_from_others(
    owner: User, outsider: User, rates: dict[str, Any]
) -> None:
    rates["pages"], rates["pages-anon"] = "2/min", "1/min"
    mine, others = Client(), Client()
    mine.force_login(owner)
    others.force_login(outsider)
    assert statuses(mine, LIGHT, LIGHT, LIGHT) == [200, 200, 429]
    assert statuses(mine, LIGHT, REMOTE_ADDR="192.0.2.8") == [429]
    assert statuses(others, LIGHT) == [200]
    assert statuses(Client(), LIGHT) == [200], "who is not signed in is counted by the address alone"


@pytest.mark.django_db
def test_what_is_worked_out_is_limited_further(client: Client, rates: dict[str, Any], heavy: str) -> None:
    rates["pages-heavy"] = "1/min"
    assert statuses(client, heavy, heavy, LIGHT) == [200, 429, 200]


@pytest.mark.django_db
def test_files_of_the_site_and_the_api_are_not_counted(client: Client, rates: dict[str, Any]) -> None:
    rates["pages-anon"] = "1/min"
    assert statuses(client, *["/static/css/boards.css"] * 3, "/api/v1/", "/api/v1/", LIGHT) == [200] * 6

"""By which address failures are counted: one, everywhere, and nobody's claim."""

from __future__ import annotations

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from common.caller import client_address
from tests.rate_limits import set_rates


def seen(settings: Settings, proxies: int, peer: str, forwarded: str | None = None) -> str:
    settings.TRUSTED_PROXIES = proxies
    headers = {} if forwarded is None else {"x-forwarded-for": forwarded}
    return client_address(RequestFactory().get("/", REMOTE_ADDR=peer, headers=headers))


@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "address"),
    [
        (0, "198.51.100.7", None, "198.51.100.7"),
        (0, "198.51.100.7", "192.0.2.66", "198.51.100.7"),
        (1, "127.0.0.1", "198.51.100.7", "198.51.100.7"),
        (1, "127.0.0.1", "192.0.2.66, 198.51.100.7", "198.51.100.7"),
        (2, "127.0.0.1", "192.0.2.66, 198.51.100.7, 10.0.0.1", "198.51.100.7"),
        (2, "127.0.0.1", "198.51.100.7", "198.51.100.7"),
        (1, "198.51.100.7", None, "198.51.100.7"),
        (1, "198.51.100.7", "unknown", "198.51.100.7"),
        (1, "198.51.100.7", "192.0.2.66, <script>", "198.51.100.7"),
        (1, "127.0.0.1", "198.51.100.7:40312", "198.51.100.7"),
        (1, "127.0.0.1", "[2001:db8:1:2:3:4:5:6]:40312", "2001:db8:1:2::"),
        (0, "2001:db8:1:2:3:4:5:6", None, "2001:db8:1:2::"),
        (0, "2001:db8:1:2:ffff::1", None, "2001:db8:1:2::"),
        (0, "2001:db8:1:3::1", None, "2001:db8:1:3::"),
        (0, "fe80::1%eth0", None, "fe80::"),
        (0, "::ffff:198.51.100.7", None, "198.51.100.7"),
        (0, "", None, "0.0.0.0"),
    ],
)
def test_the_address_is_what_the_first_trusted_proxy_saw(
    settings: Settings, proxies: int, peer: str, forwarded: str | None, address: str
) -> None:
    assert seen(settings, proxies, peer, forwarded) == address


def guess(client: Client, name: str, **sent: object) -> int:
    return client.post(reverse("sign-in"), {"username": name, "password": "guess"}, **sent).status_code


@pytest.mark.django_db
def test_whoever_claims_another_address_is_locked_all_the_same(client: Client, settings: Settings) -> None:
    set_rates(settings, name="1/15min")
    claims = ({"x-forwarded-for": f"192.0.2.{number}", "x-real-ip": f"192.0.2.{number}"} for number in range(3))
    assert [guess(client, "ann", headers=headers) for headers in claims] == [200, 429, 429]


@pytest.mark.django_db
def test_behind_a_proxy_one_visitor_locks_out_no_other(client: Client, settings: Settings) -> None:
    settings.TRUSTED_PROXIES = 1
    set_rates(settings, name="1/15min")
    first, second = ({"x-forwarded-for": f"192.0.2.66, 198.51.100.{number}"} for number in (1, 2))
    assert [guess(client, "ann", headers=first) for _ in range(3)] == [200, 429, 429]
    assert guess(client, "ann", headers=second) == 200


@pytest.mark.django_db
def test_the_addresses_of_one_subscriber_count_as_one(client: Client, settings: Settings) -> None:
    set_rates(settings, name="1/15min")
    own = [f"2001:db8:1:2::{number:x}" for number in range(3)]
    assert [guess(client, "ann", REMOTE_ADDR=address) for address in own] == [200, 429, 429]
    assert guess(client, "ann", REMOTE_ADDR="2001:db8:1:3::1") == 200

"""Signing in by an OpenID Connect provider: only what it signed for this very way there is believed, and an account is
tied to whom the provider knows, never to an e-mail address."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.cache import caches
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.forms import NewName
from accounts.models import AuditEntry, Identity, User
from accounts.provider import Shown
from accounts.services import identities, registration, second_factor
from common.capacity import CrowdedError
from qc4site.configuration.options import hosts as provider_hosts
from tests.accounts import openid_provider as other
from tests.accounts.conftest import ADDRESS
from tests.accounts.openid_provider import CLIENT, SECRET, Provider
from tests.accounts.test_passwords import NEW, is_signed_in
from tests.accounts.test_second_factor import code_of
from tests.rate_limits import set_rates
from tests.samples.documents import PASSWORD

SUBJECT = "248289761001"


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with other.at_work() as provider:
        yield provider


@pytest.fixture
def provider(running: Provider, settings: Settings, monkeypatch: pytest.MonkeyPatch, db: None) -> Provider:
    """The provider, as the site is set up for it."""
    settings.OIDC_NAME = "Campus"
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = running.issuer, CLIENT, SECRET
    monkeypatch.setattr(running, "sign", running.sign)
    monkeypatch.setattr(running, "answers", {})
    monkeypatch.setattr(running, "asked", [])
    caches["memory"].clear()
    return running


@pytest.fixture
def tied(ada: User, provider: Provider) -> User:
    Identity.objects.create(user=ada, issuer=provider.issuer, subject=SUBJECT)
    return ada


def depart(client: Client, wanted: str = "") -> str:
    """Where the provider is."""
    answer = client.get(reverse("provider"), {"next": wanted})
    assert answer.status_code == 302, answer.content.decode()
    return str(answer.headers["Location"])


def come_back(client: Client, brought: dict[str, str]) -> HttpResponse:
    return client.get(reverse("provider-return"), brought)


def sign_in(client: Client, provider: Provider, wanted: str = "", **claims: object) -> HttpResponse:
    return come_back(client, provider.agree(depart(client, wanted), **claims))


def choose(client: Client, name: str) -> HttpResponse:
    return client.post(reverse("provider-name"), {"username": name})


# --- Who is let in ----------------------------------------------------------------------------------------------------


def test_who_is_tied_signs_in_and_comes_where_they_wanted(tied: User, provider: Provider) -> None:
    client, wanted = Client(), reverse("account-log")
    page = client.get(reverse("sign-in"), {"next": wanted}).content.decode()
    assert "Sign in with Campus" in page
    answer = sign_in(client, provider, wanted)
    assert answer.headers["Location"] == wanted
    assert is_signed_in(client)
    line = AuditEntry.objects.get(kind="signed-in")
    assert (line.account_name, line.about) == ("ada", "with Campus")


@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example", "javascript:x", "/\\evil.example"])
def test_nobody_is_led_elsewhere(tied: User, provider: Provider, wanted: str) -> None:
    assert sign_in(Client(), provider, wanted).headers["Location"] == reverse("collections")


def test_a_second_factor_is_asked_for_all_the_same(tied: User, provider: Provider) -> None:
    secret = second_factor.new_secret()
    second_factor.turn_on(tied, secret, code_of(secret, -1))
    client = Client()
    assert sign_in(client, provider).headers["Location"] == reverse("sign-in-code")
    assert not is_signed_in(client)
    client.post(reverse("sign-in-code"), {"code": code_of(secret)})
    assert is_signed_in(client)


WRONG_CLAIMS = {
    "nonce of another way": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "another issuer": {"iss": "https://evil.example"},
    "another audience": {"aud": "somebody-else"},
    "several audiences, for another": {"aud": [CLIENT, "somebody-else"], "azp": "somebody-else"},
    "expired": {"exp": int(time.time()) - 600},
    "no end": {"exp": None},
    "not yet": {"nbf": int(time.time()) + 6000},
    "nobody": {"sub": None},
    "no text": {"sub": {"a": 1}},
}


@pytest.mark.parametrize("wrong", WRONG_CLAIMS.values(), ids=WRONG_CLAIMS)
def test_a_token_that_is_not_meant_is_refused(tied: User, provider: Provider, wrong: dict[str, object]) -> None:
    client = Client()
    brought = provider.agree(depart(client), **{"subject": SUBJECT} | wrong)
    assert come_back(client, brought).status_code == 400
    assert not is_signed_in(client)


FORGERS: dict[str, Callable[[Provider], Callable[[other.Claims], str]]] = {
    "none": lambda _: other.unsigned,
    "the public key as a secret": other.signed_by_the_public_key,
    "the client's secret": other.signed_by_the_client_secret,
    "another key of that name": other.signed_by_somebody_else,
    "no token at all": lambda _: lambda _: "x.y.z",
}


@pytest.mark.parametrize("forge", FORGERS.values(), ids=FORGERS)
def test_a_token_that_the_provider_did_not_sign_is_refused(
    tied: User, provider: Provider, forge: Callable[[Provider], Callable[[other.Claims], str]]
) -> None:
    provider.sign = forge(provider)
    client = Client()
    answer = sign_in(client, provider)
    assert answer.status_code == 400
    assert "could not be relied on" in answer.content.decode()
    assert not is_signed_in(client)


def test_only_the_browser_that_was_sent_comes_back_and_once(tied: User, provider: Provider) -> None:
    client, thief = Client(), Client()
    brought = provider.agree(depart(client))
    for wrong in (brought, {**brought, "state": ""}, {"code": brought["code"]}, {**brought, "state": "ş"}):
        depart(thief)
        assert come_back(thief, wrong).status_code == 400
    assert come_back(client, brought).status_code == 302
    client.post(reverse("sign-out"))
    assert come_back(client, brought).status_code == 400
    again = provider.agree(depart(client))
    assert come_back(client, {**again, "code": brought["code"]}).status_code == 400
    assert not is_signed_in(client)


def test_another_provider_that_answers_is_refused(tied: User, provider: Provider) -> None:
    client = Client()
    brought = provider.agree(depart(client))
    assert come_back(client, {**brought, "iss": "https://evil.example"}).status_code == 400
    assert "/token" not in provider.asked


def test_what_was_called_off_is_told_in_words(provider: Provider) -> None:
    client = Client()
    brought = provider.agree(depart(client))
    told = {"error": "access_denied", "error_description": "<script>alert(1)</script>", "state": brought["state"]}
    page = come_back(client, told).content.decode()
    assert "It was called off there." in page
    assert "alert(1)" not in page


# --- New accounts -----------------------------------------------------------------------------------------------------


def test_whom_nobody_knows_chooses_a_name(provider: Provider) -> None:
    client, wanted = Client(), reverse("account-log")
    sign_in(client, provider, wanted, email="new@example.org", email_verified=True)
    assert not User.objects.exists()
    assert choose(client, "grace\u200b").status_code == 400
    assert choose(client, "grace").headers["Location"] == wanted
    user = User.objects.get()
    assert (user.email, user.email_confirmed_at is not None, user.has_usable_password()) == (
        *("new@example.org", True),
        False,
    )
    client.post(reverse("sign-out"))
    sign_in(client, provider)
    assert is_signed_in(client)


def test_a_name_that_looks_like_anothers_is_refused(ada: User, provider: Provider) -> None:
    client = Client()
    sign_in(client, provider)
    assert [choose(client, name).status_code for name in ("ADA", "\u0430d\u0430")] == [400, 400]
    assert User.objects.count() == 1


def test_of_two_who_choose_a_name_in_the_same_instant_one_is_told(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is free when the form is read, and somebody's when the account is written."""
    kept = NewName.is_valid

    def taken_after(form: NewName) -> bool:
        fine = kept(form)
        User.objects.get_or_create(username="Vera", defaults={"look": "vera"})
        return fine

    monkeypatch.setattr(NewName, "is_valid", taken_after)
    sign_in(client := Client(), provider)
    answer = choose(client, "vera")
    assert (answer.status_code, Identity.objects.exists()) == (400, False)
    assert "There is an account of this name." in answer.content.decode()


@pytest.mark.parametrize("verified", [True, False])
def test_the_address_of_somebody_else_gives_no_right_to_their_account(
    confirmed: User, provider: Provider, verified: bool
) -> None:
    client = Client()
    sign_in(client, provider, email=ADDRESS.upper(), email_verified=verified)
    choose(client, "mallory")
    assert client.get(reverse("account")).wsgi_request.user.get_username() == "mallory"
    assert User.objects.get(username="mallory").email == ""
    assert Identity.objects.get().user.get_username() == "mallory"


@pytest.mark.parametrize("verified", [False, None, "true"])
def test_an_address_that_is_not_verified_is_not_confirmed(provider: Provider, verified: object) -> None:
    client = Client()
    sign_in(client, provider, email="new@example.org", email_verified=verified)
    choose(client, "grace")
    assert User.objects.get().email_confirmed_at is None


def test_an_account_is_made_only_where_one_may_be(tied: User, provider: Provider, settings: Settings) -> None:
    settings.SIGN_UP = "closed"
    newcomer, known = Client(), Client()
    sign_in(newcomer, provider, subject="another")
    assert newcomer.get(reverse("provider-name")).status_code == 403
    assert choose(newcomer, "grace").status_code == 403
    sign_in(known, provider)
    assert is_signed_in(known)
    settings.SIGN_UP = "invitation"
    assert choose(newcomer, "grace").status_code == 403
    link = urlsplit(registration.create()[1]).path
    assert "Make it with Campus" in Client().get(link).content.decode()
    invited = Client()
    sign_in(invited, provider, link, subject="another")
    assert choose(invited, "grace").headers["Location"] == reverse("collections")
    late = Client()
    sign_in(late, provider, link, subject="a third")
    assert choose(late, "late").status_code == 403
    assert set(User.objects.values_list("username", flat=True)) == {"ada", "grace"}


# --- Tying ------------------------------------------------------------------------------------------------------------


def way_to_tie(client: Client, password: str = PASSWORD) -> str:
    page = client.post(reverse("provider-tie"), {"password": password}).content.decode()
    found = re.search(r'href="(http://127[^"]+authorize[^"]+)"', page)
    return found[1].replace("&amp;", "&") if found else ""


def test_tying_and_untying_take_the_password(ada: User, provider: Provider, browser: Callable[[User], Client]) -> None:
    here = browser(ada)
    assert not way_to_tie(here, "wrong")
    assert come_back(here, provider.agree(way_to_tie(here))).status_code == 302
    assert Identity.objects.get().user == ada
    assert "tied" in here.get(reverse("account")).content.decode()
    here.post(reverse("provider-untie"), {"password": "wrong"})
    assert Identity.objects.exists()
    here.post(reverse("provider-untie"), {"password": PASSWORD})
    assert not Identity.objects.exists()
    told = list(AuditEntry.objects.order_by("pk").values_list("kind", flat=True))
    assert told == ["identity-tied", "identity-untied"]


def test_an_open_browser_ties_nothing_without_the_password(
    ada: User, provider: Provider, browser: Callable[[User], Client]
) -> None:
    here = browser(ada)
    assert sign_in(here, provider).status_code == 400
    assert not Identity.objects.exists()


def test_whom_the_provider_knows_has_one_account(
    tied: User, owner: User, provider: Provider, browser: Callable[[User], Client]
) -> None:
    here = browser(owner)
    assert come_back(here, provider.agree(way_to_tie(here))).status_code == 400
    assert Identity.objects.get().user == tied


def test_of_two_accounts_that_are_tied_to_it_in_the_same_instant_one_is_told(
    ada: User, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Shown("https://provider.example", "7", "", False)
    kept = Identity.objects.get_or_create

    def slower(**given: Any) -> Any:
        kept(user=owner, issuer=shown.issuer, defaults={"subject": shown.subject})
        return kept(**given)

    monkeypatch.setattr(Identity.objects, "get_or_create", slower)
    with pytest.raises(ValidationError, match="Another account"):
        identities.tie(ada, shown)


def test_who_has_no_password_sets_one_once_the_provider_said_it_is_them(
    provider: Provider, browser: Callable[[User], Client]
) -> None:
    client = Client()
    sign_in(client, provider)
    choose(client, "grace")
    user = User.objects.get()
    client.post(reverse("provider-untie"), {"password": ""})
    assert Identity.objects.exists()
    sent = {"new_password1": NEW, "new_password2": NEW}
    found = browser(user)
    assert found.post(reverse("password-change"), sent).status_code == 200
    assert not User.objects.get().has_usable_password()
    assert sign_in(found, provider, reverse("password-change")).headers["Location"] == reverse("password-change")
    assert found.post(reverse("password-change"), sent).status_code == 302
    assert User.objects.get().check_password(NEW)
    found.post(reverse("provider-untie"), {"password": NEW})
    assert not Identity.objects.exists()


# --- The provider itself ----------------------------------------------------------------------------------------------


ANSWERS: dict[str, tuple[str, int, bytes, dict[str, str]]] = {
    "an error": ("/.well-known/openid-configuration", 500, b"", {}),
    "no JSON": ("/.well-known/openid-configuration", 200, b"<html>", {}),
    "a list": ("/.well-known/openid-configuration", 200, b"[]", {}),
    "another issuer": ("/.well-known/openid-configuration", 200, b'{"issuer": "https://evil.example"}', {}),
    "too much": ("/keys", 200, b" " * 300_000 + b'{"keys": []}', {}),
    "no key": ("/keys", 200, b'{"keys": []}', {}),
    "elsewhere": ("/keys", 302, b"", {"Location": "https://evil.example/keys"}),
    "nonsense": ("/token", 200, b'"x"', {}),
}


@pytest.mark.parametrize("wrong", ANSWERS.values(), ids=ANSWERS)
def test_a_provider_that_fails_is_told_in_words_and_passwords_work_on(
    tied: User, provider: Provider, wrong: tuple[str, int, bytes, dict[str, str]]
) -> None:
    address, *answer = wrong
    provider.answers[address] = lambda: tuple(answer)  # type: ignore[assignment,return-value]  # three, as unpacked above
    client = Client()
    away = client.get(reverse("provider"))
    if away.status_code == 302:
        away = come_back(client, provider.agree(away.headers["Location"]))
    assert away.status_code == 400
    assert "Campus" in away.content.decode()
    client.post(reverse("sign-in"), {"username": "ada", "password": PASSWORD})
    assert is_signed_in(client)


def test_nothing_but_the_issuer_is_asked(tied: User, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its document says: other ports of this machine are other hosts."""
    document = provider.document() | {"token_endpoint": "http://127.0.0.1:9/token"}
    monkeypatch.setattr(provider, "document", lambda: document)
    assert Client().get(reverse("provider")).status_code == 400


@pytest.mark.parametrize("named", [True, False])
def test_endpoints_on_other_hosts_are_asked_if_a_setting_names_these(
    tied: User, provider: Provider, settings: Settings, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    """As Google's: other ports of this machine are other hosts."""
    with other.another_host(provider) as tokens, other.another_host(provider) as keys:
        places = {"token_endpoint": f"{tokens.address}/token", "jwks_uri": f"{keys.address}/keys"}
        document = provider.document() | places
        monkeypatch.setattr(provider, "document", lambda: document)
        hosts = ",".join(urlsplit(place).netloc for place in places.values())
        settings.OIDC_HOSTS = provider_hosts(hosts if named else "127.0.0.1,127.0.0.1:9")
        client = Client()
        answer = client.get(reverse("provider"))
        assert answer.status_code == (302 if named else 400)
        if named:
            come_back(client, provider.agree(answer.headers["Location"]))
    assert is_signed_in(client) == named
    assert [each.asked for each in (tokens, keys)] == ([["/token"], ["/keys"]] if named else [[], []])


def test_a_host_that_is_named_leads_nowhere_else(tied: User, provider: Provider, settings: Settings) -> None:
    settings.OIDC_HOSTS = ("id.example.org",)
    provider.answers["/keys"] = lambda: (302, b"", {"Location": "https://id.example.org/keys"})
    client = Client()
    assert come_back(client, provider.agree(depart(client))).status_code == 400
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    "hosts", ["https://keys.example.org", "keys.example.org/keys", "*.example.org", "u@example.org"]
)
def test_hosts_of_a_provider_are_names_of_hosts(hosts: str) -> None:
    with pytest.raises(ValueError, match="not the names of hosts"):
        provider_hosts(f"oauth2.example.org, {hosts}")
    assert provider_hosts(" OAuth2.example.org, keys.example.org:8443,") == (
        "oauth2.example.org",
        "keys.example.org:8443",
    )


def test_coming_back_while_the_site_is_busy_counts_as_no_try_and_works_afterwards(
    tied: User, provider: Provider, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def no_place(*_: object, **__: object) -> Iterator[None]:
        raise CrowdedError("asking the provider")
        yield

    set_rates(settings, login="1/hour")
    client = Client()
    brought = provider.agree(depart(client), sub=SUBJECT)
    with monkeypatch.context() as busy:
        busy.setattr("accounts.views.provider.slow_work", no_place)
        assert [come_back(client, brought).status_code for _ in range(2)] == [503, 503]
    assert come_back(client, brought).status_code == 302


def test_whoever_comes_back_with_nothing_asks_the_provider_only_so_often(
    tied: User, provider: Provider, settings: Settings
) -> None:
    set_rates(settings, login="2/hour")
    client = Client()
    statuses = [come_back(client, {**provider.agree(depart(client)), "code": "x"}).status_code for _ in range(3)]
    assert statuses == [400, 400, 429]
    assert provider.asked.count("/token") == 2


def test_without_a_provider_there_is_no_such_page(db: None) -> None:
    assert "Sign in with" not in Client().get(reverse("sign-in")).content.decode()
    for name in ("provider", "provider-return", "provider-name"):
        assert Client().get(reverse(name)).status_code == 404

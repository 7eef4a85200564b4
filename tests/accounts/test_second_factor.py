"""The second factor: nobody is signed in without the code, no code is taken twice or guessed, nobody is locked out."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pyotp
import pytest
from django.core import mail
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import AuditEntry, RecoveryCode, SecondFactor, User
from accounts.services import passwords, second_factor, tokens
from annotations.models import Collection
from evaluation.account_data.selectors import facts
from tests.accounts.mailbox import received
from tests.accounts.test_passwords import NEW, change, is_signed_in, set_by
from tests.fixtures.site import Commit
from tests.rate_limits import set_rates
from tests.samples.documents import PASSWORD

STEP = 30
Browser = Callable[[User], Client]


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Time stands still at the middle of a step, and is set forward by so many of them."""
    now = [(time.time() // STEP) * STEP + 15]
    monkeypatch.setattr(second_factor.time, "time", lambda: now[0])

    def forward(steps: int) -> None:
        now[0] += steps * STEP

    return forward


@pytest.fixture
def secret(ada: User) -> str:
    """What her device has, since some time ago."""
    secret = second_factor.new_secret()
    assert second_factor.turn_on(ada, secret, code_of(secret, -1)) is not None
    return secret


def code_of(secret: str, steps: int = 0) -> str:
    return pyotp.TOTP(secret).at(second_factor.time.time() + steps * STEP)


def wrong_for(secret: str) -> str:
    near = {code_of(secret, step) for step in (-1, 0, 1)}
    return next(code for code in ("000000", "111111", "222222", "333333") if code not in near)


def give_password(client: Client, password: str = PASSWORD, **more: str) -> HttpResponse:
    return client.post(reverse("sign-in"), {"username": "ada", "password": password, **more})


def give_code(client: Client, code: str) -> HttpResponse:
    return client.post(reverse("sign-in-code"), {"code": code})


def sign_in(client: Client, code: str) -> HttpResponse:
    give_password(client)
    return give_code(client, code)


def kinds(user: User) -> list[str]:
    return list(AuditEntry.objects.filter(account=user.pk).order_by("pk").values_list("kind", flat=True))


# --- Turning on and off -----------------------------------------------------------------------------------------------


def test_it_is_turned_on_with_password_and_code_and_codes_are_shown_once(
    ada: User, browser: Browser, commit: Commit
) -> None:
    here, elsewhere, (_, token) = browser(ada), browser(ada), tokens.create(ada, "script")
    page = here.get(reverse("second-factor")).content.decode()
    key = re.search(r'id="second-factor-key">([A-Z2-7 ]+)<', page)
    assert key
    assert "<title>QR code with the key" in page
    secret = key[1].replace(" ", "")
    offer = re.search(r'name="offer" value="([^"]+)"', page)
    assert offer
    right = {"password": PASSWORD, "code": code_of(secret), "offer": offer[1]}
    for change_ in ({"password": "wrong"}, {"code": wrong_for(secret)}, {"code": ""}, {"offer": "x"}):
        assert here.post(reverse("second-factor"), right | change_).status_code == 400
    assert not second_factor.is_on(ada)
    with commit():
        shown = here.post(reverse("second-factor"), right).content.decode()
    codes = re.findall(r"<code>([a-z2-7-]{19})</code>", shown)
    assert len(set(codes)) == 10
    assert is_signed_in(here)
    assert not is_signed_in(elsewhere)
    again = here.get(reverse("second-factor")).content.decode()
    assert not re.search(r"[a-z2-7]{4}-[a-z2-7]{4}-", again)
    assert "was turned on" in str(received()[0].body)
    stored = repr(list(SecondFactor.objects.values())) + repr(list(RecoveryCode.objects.values()))
    assert not [kept for kept in (secret, *codes, codes[0].replace("-", "")) if kept in stored]
    assert Client().get("/api/v1/runs", headers={"Authorization": f"Bearer {token}"}).status_code == 200


@pytest.mark.parametrize("wrong", [{"password": "wrong"}, {"code": "no-code-of-hers"}])
@pytest.mark.parametrize("address", ["second-factor-codes", "second-factor-off"])
def test_an_open_browser_neither_turns_it_off_nor_gets_codes(
    ada: User, secret: str, browser: Browser, wrong: dict[str, str], address: str
) -> None:
    right = {"password": PASSWORD, "code": code_of(secret)}
    here, before = browser(ada), set(ada.recovery_codes.values_list("sha256", flat=True))
    assert here.post(reverse(address), right | wrong).status_code == 400
    assert set(ada.recovery_codes.values_list("sha256", flat=True)) == before
    assert second_factor.is_on(ada)
    assert here.post(reverse(address), right).status_code in {200, 302}
    assert not set(ada.recovery_codes.values_list("sha256", flat=True)) & before


def test_codes_are_not_guessed_from_an_open_browser(
    ada: User, secret: str, browser: Browser, settings: Settings
) -> None:
    set_rates(settings, code="2/day")
    here = browser(ada)
    sent = {"password": PASSWORD, "code": wrong_for(secret)}
    statuses = [here.post(reverse("second-factor-off"), sent).status_code for _ in range(3)]
    assert statuses == [400, 429, 429]
    assert here.post(reverse("second-factor-off"), sent | {"code": code_of(secret)}).status_code == 429
    assert second_factor.is_on(ada)


# --- Signing in -------------------------------------------------------------------------------------------------------


def test_nobody_is_signed_in_before_the_code(ada: User, secret: str) -> None:
    client, wanted = Client(), reverse("account-log")
    answer = give_password(client, next=wanted)
    assert answer.headers["Location"] == reverse("sign-in-code")
    assert not is_signed_in(client)
    assert "signed-in" not in kinds(ada)
    assert give_code(client, wrong_for(secret)).status_code == 400
    assert not is_signed_in(client)
    assert give_code(client, code_of(secret)).headers["Location"] == wanted
    assert is_signed_in(client)
    assert kinds(ada)[-2:] == ["wrong-code", "signed-in"]


def test_a_code_alone_signs_nobody_in(ada: User, secret: str) -> None:
    for client in (Client(), Client()):
        assert give_code(client, code_of(secret)).headers["Location"] == reverse("sign-in")
        give_password(client, "wrong")
        assert give_code(client, code_of(secret)).headers["Location"] == reverse("sign-in")


def test_a_code_is_taken_once_and_no_earlier_one_after_it(ada: User, secret: str) -> None:
    before, now = code_of(secret), code_of(secret, 1)
    assert sign_in(Client(), now).status_code == 302
    for used in (now, before):
        assert sign_in(Client(), used).status_code == 400


@pytest.mark.parametrize(("steps", "status"), [(-2, 400), (-1, 302), (0, 302), (1, 302), (2, 400)])
def test_a_clock_may_be_off_by_one_step(
    ada: User, secret: str, clock: Callable[[int], None], steps: int, status: int
) -> None:
    clock(10)
    assert sign_in(Client(), code_of(secret, steps)).status_code == status


def test_a_recovery_code_works_once_and_is_told(ada: User, secret: str, commit: Commit) -> None:
    code = second_factor.renew_codes(ada)[0]
    with commit():
        assert sign_in(Client(), f" {code.upper()} ").status_code == 302
    assert "9 are left" in str(received()[0].body)
    assert sign_in(Client(), code).status_code == 400
    assert "recovery-code-used" in kinds(ada)


def test_what_was_begun_ends_with_the_password_and_with_time(
    ada: User, secret: str, clock: Callable[[int], None]
) -> None:
    late, changed, ended = Client(), Client(), Client()
    give_password(late)
    clock(21)
    assert give_code(late, code_of(secret)).headers["Location"] == reverse("sign-in")
    give_password(changed)
    ada.set_password(NEW)
    ada.save()
    assert give_code(changed, code_of(secret)).headers["Location"] == reverse("sign-in")
    give_password(ended, NEW)
    call_command("sign_out", "ada")
    assert give_code(ended, code_of(secret)).headers["Location"] == reverse("sign-in")


def test_a_link_for_a_new_password_does_not_get_around_it(confirmed: User, secret: str) -> None:
    client = Client()
    set_by(passwords.link(confirmed).removeprefix("http://127.0.0.1:8000"), client=client)
    assert not is_signed_in(client)
    assert give_password(client, NEW).headers["Location"] == reverse("sign-in-code")
    assert not is_signed_in(client)


def test_another_password_and_ending_everything_leave_it_on(ada: User, secret: str, browser: Browser) -> None:
    here = browser(ada)
    change(here)
    here.post(reverse("end-everything"))
    client = Client()
    give_password(client, NEW)
    assert not is_signed_in(client)
    assert give_code(client, code_of(secret)).status_code == 302


# --- Guessing ---------------------------------------------------------------------------------------------------------


def test_whoever_has_the_password_guesses_no_code_and_locks_nobody_out(
    ada: User, secret: str, settings: Settings, commit: Commit
) -> None:
    """From many addresses, signing in anew each time. Her own browser, and a recovery code, work on."""
    set_rates(settings, code="3/day")
    settings.TRUSTED_PROXIES = 1
    own = Client()
    assert sign_in(own, code_of(secret)).status_code == 302
    own.post(reverse("sign-out"))
    recovery = second_factor.renew_codes(ada)[0]
    mail.outbox.clear()
    statuses = []
    with commit():
        for number in range(4):
            thief = Client(headers={"X-Forwarded-For": f"192.0.2.{number}"})
            statuses.append(sign_in(thief, wrong_for(secret)).status_code)
    assert statuses == [400, 400, 429, 429]
    assert [message.subject for message in received(1)] == ["QC4 Bench: somebody knows your password"]
    assert kinds(ada).count("wrong-code") == 3
    answer = sign_in(Client(), code_of(secret, 1))
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 80_000
    assert sign_in(own, code_of(secret, 1)).status_code == 302
    assert sign_in(Client(), recovery).status_code == 302


def test_wrong_codes_count_as_wrong_passwords_of_their_address(ada: User, secret: str, settings: Settings) -> None:
    set_rates(settings, login="2/hour")
    statuses = [sign_in(Client(), wrong_for(secret)).status_code for _ in range(2)]
    assert statuses == [400, 400]
    assert give_password(Client()).status_code == 429


# --- Who sees it, and where it goes -----------------------------------------------------------------------------------


def test_the_operator_removes_it_and_the_person_is_told(
    ada: User, secret: str, commit: Commit, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("second_factor", "ADA")
    assert "ada has a second factor, and 10 recovery codes" in capsys.readouterr().out
    assert second_factor.is_on(ada)
    with commit():
        call_command("second_factor", "ada", "--remove")
    assert "by who runs the site" in str(received()[0].body)
    assert AuditEntry.objects.get(kind="second-factor-off").about == "by the operator"
    client = Client()
    give_password(client)
    assert is_signed_in(client)
    call_command("second_factor", "ada")
    assert "no second factor" in capsys.readouterr().out


def test_the_account_page_shows_it_and_the_export_has_no_secret(ada: User, secret: str, browser: Browser) -> None:
    assert "Recovery codes, turning it off" in browser(ada).get(reverse("account")).content.decode()
    told = facts(ada)
    assert len(told["second_factor"]) == 1
    assert told["recovery_codes_left"] == 10
    stored = SecondFactor.objects.get(user=ada)
    assert not [hidden for hidden in (secret, stored.sealed) if hidden in repr(told)]


def test_owners_of_collections_do_not_see_it(
    ada: User, secret: str, owner: User, collection: Collection, browser: Browser
) -> None:
    collection.memberships.create(user=ada, role="curator")
    for name in ("people", "people-log"):
        page = browser(owner).get(reverse(name, args=[collection.slug])).content.decode().lower()
        assert "second factor" not in page
        assert "recovery" not in page

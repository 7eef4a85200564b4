"""Passwords: changed by who knows the old one, set by who came by a link, and nobody learns who has an account."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts import mail as letters
from accounts.models import User
from accounts.services import account, passwords, tokens
from tests.accounts.conftest import ADDRESS
from tests.accounts.mailbox import link_in, received
from tests.fixtures.site import Commit
from tests.rate_limits import set_rates
from tests.samples.documents import PASSWORD

NEW = "quite another phrase 88"
Browser = Callable[[User], Client]


def change(client: Client, old: str = PASSWORD, new: str = NEW) -> HttpResponse:
    sent = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post(reverse("password-change"), sent)


def ask(typed: str, client: Client | None = None) -> HttpResponse:
    return (client or Client()).post(reverse("password-forgotten"), {"account": typed}, follow=True)


def set_by(link: str, new: str = NEW, client: Client | None = None) -> HttpResponse:
    """What comes of opening a link and filling in its form."""
    client = client or Client()
    form = client.get(link, follow=True)
    if form.status_code != 200:
        return form
    return client.post(form.request["PATH_INFO"], {"new_password1": new, "new_password2": new}, follow=True)


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


# --- Changing ---------------------------------------------------------------------------------------------------------


def test_a_password_is_changed_and_only_this_browser_stays_signed_in(
    ada: User, browser: Browser, commit: Commit
) -> None:
    here, elsewhere = browser(ada), browser(ada)
    assert "password/" in here.get(reverse("account")).content.decode()
    with commit():
        assert change(here).status_code == 302
    assert (is_signed_in(here), is_signed_in(elsewhere)) == (True, False)
    ada.refresh_from_db()
    assert ada.check_password(NEW)
    (message,) = received()
    assert message.to == [ADDRESS]
    assert "password was changed" in message.subject


@pytest.mark.parametrize(("old", "new"), [("wrong", NEW), (PASSWORD, "short"), (PASSWORD, "ada@example.org")])
def test_a_change_takes_the_old_password_and_a_good_new_one(ada: User, browser: Browser, old: str, new: str) -> None:
    here, elsewhere = browser(ada), browser(ada)
    assert change(here, old, new).status_code == 400
    assert is_signed_in(here)
    assert is_signed_in(elsewhere)
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)
    assert mail.outbox == []


def test_who_found_an_open_browser_does_not_guess_the_password(ada: User, browser: Browser, settings: Settings) -> None:
    """Wherever they come from: wrong ones are counted for the account, too."""
    set_rates(settings, login="3/hour")
    client = browser(ada)
    for number in range(3):
        client.defaults["HTTP_X_FORWARDED_FOR"] = f"192.0.2.{number}"
        assert change(client, "wrong").status_code == 400
    client.defaults["HTTP_X_FORWARDED_FOR"] = "192.0.2.9"
    assert change(client).status_code == 429
    address = {"email": "eve@example.org", "password": PASSWORD}
    assert client.post(reverse("email-change"), address).status_code == 429


# --- Forgotten --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["ada", "ADA", "Ada@Example.org"])
def test_a_link_sets_a_new_password_once(
    confirmed: User, browser: Browser, commit: Commit, settings: Settings, typed: str
) -> None:
    settings.SITE_ADDRESS = "https://bench.example.org"
    settings.ALLOWED_HOSTS = ["*"]
    elsewhere = browser(confirmed)
    with commit():
        ask(typed, Client(headers={"host": "evil.example"}))
    (message,) = received()
    assert message.to == [ADDRESS]
    assert "https://bench.example.org/password/" in str(message.body)
    assert "evil.example" not in message.message().as_string()
    link = link_in(message)
    with commit():
        assert "Sign in with it" in set_by(link).content.decode()
    confirmed.refresh_from_db()
    assert confirmed.check_password(NEW)
    assert not is_signed_in(elsewhere)
    assert "was changed" in received(2)[1].subject
    again = set_by(link, PASSWORD)
    assert again.status_code == 410
    assert "works no more" in again.content.decode()
    confirmed.refresh_from_db()
    assert confirmed.check_password(NEW)


def test_of_two_who_opened_one_link_only_the_first_sets_a_password(confirmed: User) -> None:
    link, (first, second) = passwords.link(confirmed).removeprefix("http://127.0.0.1:8000"), (Client(), Client())
    forms = [client.get(link, follow=True).request["PATH_INFO"] for client in (first, second)]
    for client, form, new in ((first, forms[0], NEW), (second, forms[1], "the phrase of a thief 9")):
        client.post(form, {"new_password1": new, "new_password2": new})
    confirmed.refresh_from_db()
    assert confirmed.check_password(NEW)


def test_the_page_of_a_link_has_no_secret_in_its_address(confirmed: User) -> None:
    """What is opened from that page, or is in its history, learns nothing of it."""
    link = passwords.link(confirmed).removeprefix("http://127.0.0.1:8000")
    page = Client().get(link, follow=True)
    secret = link.rstrip("/").rpartition("/")[2]
    assert secret not in page.request["PATH_INFO"]
    assert secret not in page.content.decode()
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert "no-store" in page.headers["Cache-Control"]


def test_nobody_learns_who_has_an_account(
    confirmed: User, person: Callable[[str], User], commit: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither from the page, nor from how long it takes: the same statements, and an e-mail is written in any case."""
    unconfirmed, gone = person("unconfirmed"), person("gone")
    User.objects.filter(pk=unconfirmed.pk).update(email="u@example.org")
    User.objects.filter(pk=gone.pk).update(email="g@example.org", email_confirmed_at=timezone.now(), is_active=False)
    written: list[str] = []
    write = letters.written
    monkeypatch.setattr(
        letters, "written", lambda user, *rest, **facts: written.append("x") or write(user, *rest, **facts)
    )
    done = []
    ask("the first one from here is counted in a row of its own")
    for name in ("ada", "nobody-at-all", "unconfirmed", "gone", "x@example.org"):
        written.clear()
        with CaptureQueriesContext(connection) as queries, commit():
            page = ask(name)
        done.append((page.status_code, page.content, len(queries), len(written)))
    assert len(set(done)) == 1, [one[2:] for one in done]
    assert done[0][3] == 1
    assert [message.to for message in received()] == [[ADDRESS]]


def test_requests_for_links_are_bounded_and_say_nothing_of_accounts(
    confirmed: User, commit: Commit, settings: Settings
) -> None:
    set_rates(settings, forgotten="6/hour", password_link="2/hour")
    with commit():
        pages = [ask("ada") for _ in range(4)] + [ask("nobody") for _ in range(2)]
    assert len({(page.status_code, page.content) for page in pages}) == 1
    assert len(received(2)) == 2
    refused = ask("another")
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 3600


def test_where_no_mail_goes_out_the_operator_is_asked(confirmed: User, commit: Commit, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    with commit():
        for page in (Client().get(reverse("password-forgotten")), ask("ada")):
            assert "Ask the operator of this site." in page.content.decode()
            assert '<form method="post">' not in page.content.decode()
    assert mail.outbox == []


def test_the_operator_prints_a_link_that_works_once(ada: User, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("password_link", "ADA")
    out, err = capsys.readouterr()
    assert "24 hours" in err
    link = out.strip().removeprefix("http://127.0.0.1:8000")
    assert set_by(link).status_code == 200
    ada.refresh_from_db()
    assert ada.check_password(NEW)
    assert set_by(link, PASSWORD).status_code == 410
    with pytest.raises(CommandError, match="no account 'eve'"):
        call_command("password_link", "eve")


def _expire(user: User, settings: Settings) -> None:
    settings.PASSWORD_RESET_TIMEOUT = -1


def _sign_in(user: User, settings: Settings) -> None:
    Client().post(reverse("sign-in"), {"username": "ada", "password": PASSWORD})


def _other_address(user: User, settings: Settings) -> None:
    account.change_address(user, "new@example.org")


def _end(user: User, settings: Settings) -> None:
    call_command("sign_out", "ada")


def _lock(user: User, settings: Settings) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.mark.parametrize("spoil", [_expire, _sign_in, _other_address, _end, _lock])
def test_a_link_ends_with_what_it_was_made_for(
    confirmed: User, settings: Settings, spoil: Callable[[User, Settings], None]
) -> None:
    link = passwords.link(confirmed).removeprefix("http://127.0.0.1:8000")
    spoil(confirmed, settings)
    assert set_by(link).status_code == 410


@pytest.mark.parametrize("link", ["/password/x/y/", "/password/MQ/set-password/", "/password/%00/%00/"])
def test_a_link_that_was_never_made_sets_nothing(confirmed: User, link: str) -> None:
    assert Client().get(link).status_code == 410
    assert Client().post(link, {"new_password1": NEW, "new_password2": NEW}).status_code == 410


# --- Addresses --------------------------------------------------------------------------------------------------------


def test_an_address_counts_once_its_owner_confirmed_it_signed_in(
    outsider: User, ada: User, browser: Browser, commit: Commit
) -> None:
    here = browser(outsider)
    with commit():
        here.post(reverse("email-change"), {"email": "out@example.org", "password": PASSWORD})
        ask("outsider")
    (message,) = received()
    assert message.to == ["out@example.org"], "and no link to set a password"
    link = link_in(message)
    for stranger in (Client(), browser(ada)):
        assert stranger.post(link).status_code in {302, 410}
    assert here.get(link).status_code == 200
    outsider.refresh_from_db()
    assert outsider.email_confirmed_at is None, "looking is not confirming: scanners of mail open links, too"
    here.post(link)
    outsider.refresh_from_db()
    assert outsider.email_confirmed_at is not None
    assert "confirmed" in here.get(reverse("account")).content.decode()
    with commit():
        ask("outsider")
    assert "new password" in received(2)[1].subject


def test_another_address_takes_the_password_and_is_not_confirmed(confirmed: User, browser: Browser) -> None:
    """Whoever sits at somebody's open browser cannot have the account's links sent to themselves."""
    here, address = browser(confirmed), reverse("email-change")
    link = "/account/e-mail/confirm/"
    for wrong in ({}, {"password": "wrong"}):
        assert here.post(address, {"email": "eve@example.org", **wrong}).status_code == 400
    confirmed.refresh_from_db()
    assert confirmed.email == ADDRESS
    here.post(address, {"email": "new@example.org", "password": PASSWORD})
    confirmed.refresh_from_db()
    assert (confirmed.email, confirmed.email_confirmed_at) == ("new@example.org", None)
    assert here.post(link).status_code == 302


def test_a_link_confirms_only_the_address_it_was_sent_to(ada: User, browser: Browser, commit: Commit) -> None:
    here = browser(ada)
    with commit():
        here.post(reverse("email-confirmation"))
    link = link_in(received()[0])
    account.change_address(ada, "new@example.org")
    assert here.post(link).status_code == 410
    ada.refresh_from_db()
    assert ada.email_confirmed_at is None


def test_a_new_account_with_an_address_gets_its_link(db: None, commit: Commit) -> None:
    client = Client()
    sent = {"username": "vera", "email": "vera@example.org", "password1": PASSWORD, "password2": PASSWORD}
    with commit():
        client.post(reverse("sign-up"), sent)
    client.post(link_in(received()[0]))
    assert User.objects.get(username="vera").email_confirmed_at is not None


# --- Ending everything ------------------------------------------------------------------------------------------------


def test_one_button_ends_everything_else(ada: User, owner: User, browser: Browser, commit: Commit) -> None:
    here, elsewhere, others = browser(ada), browser(ada), browser(owner)
    secrets = [tokens.create(user, "nightly")[1] for user in (ada, ada, owner)]
    with commit():
        page = here.post(reverse("end-everything"), follow=True).content.decode()
    assert "2 tokens revoked" in page
    assert (is_signed_in(here), is_signed_in(elsewhere), is_signed_in(others)) == (True, False, True)
    headers = [{"Authorization": f"Bearer {secret}"} for secret in secrets]
    assert [Client().get("/api/v1/runs", headers=header).status_code for header in headers] == [401, 401, 200]
    assert any("signed out everywhere" in message.subject for message in received())
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)


def test_the_operator_signs_an_account_out(ada: User, browser: Browser, capsys: pytest.CaptureFixture[str]) -> None:
    client, (_, secret) = browser(ada), tokens.create(ada, "nightly")
    call_command("sign_out", "Ada")
    assert "1 token revoked" in capsys.readouterr().out
    assert not is_signed_in(client)
    assert Client().get("/api/v1/runs", headers={"Authorization": f"Bearer {secret}"}).status_code == 401

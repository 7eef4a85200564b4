"""E-mails: what they say, to whom they go, and that nobody waits for them or learns too much from them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.mail import send
from accounts.models import ApiToken, User
from accounts.services import tokens
from tests.accounts.conftest import ADDRESS
from tests.accounts.mailbox import received
from tests.fixtures.site import Commit
from tests.rate_limits import set_rates
from tests.waiting import PATIENCE, wait_for


def make_token(user: User, name: str = "nightly", **headers: str) -> HttpResponse:
    client = Client(headers=headers)
    client.force_login(user)
    return client.post(reverse("token-create"), {"name": name})


def test_a_new_token_is_told_to_its_person(ada: User, commit: Commit, settings: Settings) -> None:
    settings.SITE_ADDRESS = "https://bench.example.org"
    settings.ALLOWED_HOSTS = ["*"]
    with commit():
        page = make_token(ada, "O'Brien's \"R&D\" <nightly>", host="evil.example")
    (message,) = received()
    assert message.to == [ADDRESS]
    assert message.subject == "QC4 Bench: a token was made for your account"
    body = str(message.body)
    assert "Hello ada," in body
    assert "O'Brien's \"R&D\" <nightly>" in body
    assert f"{ApiToken.objects.get().created_at:%Y-%m-%d %H:%M} UTC" in body
    assert "  may   read\n" in body
    assert f"  until {ApiToken.objects.get().expires_at:%Y-%m-%d %H:%M} UTC\n" in body
    assert f"https://bench.example.org{reverse('account')}\n" in body
    assert "evil.example" not in message.message().as_string()
    secret = page.content.decode().partition('id="new-token">')[2].partition("<")[0]
    assert secret.startswith("qc4_")
    assert secret[:10] not in message.message().as_string()


def test_who_gave_no_address_gets_no_email(ada: User, owner: User, commit: Commit) -> None:
    with commit():
        assert make_token(owner).status_code == 200
        make_token(ada)
    assert [message.to for message in received()] == [[ADDRESS]]


def test_nothing_is_told_of_what_did_not_happen(ada: User, commit: Commit) -> None:
    with commit():
        with transaction.atomic():
            tokens.create(ada, "never made")
            transaction.set_rollback(True)
        tokens.create(ada, "made")
    assert "never made" not in str(received()[0].body)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x0b", "\x85", "\u2028"])
def test_what_somebody_typed_stays_in_its_line(ada: User, commit: Commit, end: str) -> None:
    with commit():
        make_token(ada, f"x{end}Bcc: eve@example.org{end}{end}All is well: https://evil.example")
    (message,) = received()
    assert message.recipients() == [ADDRESS]
    assert set(message.message().keys()) == {
        "Content-Type", "MIME-Version", "Content-Transfer-Encoding",
        "Subject", "From", "To", "Date", "Message-ID", "Auto-Submitted",
    }  # fmt: skip
    assert "  name  x Bcc: eve@example.org All is well: https://evil.example\n" in str(message.body)


def test_an_address_that_would_be_two_headers_reaches_nobody(
    ada: User, commit: Commit, caplog: pytest.LogCaptureFixture
) -> None:
    """Forms refuse it; a script that writes rows might not."""
    User.objects.filter(pk=ada.pk).update(email="a@example.org\nBcc: eve@example.org")
    with commit():
        assert make_token(ada).status_code == 200
    wait_for(lambda: "was not sent" in caplog.text, "a line in the log")
    assert mail.outbox == []
    assert "example.org" not in caplog.text


class Away(BaseEmailBackend):
    def send_messages(self, messages: object) -> int:
        raise OSError(f"{ADDRESS}: connection refused")


def test_a_mail_server_that_is_away_fails_nobody(
    ada: User, commit: Commit, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Away"
    with commit():
        assert make_token(ada).status_code == 200
    assert ApiToken.objects.filter(user=ada).exists()
    wait_for(lambda: "was not sent" in caplog.text, "a line in the log")
    assert caplog.record_tuples == [
        ("accounts.mail", logging.WARNING, f"E-mail token_made to account {ada.pk} was not sent: OSError.")
    ]


class Slow(BaseEmailBackend):
    """Takes no message until it is allowed to."""

    allowed = threading.Event()

    def send_messages(self, messages: list[EmailMessage]) -> int:
        self.allowed.wait(PATIENCE)
        mail.outbox.extend(messages)
        return len(messages)


def test_nobody_waits_for_a_slow_mail_server(ada: User, commit: Commit, settings: Settings) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Slow"
    with commit():
        answers = [make_token(ada).status_code for _ in range(3)]
    assert answers == [200, 200, 200]
    assert mail.outbox == []
    Slow.allowed.set()
    assert len(received(3)) == 3


def test_an_account_gets_only_so_many_emails(
    ada: User, person: Callable[[str], User], commit: Commit, settings: Settings
) -> None:
    """Nobody has confirmed the address: it may be a stranger's."""
    set_rates(settings, e_mail="2/day")
    bob = person("bob")
    bob.email = "bob@example.org"
    with commit():
        for user in (ada, ada, ada, bob):
            send(user, "token_made", token="x", made="now", scopes="read", until="then", account_page="there")
    assert [message.to for message in received(3)] == [[ADDRESS], [ADDRESS], ["bob@example.org"]]

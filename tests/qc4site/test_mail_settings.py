"""Where e-mails go: one variable says it, and what it cannot mean stops the start."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import get_connection
from django.core.mail.backends import console, smtp
from pytest_django import Settings

from qc4site.mail import mail_settings

KNOWN = {"sender": "QC4 Bench <bench@example.org>", "site": "https://bench.example.org"}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://u:p%40%2F%20w@mail.example.org:2525?tls=1", ("mail.example.org", 2525, "u", "p@/ w", True, False)),
        ("smtp://mail.example.org?tls=1", ("mail.example.org", 587, "", "", True, False)),
        ("smtps://u%40example.org:p@mail.example.org", ("mail.example.org", 465, "u@example.org", "p", False, True)),
        ("smtp://[::1]/", ("::1", 25, "", "", False, False)),
    ],
)
def test_a_mail_server_is_one_url(settings: Settings, url: str, expected: tuple[object, ...]) -> None:
    for name, value in mail_settings(url, **KNOWN).items():
        setattr(settings, name, value)
    server = get_connection()
    assert isinstance(server, smtp.EmailBackend)
    found = (server.host, server.port, server.username, server.password, server.use_tls, server.use_ssl)
    assert found == expected
    assert 0 < server.timeout <= 30


def test_without_settings_emails_are_written_to_the_terminal(settings: Settings) -> None:
    for name, value in mail_settings("console:", sender="", site="").items():
        setattr(settings, name, value)
    assert isinstance(get_connection(), console.EmailBackend)


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.org", "smtp:secret", "smtp://", "http://u:secret@host", "smtp://u:secret@host:lots",
        "smtp://u:secret@host?tsl=1", "smtps://u:secret@host?tls=1", "smtp://u:se/secret@host", "smtp://u:secret@host/path",
        "smtp://[u:secret@host",
    ],
)  # fmt: skip
def test_what_is_no_mail_server_stops_the_start_and_keeps_the_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL: expected") as refused:
        mail_settings(url, **KNOWN)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("missing", [{"sender": ""}, {"sender": "nobody"}, {"site": ""}, {"site": "bench.example.org"}])
def test_a_mail_server_needs_a_sender_and_the_sites_address(missing: dict[str, str]) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"EMAIL_FROM.*SITE_ADDRESS"):
        mail_settings("smtp://host", **{**KNOWN, **missing})

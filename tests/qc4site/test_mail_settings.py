"""The URL of the mail server."""

from __future__ import annotations

import pytest
from django.core.mail import get_connection
from django.core.mail.backends import console, smtp
from pytest_django import Settings

from qc4site.configuration.mail import mail_settings


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
    for name, value in mail_settings(url).items():
        setattr(settings, name, value)
    server = get_connection()
    assert isinstance(server, smtp.EmailBackend)
    found = (server.host, server.port, server.username, server.password, server.use_tls, server.use_ssl)
    assert found == expected
    assert 0 < server.timeout <= 30


def test_without_settings_emails_are_written_to_the_terminal(settings: Settings) -> None:
    for name, value in mail_settings("console:").items():
        setattr(settings, name, value)
    assert isinstance(get_connection(), console.EmailBackend)


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.org", "smtp:secret", "smtp://", "http://u:secret@host", "http://u:secret@host:25",
        "smtp://u:secret@host:lots", "smtp://u:secret@host?tsl=1", "smtps://u:secret@host?tls=1",
        "smtp://u:se/secret@host", "smtp://u:secret@host/path", "smtp://[u:secret@host",
    ],
)  # fmt: skip
def test_another_url_is_rejected(url: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # of several functions
        mail_settings(url)

"""Where e-mails go."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

CONSOLE = "console:"
PORTS = {("smtp", ""): 25, ("smtp", "tls=1"): 587, ("smtps", ""): 465}


def mail_settings(url: str, *, sender: str, site: str) -> dict[str, Any]:
    """The ``EMAIL_*`` settings that depend on the mail server.

    Args:
        url: ``console:``, or ``smtp://user:password@host:587?tls=1``: without ``tls=1`` nothing is encrypted, with
            ``smtps://`` everything is from the first byte.
        sender, site: who it comes from and the address links begin with, as the operator gave them.

    Raises:
        ImproperlyConfigured: the URL is no such thing, or a server is named and one of the two others is missing or
            none. The message does not repeat the URL, which holds a password.
    """
    if url == CONSOLE:
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS[parts.scheme, parts.query]
    except (ValueError, KeyError):
        parts, port = urlsplit(""), 0
    if not parts.hostname or parts.path not in {"", "/"}:
        raise ImproperlyConfigured(
            "EMAIL_URL: expected console:, smtp://user:password@host:587?tls=1, smtp://host:25 or "
            "smtps://user:password@host:465, with the special characters of a password as %XX."
        )
    if "@" not in sender or not site.startswith(("http://", "https://")):
        raise ImproperlyConfigured(
            "EMAIL_URL names a mail server: set EMAIL_FROM (QC4 Bench <bench@example.org>) and "
            "SITE_ADDRESS (https://bench.example.org), too."
        )
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.query == "tls=1",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
    }

"""The mail server, as one URL."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

CONSOLE = "console:"
PORTS = {("smtp", ""): 25, ("smtp", "tls=1"): 587, ("smtps", ""): 465}


def mail_settings(url: str) -> dict[str, Any]:
    """Return Django's ``EMAIL_*`` settings for a mail server.

    Args:
        url: ``console:``, or ``smtp://user:password@host:587?tls=1``: without ``tls=1`` nothing is encrypted, with
            ``smtps://`` everything is from the first byte.

    Raises:
        ValueError: the URL is neither.
    """
    if url == CONSOLE:
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    parts = urlsplit(url)
    usual_port = PORTS.get((parts.scheme, parts.query))
    if usual_port is None or not parts.hostname or parts.path not in {"", "/"}:
        raise ValueError("not the URL of a mail server")
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or usual_port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.query == "tls=1",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
    }

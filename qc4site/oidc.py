"""Who else may say who somebody is: an OpenID Connect provider."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def provider_name(issuer: str, client_id: str, client_secret: str, name: str) -> str:
    """What the button to sign in by the provider is called; "" where there is none.

    Raises:
        ImproperlyConfigured: the issuer is no https address (http on this machine alone), or what it gave this site is
            missing. The message repeats no secret.
    """
    if not issuer:
        return ""
    parts = urlsplit(issuer)
    local = parts.scheme == "http" and parts.hostname in LOOPBACK
    plain = not (parts.query or parts.fragment or parts.username)
    if not parts.hostname or not plain or not (parts.scheme == "https" or local):
        raise ImproperlyConfigured(f"OIDC_ISSUER={issuer!r}: expected an address such as https://id.example.org.")
    if not (client_id and client_secret):
        raise ImproperlyConfigured(
            "OIDC_ISSUER is set: set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, too, as the provider gave them."
        )
    return name or parts.hostname

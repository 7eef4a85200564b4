"""Who else may say who somebody is: an OpenID Connect provider."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def oidc_settings(issuer: str, *, client_id: str, client_secret: str, name: str) -> dict[str, str]:
    """The ``OIDC_*`` settings; without an issuer there is no provider.

    Raises:
        ImproperlyConfigured: the issuer is no https address (http on this machine alone), or one of the others is
            missing. The message repeats no secret.
    """
    if issuer:
        parts = urlsplit(issuer)
        local = parts.scheme == "http" and parts.hostname in LOOPBACK
        plain = not (parts.query or parts.fragment or parts.username)
        if not parts.hostname or not plain or not (parts.scheme == "https" or local):
            raise ImproperlyConfigured(f"OIDC_ISSUER={issuer!r}: expected an address such as https://id.example.org.")
        if not (client_id and client_secret):
            raise ImproperlyConfigured(
                "OIDC_ISSUER is set: set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, too, as the provider gave them."
            )
    return {
        "OIDC_ISSUER": issuer,
        "OIDC_CLIENT_ID": client_id,
        "OIDC_CLIENT_SECRET": client_secret,
        "OIDC_NAME": name or (urlsplit(issuer).hostname or ""),
    }

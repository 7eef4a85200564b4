"""Who else may say who somebody is: an OpenID Connect provider."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

HOST = re.compile(r"(?!-)[a-z0-9.-]+(?<![.-])(:[0-9]{1,5})?")
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


def provider_hosts(text: str) -> tuple[str, ...]:
    """Return the hosts, besides the issuer's, that endpoints of the provider may be on.

    Args:
        text: names such as ``oauth2.example.org``, with a port if it is not the usual one, separated by commas.

    Raises:
        ImproperlyConfigured: one of them is not the name of a host.
    """
    hosts = tuple(host.strip().lower() for host in text.split(",") if host.strip())
    for host in hosts:
        if not HOST.fullmatch(host):
            raise ImproperlyConfigured(
                f"OIDC_HOSTS has {host!r}: expected names of hosts such as oauth2.example.org, separated by commas, "
                f"without https:// and without a path."
            )
    return hosts

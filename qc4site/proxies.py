"""Which proxies in front are believed."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from qc4site import environment as env


def trusted_proxies(*, https: bool) -> int:
    """How many proxies in front may be believed about where a caller comes from; 0: X-Forwarded-For is anybody's claim.

    Raises:
        ImproperlyConfigured: callers come by HTTPS, and there is no proxy that could say so.
    """
    number = int(env.number("TRUSTED_PROXIES", 0))
    if https and not number:
        raise ImproperlyConfigured(
            "HTTPS=1 without TRUSTED_PROXIES: this server itself speaks plain HTTP, and learns from X-Forwarded-Proto "
            "that a caller came by HTTPS. Only a proxy in front is believed about that. Set TRUSTED_PROXIES to how "
            "many there are (1 for one nginx), or HTTPS=0 where there is none."
        )
    return number

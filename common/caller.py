"""Who sends the current request, and from which IP address: the address that throttles, locks and the audit log use."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class RememberCaller:
    """Middleware: the request is known while it is answered. Workers and commands have none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        before = _request.set(request)
        try:
            return self._get_response(request)
        finally:
            _request.reset(before)


def caller_address() -> str:
    """Where the request comes from; "" where there is none."""
    request = _request.get()
    return client_address(request) if request else ""


def caller() -> AbstractBaseUser | None:
    """Who asks, with a session or a token; None for nobody who is signed in, and where there is no request."""
    user = getattr(_request.get(), "user", None)
    return user if isinstance(user, AbstractBaseUser) else None


# --- Address ----------------------------------------------------------------------------------------------------------

IPV6_PREFIX = 64
"""What one subscriber is given: whoever has one address of it has 2^64, so all of them count as one."""
UNKNOWN = "0.0.0.0"  # noqa: S104  # nothing listens there: it stands for all whose address cannot be told


def client_address(request: HttpRequest | Request) -> str:
    """The address of a caller; of IPv6 the first one of its /64.

    It is where the connection comes from, or, behind proxies, what the first trusted one of them saw: each adds what it
    saw to the right of ``X-Forwarded-For``, and `TRUSTED_PROXIES` says how many of them are ours. What stands left of
    that, and any other header, is anybody's claim and is never read. Nor is an entry believed that is no address.
    """
    entries = _forwarded(request)
    seen = _parsed(entries[-min(settings.TRUSTED_PROXIES, len(entries))]) if entries else None
    found = seen or _parsed(request.META.get("REMOTE_ADDR", ""))
    if isinstance(found, IPv6Address):
        return str(ip_network((int(found), IPV6_PREFIX), strict=False).network_address)
    return str(found or UNKNOWN)


def _forwarded(request: HttpRequest | Request) -> list[str]:
    if not settings.TRUSTED_PROXIES:
        return []
    return [entry for entry in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if entry.strip()]


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """An address, with or without a port; one of IPv4 in the clothes of IPv6 is one of IPv4."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found

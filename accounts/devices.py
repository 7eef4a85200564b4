"""Browsers that have signed in before: what strangers get wrong does not lock them out.

A signed cookie says to which account a browser signed in last. For that account its wrong passwords are counted for
itself, neither for the address nor by axes. The cookie opens nothing, and ends with the password it was given for.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from accounts.models import User
from accounts.names import find_user
from accounts.tallies import bucket
from accounts.throttles import WrongOnDevice

COOKIE = "qc4_device"
SALT = "accounts.devices"
KEPT_SECONDS = 180 * 24 * 3600


def remember(response: HttpResponse, user: User) -> None:
    """Let this browser be known as one of this account's."""
    content = signing.dumps([user.pk, secrets.token_hex(8), _password_of(user)], salt=SALT)
    response.set_cookie(
        COOKIE,
        content,
        max_age=KEPT_SECONDS,
        path=reverse("sign-in"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def tries(request: HttpRequest) -> WrongOnDevice | None:
    """The wrong passwords of a known browser for the account it asks for; None where it counts as a stranger: it never
    signed in to it, or got too many wrong itself."""
    user = find_user(request.POST.get("username", "").replace("\0", ""))
    device = known_as(request, user)
    found = WrongOnDevice(device) if device else None
    return None if found is None or found.too_many() else found


def known_as(request: HttpRequest, user: User | None) -> str:
    """By what this browser is known to this account; "" for a stranger."""
    try:
        number, device, password = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=KEPT_SECONDS)
    except (signing.BadSignature, ValueError):
        return ""
    if user is None or user.pk != number or _password_of(user) != password:
        return ""
    return bucket(COOKIE, f"{number} {device}")


def is_known(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> bool:
    """What axes asks: whether to let its own counts be (``AXES_WHITELIST_CALLABLE``)."""
    return tries(request) is not None


def _password_of(user: User) -> str:
    """Something that changes with the password."""
    return user.get_session_auth_hash()[:16]

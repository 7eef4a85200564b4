"""Browsers that have signed in before: what strangers get wrong does not lock them out.

A signed cookie says to which account a browser signed in last. For that account its wrong passwords are counted for
itself, and not for its address. The cookie opens nothing, and ends with the password it was given for.
"""

from __future__ import annotations

import secrets
from contextlib import suppress

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from accounts.models import User
from accounts.names import find_user
from accounts.throttles import TooManyTries, Tries, WrongForName, WrongOnDevice, WrongSecrets
from common.throttles import bucket

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


def begin_try(request: HttpRequest) -> Tries:
    """Take the places for a password that somebody signs in with, before it is looked at.

    A browser that signed in to the account before has a count of its own. Once that is used up it is a stranger again,
    and strangers are counted for the name and the address, and for the address whatever the names.

    Raises:
        TooManyTries: there is no place.
    """
    typed = request.POST.get("username", "").replace("\0", "")
    user = find_user(typed)
    if device := known_as(request, user):
        on_device = Tries(WrongOnDevice(device))
        with suppress(TooManyTries):
            on_device.take()
            return on_device
    name = user.get_username() if user else typed
    tries = Tries(WrongForName(name, request), WrongSecrets(request))
    tries.take()
    return tries


def known_as(request: HttpRequest, user: User | None) -> str:
    """By what this browser is known to this account; "" for a stranger."""
    try:
        number, device, password = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=KEPT_SECONDS)
    except (signing.BadSignature, ValueError):
        return ""
    if user is None or user.pk != number or _password_of(user) != password:
        return ""
    return bucket(COOKIE, f"{number} {device}")


def _password_of(user: User) -> str:
    """Something that changes with the password."""
    return user.get_session_auth_hash()[:16]

"""Sign-in, recognition of browsers that have signed in before, and the related log entries."""

from __future__ import annotations

import secrets
import time
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import login
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.audit import Kind, log
from accounts.limits import CODE_MINUTES
from accounts.models import User
from accounts.names import find_user
from accounts.person import person
from accounts.services import second_factor
from accounts.throttles import TooManyTries, Tries, WrongForName, WrongOnDevice, WrongSecrets
from common.throttles import bucket

KEY = "waits_for_code"
SHOWN = "shown_by_provider"
BACKEND = "django.contrib.auth.backends.ModelBackend"


def go_on(request: HttpRequest, user: User, wanted: str, *, by_provider: bool = False) -> HttpResponse:
    """Sign in a person who gave the correct password or returned from the provider, and redirect to the wanted page.

    If the account has a second factor, ask for the code first.
    """
    if not second_factor.is_on(user):
        return let_in(request, user, wanted, by_provider=by_provider)
    request.session.cycle_key()
    holds = user.get_session_auth_hash()
    request.session[KEY] = {
        "account": user.pk, "holds": holds, "at": time.time(), "to": wanted, "by_provider": by_provider
    }  # fmt: skip
    return redirect("sign-in-code")


def let_in(request: HttpRequest, user: User, wanted: str, *, by_provider: bool = False) -> HttpResponse:
    """Sign the person in and redirect to the wanted page."""
    request.session.pop(KEY, None)
    login(request, user, backend=BACKEND)
    signed_in(person(request), f"with {settings.OIDC_NAME}" if by_provider else "")
    if by_provider:
        was_shown(request, user)
    answer = redirect(wanted)
    remember(answer, user)
    return answer


def was_shown(request: HttpRequest, user: User) -> None:
    """Record that the provider has just confirmed this person's identity."""
    request.session[SHOWN] = {"account": user.pk, "at": time.time()}


def shown_lately(request: HttpRequest, user: User) -> bool:
    """True if the provider confirmed this person's identity within the last few minutes.

    For people without a password, this replaces entering it.
    """
    held = request.session.get(SHOWN)
    return held is not None and held["account"] == user.pk and 0 <= time.time() - held["at"] <= CODE_MINUTES * 60


def waiting(request: HttpRequest) -> tuple[User, dict[str, Any]] | None:
    """Return the person who still has to enter a code, and the stored arguments for `let_in`.

    Return None if nobody does: too much time has passed, the password has changed, or the person signed out everywhere.
    """
    held = request.session.get(KEY)
    if not held or not 0 <= time.time() - held["at"] <= CODE_MINUTES * 60:
        return None
    user = User.objects.filter(pk=held["account"], is_active=True).first()
    if user is None or user.get_session_auth_hash() != held["holds"]:
        return None
    return user, {"wanted": held["to"], "by_provider": held["by_provider"]}


# --- Known browsers ---------------------------------------------------------------------------------------------------
# A signed cookie records which account a browser last signed in to. Wrong passwords for that account from that browser
# have their own count, so strangers cannot lock out the owner. The cookie gives no access, and expires when the
# password changes.

COOKIE = "qc4_device"
SALT = "accounts.services.sign_in"
KEPT_SECONDS = 180 * 24 * 3600


def remember(response: HttpResponse, user: User) -> None:
    """Mark this browser as known to the account."""
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
    """Take the places for a sign-in attempt before the password is checked.

    A browser that has signed in to the account before has its own count. When that is used up, the browser is treated
    as unknown. Attempts from unknown browsers count for the user name and IP address together, and also for the IP
    address alone.

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
    """Return the identifier of this browser for this account; "" for an unknown browser."""
    try:
        number, device, password = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=KEPT_SECONDS)
    except (signing.BadSignature, ValueError):
        return ""
    if user is None or user.pk != number or _password_of(user) != password:
        return ""
    return bucket(COOKIE, f"{number} {device}")


def _password_of(user: User) -> str:
    """Return a value that changes with the password."""
    return user.get_session_auth_hash()[:16]


# --- Entries in the audit log -----------------------------------------------------------------------------------------


def signed_in(user: User, how: str = "") -> None:
    """Log that a person signed in."""
    log(Kind.SIGNED_IN, actor=user, account=user, about=how)


def signed_out(user: User) -> None:
    """Log that a person signed out."""
    log(Kind.SIGNED_OUT, actor=user, account=user)


def failed(name: str, *, locks: bool) -> None:
    """Log a wrong password. If it may lock out the owner, notify them once, not at each further attempt.

    An unknown user name is not stored, because people sometimes type their password into the wrong field.
    """
    account = find_user(name)
    log(Kind.WRONG_PASSWORD, account=account, about="" if account else "for a name that nobody has")
    if locks:
        log(Kind.LOCKED, account=account)


# --- The page to go to next -------------------------------------------------------------------------------------------


def next_page(request: HttpRequest) -> str:
    """Return the page that the person wanted if it is on this site; otherwise ""."""
    address: str = request.POST.get("next", request.GET.get("next", ""))
    own = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if own else ""


def name_of_page(address: str) -> str:
    """Return the URL name of the page that the person wants.

    It hides what an invitation is for, which only people who are signed in can see.
    """
    try:
        return resolve(urlsplit(address).path).url_name or ""
    except (Resolver404, ValueError):
        return ""

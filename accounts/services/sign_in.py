"""Sign people in, recognise browsers that have signed in before, and log it."""

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
    """Sign in who gave the right password, or came back from the provider, and send them where they wanted to go; or
    ask for the code first."""
    if not second_factor.is_on(user):
        return let_in(request, user, wanted, by_provider=by_provider)
    request.session.cycle_key()
    holds = user.get_session_auth_hash()
    request.session[KEY] = {
        "account": user.pk, "holds": holds, "at": time.time(), "to": wanted, "by_provider": by_provider
    }  # fmt: skip
    return redirect("sign-in-code")


def let_in(request: HttpRequest, user: User, wanted: str, *, by_provider: bool = False) -> HttpResponse:
    """Sign in, and go there."""
    request.session.pop(KEY, None)
    login(request, user, backend=BACKEND)
    signed_in(person(request), f"with {settings.OIDC_NAME}" if by_provider else "")
    if by_provider:
        was_shown(request, user)
    answer = redirect(wanted)
    remember(answer, user)
    return answer


def was_shown(request: HttpRequest, user: User) -> None:
    """The provider said just now that it is them."""
    request.session[SHOWN] = {"account": user.pk, "at": time.time()}


def shown_lately(request: HttpRequest, user: User) -> bool:
    """Whether the provider said so a few minutes ago: what a password is for who has none."""
    held = request.session.get(SHOWN)
    return held is not None and held["account"] == user.pk and 0 <= time.time() - held["at"] <= CODE_MINUTES * 60


def waiting(request: HttpRequest) -> tuple[User, dict[str, Any]] | None:
    """Who showed who they are and owes the code, and what is kept for then, as `let_in` takes it.

    None for nobody: it was too long ago, or the password is another, or everything was ended.
    """
    held = request.session.get(KEY)
    if not held or not 0 <= time.time() - held["at"] <= CODE_MINUTES * 60:
        return None
    user = User.objects.filter(pk=held["account"], is_active=True).first()
    if user is None or user.get_session_auth_hash() != held["holds"]:
        return None
    return user, {"wanted": held["to"], "by_provider": held["by_provider"]}


# --- Known browsers ---------------------------------------------------------------------------------------------------
# A signed cookie says which account a browser signed in to last. Wrong passwords for that account from that browser
# have a count of their own, so strangers cannot lock its owner out. The cookie gives no access, and expires when the
# password changes.

COOKIE = "qc4_device"
SALT = "accounts.services.sign_in"
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


# --- Entries in the audit log -----------------------------------------------------------------------------------------


def signed_in(user: User, how: str = "") -> None:
    """Somebody showed who they are."""
    log(Kind.SIGNED_IN, actor=user, account=user, about=how)


def signed_out(user: User) -> None:
    """Somebody left."""
    log(Kind.SIGNED_OUT, actor=user, account=user)


def failed(name: str, *, locks: bool) -> None:
    """Somebody gave a wrong password, after which they may be locked out: that is told once, not at each further try.

    A name that nobody has is not kept: people type passwords into the wrong field.
    """
    account = find_user(name)
    log(Kind.WRONG_PASSWORD, account=account, about="" if account else "for a name that nobody has")
    if locks:
        log(Kind.LOCKED, account=account)


# --- The page to go to next -------------------------------------------------------------------------------------------


def next_page(request: HttpRequest) -> str:
    """The page they wanted, if that is a place of this site; else ""."""
    address: str = request.POST.get("next", request.GET.get("next", ""))
    own = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if own else ""


def name_of_page(address: str) -> str:
    """What somebody came for, by the name of the page they go to next. What an invitation is to is told only to whoever
    is signed in."""
    try:
        return resolve(urlsplit(address).path).url_name or ""
    except (Resolver404, ValueError):
        return ""

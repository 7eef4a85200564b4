"""The way in, once somebody has shown who they are: at once, or after the code of their second factor.

Until the code is given nobody is signed in. The session only holds whose password was right, for a few minutes.
"""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts import devices
from accounts.limits import CODE_MINUTES
from accounts.models import User
from accounts.person import person
from accounts.services import second_factor, sessions

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
    sessions.signed_in(person(request), f"with {settings.OIDC_NAME}" if by_provider else "")
    if by_provider:
        was_shown(request, user)
    answer = redirect(wanted)
    devices.remember(answer, user)
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

"""The way in, once somebody has shown who they are: at once, or after the code of their second factor.

Until the code is given nobody is signed in. The session only holds whose password was right, for a few minutes.
"""

from __future__ import annotations

import time

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts import devices
from accounts.limits import CODE_MINUTES
from accounts.models import User
from accounts.person import person
from accounts.services import second_factor, sessions

KEY = "waits_for_code"
BACKEND = "django.contrib.auth.backends.ModelBackend"


def go_on(request: HttpRequest, user: User, wanted: str) -> HttpResponse:
    """Sign in who gave the right password and send them where they wanted to go, or ask for the code first."""
    if not second_factor.is_on(user):
        return let_in(request, user, wanted)
    request.session.cycle_key()
    request.session[KEY] = {"account": user.pk, "holds": user.get_session_auth_hash(), "at": time.time(), "to": wanted}
    return redirect("sign-in-code")


def let_in(request: HttpRequest, user: User, wanted: str) -> HttpResponse:
    """Sign in, and go there."""
    request.session.pop(KEY, None)
    login(request, user, backend=BACKEND)
    sessions.signed_in(person(request))
    answer = redirect(wanted)
    devices.remember(answer, user)
    return answer


def waiting(request: HttpRequest) -> tuple[User, str] | None:
    """Who gave the right password here and owes the code, and where they go then; None for nobody: it was too long ago,
    or the password is another, or everything was ended."""
    held = request.session.get(KEY)
    if not held or not 0 <= time.time() - held["at"] <= CODE_MINUTES * 60:
        return None
    user = User.objects.filter(pk=held["account"], is_active=True).first()
    if user is None or user.get_session_auth_hash() != held["holds"]:
        return None
    return user, held["to"]

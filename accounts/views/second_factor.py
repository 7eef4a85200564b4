"""Views of the second factor: the code at sign-in, turning it on and off, and recovery codes."""

from __future__ import annotations

import math

import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.encryption import seal, unseal
from accounts.forms import WRONG_CODE, Confirmed, SignInCode, TurnOn, WithCode
from accounts.models import User
from accounts.person import person
from accounts.services import second_factor, sign_in
from accounts.throttles import Confirmations, TooManyTries, Tries, WrongCodes, WrongSecrets
from common.throttles import refused

OFFERED_SECONDS = 3600
"""How long a new key may be tried."""


class _Codes:
    """Codes entered for an account. Each takes its places before it is checked.

    A few wrong codes per day are allowed for each account. Unknown browsers share one count, and each known browser has
    its own. So a person who has the password and guesses codes cannot lock the owner out of a known browser. Wrong
    codes from an unknown browser also count as wrong passwords from its IP address. Recovery codes need no place: they
    cannot be guessed, and an attacker must not lock out a person who has one.
    """

    def __init__(self, request: HttpRequest, user: User, *, signed_in: bool = False) -> None:
        known = sign_in.known_as(request, user)
        self._user = user
        self._count = WrongCodes(f"{user.pk}-{'here' if signed_in else known}")
        of_address = [] if signed_in or known else [WrongSecrets(request)]
        self._tries = Tries(self._count, *of_address)

    def take(self, typed: str) -> bool:
        """Return True if the code is correct. It does not work again.

        Raises:
            TooManyTries: too many secrets from this IP address were wrong, and this is not a recovery code.
        """
        if second_factor.take_recovery_code(self._user, typed):
            return True
        try:
            self._tries.take()
        except TooManyTries:
            if self.wait:
                return False
            raise
        if second_factor.take_code(self._user, typed):
            self._tries.was_right()
            return True
        second_factor.failed(self._user, locks=self._count.is_last)
        return False

    def refuse(self, form: SignInCode | WithCode) -> None:
        """Add the error to the form."""
        hours = math.ceil(self.wait / 3600)
        too_many = f"Too many wrong codes: within {hours} hours only a recovery code is taken here."
        form.add_error("code", too_many if hours else WRONG_CODE)

    @property
    def wait(self) -> float:
        """Seconds until codes from the device are accepted again; 0 if they are accepted now."""
        return self._count.wait()


def _refused(answer: HttpResponse, codes: _Codes) -> HttpResponse:
    return refused(answer, codes.wait) if codes.wait else answer


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code: the second step of signing in."""
    found = sign_in.waiting(request)
    if found is None:
        return redirect(settings.LOGIN_URL)
    user, then = found
    form = SignInCode(request.POST or None)
    page = {"form": form, "whose": user}
    if request.method != "POST":
        return render(request, "accounts/sign_in_code.html", page)
    if not form.is_valid():
        return render(request, "accounts/sign_in_code.html", page, status=400)
    codes = _Codes(request, user)
    if codes.take(form.cleaned_data["code"]):
        return sign_in.let_in(request, user, **then)
    codes.refuse(form)
    return _refused(render(request, "accounts/sign_in_code.html", page, status=400), codes)


@never_cache
@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def second_factor_page(request: HttpRequest) -> HttpResponse:
    """Show whether the second factor is on. If it is off, show the key for a device and the form that turns it on."""
    user = person(request)
    if second_factor.is_on(user):
        return redirect(reverse("account") + "#safety") if request.method == "POST" else _page(request)
    secret = _offered(user, request.POST.get("offer", "")) or second_factor.new_secret()
    form = TurnOn(user, request.POST if request.method == "POST" else None)
    if request.method == "POST":
        _take_password(request, form)
    if form.is_valid():
        codes = second_factor.turn_on(user, secret, form.cleaned_data["code"].replace(" ", ""))
        if codes is not None:
            update_session_auth_hash(request, user)
            return _page(request, codes=codes)
        form.add_error("code", WRONG_CODE)
    code = segno.make(second_factor.address(user, secret), error="m")
    title = "QR code with the key; the same key stands below as text"
    picture = mark_safe(code.svg_inline(scale=5, light="white", title=title))  # noqa: S308  # squares, and our words
    key = " ".join(secret[start : start + 4] for start in range(0, len(secret), 4))
    page = {"form": form, "picture": picture, "key": key, "offer": seal(f"{user.pk} {secret}")}
    return render(request, "accounts/second_factor_setup.html", page, status=400 if form.errors else 200)


def _offered(user: User, offer: str) -> str | None:
    """Return the secret that this person was shown. It is sent back with the form, so that viewing the page stores
    nothing."""
    whose, _, secret = (unseal(offer, within=OFFERED_SECONDS) or "").partition(" ")
    return secret if whose == str(user.pk) else None


@never_cache
@sensitive_post_parameters()
@login_required
@require_POST
def renew_codes(request: HttpRequest) -> HttpResponse:
    """Replace the recovery codes and show the new ones once."""
    form = WithCode(person(request), request.POST, auto_id="renew_%s")
    refused = _unless_confirmed(request, form, "renew")
    return refused or _page(request, codes=second_factor.renew_codes(person(request)))


@never_cache
@sensitive_post_parameters()
@login_required
@require_POST
def turn_off(request: HttpRequest) -> HttpResponse:
    """Turn off the second factor."""
    form = WithCode(person(request), request.POST, auto_id="off_%s")
    refused = _unless_confirmed(request, form, "off")
    if refused:
        return refused
    second_factor.turn_off(person(request))
    messages.success(request, "The second factor is off: your password alone signs you in.")
    return redirect(reverse("account") + "#safety")


def _unless_confirmed(request: HttpRequest, form: WithCode, name: str) -> HttpResponse | None:
    """Return None if the password and the code are correct. The password is checked first."""
    user = person(request)
    if not second_factor.is_on(user):
        return redirect("second-factor")
    _take_password(request, form)
    codes = _Codes(request, user, signed_in=True)
    if form.is_valid():
        if codes.take(form.cleaned_data["code"]):
            return None
        codes.refuse(form)
    return _refused(_page(request, status=400, **{name: form}), codes)


def _take_password(request: HttpRequest, form: Confirmed) -> None:
    """Check the password of a form. A wrong one is counted.

    Raises:
        TooManyTries: too many were wrong, so this one is not checked.
    """
    tries = Confirmations(request)
    tries.take()
    if "password" not in form.errors:
        tries.was_right()


def _page(request: HttpRequest, status: int = 200, **more: object) -> HttpResponse:
    user = person(request)
    page = {
        "since": user.second_factor.since,
        "left": user.recovery_codes.count(),
        "renew": WithCode(user, auto_id="renew_%s"),
        "off": WithCode(user, auto_id="off_%s"),
        **more,
    }
    return render(request, "accounts/second_factor.html", page, status=status)

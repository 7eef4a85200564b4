"""Sign-in with the site's OpenID Connect provider: redirects, names of new accounts, and linking of accounts.

The provider only confirms a person's identity. The site still asks for the code of an account with a second factor.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import signup_policy
from accounts.forms import Confirmed, NewName, suspended
from accounts.models import User
from accounts.person import person
from accounts.provider import ProviderError, Shown
from accounts.services import identities, sign_in
from accounts.services.registration import NotInvited, open_account
from accounts.services.sign_in import next_page
from accounts.throttles import Confirmations, Tries, WrongReturns
from common.capacity import slow_work

TRIP, NEWCOMER = "provider_trip", "provider_newcomer"
MINUTES = 15
"""How long somebody may take there, and to choose a name."""


@never_cache
@require_safe
def begin(request: HttpRequest) -> HttpResponse:
    """Redirect to the provider. People who are signed in confirm their identity there."""
    try:
        return redirect(_depart(request, next_page(request)))
    except ProviderError as error:
        return _failed(request, str(error))


@never_cache
@require_safe
def come_back(request: HttpRequest) -> HttpResponse:
    """Handle a person's return from the provider. Each redirect allows one return, in the browser that started it."""
    provider = _provider()
    here = _unexpired(request.session.pop(TRIP, None))
    if here is None or not constant_time_compare(here["state"], request.GET.get("state", "")):
        return _failed(request, "This is no answer to anything that was asked in this browser just now. Begin anew.")
    if request.GET.get("iss", settings.OIDC_ISSUER) != settings.OIDC_ISSUER:
        return _failed(request, "Somebody else than was asked has answered. Begin anew.")
    if "error" in request.GET:
        refused = request.GET["error"] == "access_denied"
        return _failed(request, "It was called off there." if refused else "It could not be done there. Try again.")
    tries = Tries(WrongReturns(request))
    with slow_work("asking the provider", one_each=False):  # first: without a place, no attempt counts
        tries.take()
        try:
            shown = provider.arrive(request.GET.get("code", ""), here["nonce"], here["verifier"])
        except ProviderError as error:
            return _failed(request, str(error))
        tries.was_right()
    return _arrived(request, shown, here)


def _arrived(request: HttpRequest, shown: Shown, trip: dict[str, Any]) -> HttpResponse:
    wanted, owner = trip["to"], identities.known(shown)
    if isinstance(request.user, User):
        return _arrived_signed_in(request, request.user, shown, trip)
    if owner is None:
        request.session[NEWCOMER] = {"shown": asdict(shown), "at": time.time(), "to": wanted}
        return redirect("provider-name")
    if not owner.is_active:
        return _failed(request, suspended(owner) if owner.suspended_at else "Nobody may sign in to the account here.")
    return sign_in.go_on(request, owner, _onward(wanted), by_provider=True)


def _arrived_signed_in(request: HttpRequest, user: User, shown: Shown, trip: dict[str, Any]) -> HttpResponse:
    if trip["ties"] == user.pk:
        try:
            identities.tie(user, shown)
        except ValidationError as error:
            return _failed(request, " ".join(error.messages))
        messages.success(request, f"You can sign in with {settings.OIDC_NAME} from now on.")
    elif identities.known(shown) != user:
        return _failed(request, "That is not whom this account is tied to. Sign out here first.")
    sign_in.was_shown(request, user)
    return redirect(trip["to"] or reverse("account") + "#safety")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def choose_name(request: HttpRequest) -> HttpResponse:
    """Make an account for a person with an unknown identity at the provider, if sign-up allows it."""
    _provider()
    newcomer = _unexpired(request.session.get(NEWCOMER))
    if newcomer is None or request.user.is_authenticated:
        return redirect(settings.LOGIN_URL)
    wanted, shown = newcomer["to"], Shown(**newcomer["shown"])
    form = NewName(request.POST or None)
    context = {"form": form, "provider": settings.OIDC_NAME, "next": wanted, **signup_policy.ways_to_sign_up(wanted)}
    if not signup_policy.may_sign_up(wanted):
        return render(request, "accounts/provider_unknown.html", context, status=403)

    def page() -> HttpResponse:
        return render(request, "accounts/provider_user_name.html", context, status=400 if form.errors else 200)

    if request.method != "POST" or not form.is_valid():
        return page()
    try:
        made = open_account(
            request, form, wanted, lambda: identities.make_account(form.cleaned_data["username"], shown), page
        )
    except NotInvited:
        return render(request, "accounts/provider_unknown.html", context, status=403)
    except ValidationError as error:
        return _failed(request, " ".join(error.messages))
    if isinstance(made, HttpResponse):
        return made
    del request.session[NEWCOMER]
    return sign_in.let_in(request, made, _onward(wanted), by_provider=True)


@never_cache
@sensitive_post_parameters()
@login_required
@require_POST
def tie(request: HttpRequest) -> HttpResponse:
    """Show the link to the provider for people who want to sign in with it from now on.

    It is a link because the content security policy does not let forms lead to another host.
    """
    _provider()
    return _unless_confirmed(request) or _way_to_tie(request)


def _way_to_tie(request: HttpRequest) -> HttpResponse:
    try:
        page = {"address": _depart(request, "", ties=person(request)), "provider": settings.OIDC_NAME}
    except ProviderError as error:
        return _failed(request, str(error))
    return render(request, "accounts/provider_link.html", page)


@never_cache
@sensitive_post_parameters()
@login_required
@require_POST
def untie(request: HttpRequest) -> HttpResponse:
    """Stop sign-in with the provider. Only the password works then."""
    _provider()
    refused = _unless_confirmed(request)
    if refused:
        return refused
    identities.untie(person(request), settings.OIDC_ISSUER)
    messages.success(request, f"Nobody signs in to your account with {settings.OIDC_NAME} any more.")
    return redirect(reverse("account") + "#safety")


def _unless_confirmed(request: HttpRequest) -> HttpResponse | None:
    """Return None if the person entered the correct password."""
    tries, form = Confirmations(request), Confirmed(person(request), request.POST)
    tries.take()
    if form.is_valid():
        tries.was_right()
        return None
    return _failed(request, " ".join(map(str, form.errors["password"])))


def _depart(request: HttpRequest, wanted: str, ties: User | None = None) -> str:
    with slow_work("asking the provider", one_each=False):
        trip = _provider().depart()
    kept = {"state": trip.state, "nonce": trip.nonce, "verifier": trip.verifier, "at": time.time(), "to": wanted}
    request.session[TRIP] = {**kept, "ties": ties.pk if ties else None}
    address: str = trip.address
    return address


def _onward(wanted: str) -> str:
    """Return the page to open after signing in, unless it is the sign-up link, which has served its purpose."""
    return reverse("collections") if not wanted or wanted.startswith(reverse("sign-up")) else wanted


def _unexpired(kept: dict[str, Any] | None) -> dict[str, Any] | None:
    return kept if kept and 0 <= time.time() - kept["at"] <= MINUTES * 60 else None


def _failed(request: HttpRequest, sentence: str) -> HttpResponse:
    page = {"sentence": sentence, "provider": settings.OIDC_NAME}
    return render(request, "accounts/provider_failed.html", page, status=400)


def _provider() -> Any:
    """Return the module that talks to the provider. It is imported late, because that takes half a second.

    Raises:
        Http404: the site has no provider.
    """
    if not settings.OIDC_ISSUER:
        raise Http404("This site has no other way to sign in than passwords.")
    from accounts import provider

    return provider

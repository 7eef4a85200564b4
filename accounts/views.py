"""Signing in, out and up; a person's account and the tokens of their programs."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import NON_FIELD_ERRORS
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import devices, signing_in, vouchers
from accounts.audit import Kind, address_for, of_account
from accounts.forms import EmailAddress, NewToken, Notices, SignIn, SignUp
from accounts.limits import AUDIT_ROWS
from accounts.models import User
from accounts.next_page import next_page
from accounts.opening import NotInvited, open_account
from accounts.password_forms import Confirmed
from accounts.password_throttles import Confirmations
from accounts.person import person
from accounts.services import endings, notices, second_factor, sessions, tokens
from accounts.services.addresses import ask_to_confirm, change_address, confirm, is_meant
from accounts.services.mail import goes_out


class SignInView(LoginView):
    """Django's own sign-in with the site's look. A password takes its places before it is looked at
    (`accounts.devices.begin_try`)."""

    http_method_names = ["get", "head", "post"]
    template_name = "account/sign_in.html"
    authentication_form = SignIn
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        wanted = self.get_redirect_url()
        return super().get_context_data(
            waiting=_waiting(wanted), provider=settings.OIDC_NAME, **vouchers.ways_to_sign_up(wanted), **kwargs
        )

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        self._tries = devices.begin_try(request)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        assert isinstance(user, User)
        self._tries.was_right()
        return signing_in.go_on(self.request, user, self.get_success_url())

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        if form.has_error(NON_FIELD_ERRORS, "invalid_login"):
            sessions.failed(form.cleaned_data["username"], locks=self._tries.is_last)
        else:  # a field is empty, or it is the right password of an account that is suspended
            self._tries.give_back()
        return super().form_invalid(form)


class SignOutView(LogoutView):
    """Django's own sign-out, which the audit log is told of."""

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.user.is_authenticated:
            sessions.signed_out(person(request))
        return super().post(request, *args, **kwargs)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest, token: str = "") -> HttpResponse:
    """A new account: for everybody, or for who came by a link that vouches for them (this one, if it has a ``token``,
    or an invitation they go on to)."""
    if vouchers.sign_up() == vouchers.SignUp.CLOSED:
        raise Http404("New accounts are made by the operator of this site.")
    form = SignUp(request.POST or None)
    wanted = next_page(request)
    came_by = request.path if token else wanted
    context = {"form": form, "next": wanted, "waiting": _waiting(wanted), "by_link": bool(token)}
    context |= {"provider": settings.OIDC_NAME, "came_by": came_by}
    if not vouchers.may_sign_up(came_by):
        return _not_invited(request, context)

    def page() -> HttpResponse:
        return render(request, "account/sign_up.html", context, status=400 if form.errors else 200)

    if request.method != "POST" or not form.is_valid():
        return page()
    try:
        user = open_account(request, form, came_by, form.save, page)
    except NotInvited:
        return _not_invited(request, context)
    if isinstance(user, HttpResponse):
        return user
    login(request, user, backend=signing_in.BACKEND)
    answer = redirect(wanted or "collections")
    devices.remember(answer, user)
    return answer


def _not_invited(request: HttpRequest, context: dict[str, object]) -> HttpResponse:
    """Making an account takes an invitation, and this is none (any more)."""
    return render(request, "account/not_invited.html", context, status=403)


def _waiting(address: str) -> str:
    """What somebody came for, by the name of the page they go to next. What an invitation is to is told only to whoever
    is signed in."""
    try:
        return resolve(urlsplit(address).path).url_name or ""
    except (Resolver404, ValueError):
        return ""


@never_cache
@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """The person's tokens and collections."""
    return _account_page(request, NewToken())


@never_cache
@login_required
@require_POST
def create_token(request: HttpRequest) -> HttpResponse:
    """Make a token and show it, this once, in the answer itself: it is stored nowhere, not even in the session."""
    form = NewToken(request.POST)
    if not form.is_valid():
        return _account_page(request, form, status=400)
    row, secret = tokens.create(person(request), **form.cleaned_data)
    return _account_page(request, NewToken(), new_token=row, secret=secret)


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Make one of the person's own tokens useless at once."""
    row = person(request).api_tokens.filter(pk=pk).first()
    if row is None:
        raise Http404("There is no such token.")
    tokens.revoke(row)
    messages.success(request, f"The token “{row.name}” no longer works.")
    return redirect("account")


@never_cache
@login_required
@require_safe
def account_log(request: HttpRequest) -> HttpResponse:
    """What happened with the person's account."""
    user = person(request)
    page = Paginator(of_account(user), AUDIT_ROWS).get_page(request.GET.get("page"))
    rows = [(entry, Kind(entry.kind).label, address_for(user, entry)) for entry in page]
    context = {"page": page, "rows": rows, "trail": [("account", reverse("account")), ("log", "")]}
    return render(request, "account/log.html", context)


@sensitive_post_parameters()
@login_required
@require_POST
def change_email(request: HttpRequest) -> HttpResponse:
    """Another e-mail address, or none; the one before is told."""
    user = person(request)
    tries = Confirmations(request)
    tries.take()
    form = EmailAddress(User.objects.get(pk=user.pk), request.POST)
    is_valid = form.is_valid()
    if "password" not in form.errors:
        tries.was_right()
    if not is_valid:
        return _account_page(request, NewToken(), status=400, address=form)
    if change_address(user, form.cleaned_data["email"]):
        messages.success(request, _what_now(user))
    return redirect(reverse("account") + "#notices")


def _what_now(user: User) -> str:
    if not user.email:
        return "Saved: nothing is sent to you any more."
    return "Saved. A link that confirms the address is on its way to it." if goes_out() else "Saved."


@login_required
@require_POST
def send_confirmation(request: HttpRequest) -> HttpResponse:
    """The link that confirms the address, once more."""
    user = person(request)
    if user.email and not user.email_confirmed_at and goes_out():
        ask_to_confirm(user)
        messages.success(request, f"A link is on its way to {user.email}.")
    return redirect(reverse("account") + "#notices")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_email(request: HttpRequest, token: str) -> HttpResponse:
    """The address is this person's, if they say so, signed in, on the page of a link that was sent there.

    To open the link is not enough: who typed a stranger's address by mistake sees here whose they would confirm.
    """
    user = person(request)
    if not is_meant(user, token):
        return render(request, "account/confirm_email.html", {"works": False}, status=410)
    if request.method != "POST":
        return render(request, "account/confirm_email.html", {"works": True})
    confirm(user)
    messages.success(request, f"{user.email} is confirmed.")
    return redirect(reverse("account") + "#notices")


@login_required
@require_POST
def end_everything(request: HttpRequest) -> HttpResponse:
    """Sign out everywhere else and revoke all tokens; this browser stays signed in."""
    user = person(request)
    revoked = endings.end_everything(user)
    update_session_auth_hash(request, user)
    tokens_gone = f"{revoked} token{'' if revoked == 1 else 's'} revoked"
    messages.success(request, f"Everywhere else you are signed out, and {tokens_gone}.")
    return redirect("account")


@login_required
@require_POST
def choose_notices(request: HttpRequest) -> HttpResponse:
    """Which kinds of e-mails the person wants."""
    form = Notices(request.POST)
    if form.is_valid():
        notices.turn(person(request), form.cleaned_data)
        messages.success(request, "Saved.")
    return redirect(reverse("account") + "#notices")


def _account_page(request: HttpRequest, form: NewToken, status: int = 200, **more: object) -> HttpResponse:
    user = person(request)
    context = {
        "form": form,
        "tokens": user.api_tokens.all(),
        "memberships": user.memberships.select_related("collection"),
        "address": EmailAddress(user),
        "notices": Notices(initial={notice.key: on for notice, on in notices.switches(user)}),
        "mail_goes_out": goes_out(),
        "provider": settings.OIDC_NAME,
        "identity": user.identities.filter(issuer=settings.OIDC_ISSUER).first() if settings.OIDC_ISSUER else None,
        "confirmed": Confirmed(user, auto_id="provider_%s"),
        "has_second_factor": second_factor.is_on(user),
        **more,
    }
    return render(request, "account/account.html", context, status=status)

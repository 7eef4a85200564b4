"""Views of a person's account and API tokens."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import mail
from accounts.audit import Kind, address_for, of_account
from accounts.forms import Confirmed, EmailAddress, NewToken, Notices
from accounts.limits import AUDIT_ROWS
from accounts.mail import goes_out
from accounts.models import User
from accounts.person import person
from accounts.services import second_factor, session_revocation, tokens
from accounts.services.account import ask_to_confirm, change_address, confirm, is_meant
from accounts.throttles import Confirmations


@never_cache
@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show the person's tokens and collections."""
    return _account_page(request, NewToken())


@never_cache
@login_required
@require_POST
def create_token(request: HttpRequest) -> HttpResponse:
    """Make a token and show it once in this response. It is stored nowhere, not even in the session."""
    form = NewToken(request.POST)
    if not form.is_valid():
        return _account_page(request, form, status=400)
    row, secret = tokens.create(person(request), **form.cleaned_data)
    return _account_page(request, NewToken(), new_token=row, secret=secret)


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke one of the person's own tokens at once."""
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
    """Show the log of the person's account."""
    user = person(request)
    page = Paginator(of_account(user), AUDIT_ROWS).get_page(request.GET.get("page"))
    rows = [(entry, Kind(entry.kind).label, address_for(user, entry)) for entry in page]
    context = {"page": page, "rows": rows, "trail": [("account", reverse("account")), ("log", "")]}
    return render(request, "accounts/audit_log.html", context)


@sensitive_post_parameters()
@login_required
@require_POST
def change_email(request: HttpRequest) -> HttpResponse:
    """Change or remove the e-mail address, and notify the previous one."""
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
    """Send the confirmation link again."""
    user = person(request)
    if user.email and not user.email_confirmed_at and goes_out():
        ask_to_confirm(user)
        messages.success(request, f"A link is on its way to {user.email}.")
    return redirect(reverse("account") + "#notices")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_email(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm the e-mail address of the signed-in person, who came by a link sent to it and presses the button.

    Opening the link is not enough. A person who receives it because somebody mistyped an address can see here whose
    address they would confirm.
    """
    user = person(request)
    if not is_meant(user, token):
        return render(request, "accounts/confirm_email.html", {"works": False}, status=410)
    if request.method != "POST":
        return render(request, "accounts/confirm_email.html", {"works": True})
    confirm(user)
    messages.success(request, f"{user.email} is confirmed.")
    return redirect(reverse("account") + "#notices")


@login_required
@require_POST
def end_everything(request: HttpRequest) -> HttpResponse:
    """Sign out everywhere else and revoke all tokens; this browser stays signed in."""
    user = person(request)
    revoked = session_revocation.end_everything(user)
    update_session_auth_hash(request, user)
    tokens_gone = f"{revoked} token{'' if revoked == 1 else 's'} revoked"
    messages.success(request, f"Everywhere else you are signed out, and {tokens_gone}.")
    return redirect("account")


@login_required
@require_POST
def choose_notices(request: HttpRequest) -> HttpResponse:
    """Store which kinds of e-mails the person wants."""
    form = Notices(request.POST)
    if form.is_valid():
        mail.turn(person(request), form.cleaned_data)
        messages.success(request, "Saved.")
    return redirect(reverse("account") + "#notices")


def _account_page(request: HttpRequest, form: NewToken, status: int = 200, **more: object) -> HttpResponse:
    user = person(request)
    context = {
        "form": form,
        "tokens": user.api_tokens.all(),
        "memberships": user.memberships.select_related("collection"),
        "address": EmailAddress(user),
        "notices": Notices(initial={notice.key: on for notice, on in mail.switches(user)}),
        "mail_goes_out": goes_out(),
        "provider": settings.OIDC_NAME,
        "identity": user.identities.filter(issuer=settings.OIDC_ISSUER).first() if settings.OIDC_ISSUER else None,
        "confirmed": Confirmed(user, auto_id="provider_%s"),
        "has_second_factor": second_factor.is_on(user),
        **more,
    }
    return render(request, "accounts/account.html", context, status=status)

"""Export your own account's data, and delete your own account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from accounts.forms import Confirmed
from accounts.person import person
from accounts.services.account import neutral_name
from accounts.throttles import Confirmations
from common.downloads import attachment_headers
from evaluation.account_data.selectors import leaving
from evaluation.account_data.services import delete_account, export_account


@never_cache
@login_required
@require_safe
def account_export(request: HttpRequest) -> StreamingHttpResponse:
    """Download all data that the site stores about the person, as a ZIP."""
    user = person(request)
    headers = attachment_headers(f"qc4-bench-account-{user.pk}.zip")
    return StreamingHttpResponse(export_account(user), content_type="application/zip", headers=headers)


@never_cache
@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account_delete(request: HttpRequest) -> HttpResponse:
    """Show the effects of deleting the account; a POST with the password deletes it."""
    user, tries = person(request), Confirmations(request)
    form = Confirmed(user, request.POST if request.method == "POST" else None)
    if request.method == "POST":
        tries.take()
        if form.is_valid():
            tries.was_right()
            delete_account(user)
            logout(request)
            messages.success(request, "Your account was deleted.")
            return redirect("collections")
    context = {"form": form, "leaving": leaving(user), "neutral": neutral_name(user)}
    return render(request, "account_data/delete.html", context, status=400 if form.errors else 200)

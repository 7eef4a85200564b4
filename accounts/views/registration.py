"""The view that makes an account."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import signup_policy
from accounts.forms import SignUp
from accounts.services import sign_in
from accounts.services.registration import NotInvited, open_account
from accounts.services.sign_in import name_of_page, next_page


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest, token: str = "") -> HttpResponse:
    """Make an account, if sign-up is open or the person has a link that allows one.

    This is the link with this ``token``, if there is one, or an invitation that they open next.
    """
    if signup_policy.sign_up() == signup_policy.SignUp.CLOSED:
        raise Http404("New accounts are made by the operator of this site.")
    form = SignUp(request.POST or None)
    wanted = next_page(request)
    came_by = request.path if token else wanted
    context = {"form": form, "next": wanted, "waiting": name_of_page(wanted), "by_link": bool(token)}
    context |= {"provider": settings.OIDC_NAME, "came_by": came_by}
    if not signup_policy.may_sign_up(came_by):
        return _not_invited(request, context)

    def page() -> HttpResponse:
        return render(request, "accounts/sign_up.html", context, status=400 if form.errors else 200)

    if request.method != "POST" or not form.is_valid():
        return page()
    try:
        user = open_account(request, form, came_by, form.save, page)
    except NotInvited:
        return _not_invited(request, context)
    if isinstance(user, HttpResponse):
        return user
    login(request, user, backend=sign_in.BACKEND)
    answer = redirect(wanted or "collections")
    sign_in.remember(answer, user)
    return answer


def _not_invited(request: HttpRequest, context: dict[str, object]) -> HttpResponse:
    """Return the page that says that sign-up needs an invitation and that this link is not, or no longer, one."""
    return render(request, "accounts/not_invited.html", context, status=403)

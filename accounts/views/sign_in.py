"""Views to sign in and sign out."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse

from accounts import signup_policy
from accounts.forms import SignIn
from accounts.models import User
from accounts.person import person
from accounts.services import sign_in
from accounts.services.sign_in import name_of_page


class SignInView(LoginView):
    """Django's sign-in view in the site's design.

    An attempt takes its places before the password is checked (`accounts.services.sign_in.begin_try`).
    """

    http_method_names = ["get", "head", "post"]
    template_name = "accounts/sign_in.html"
    authentication_form = SignIn
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        wanted = self.get_redirect_url()
        return super().get_context_data(
            waiting=name_of_page(wanted), provider=settings.OIDC_NAME, **signup_policy.ways_to_sign_up(wanted), **kwargs
        )

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        self._tries = sign_in.begin_try(request)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        assert isinstance(user, User)
        self._tries.was_right()
        return sign_in.go_on(self.request, user, self.get_success_url())

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        if form.has_error(NON_FIELD_ERRORS, "invalid_login"):
            sign_in.failed(form.cleaned_data["username"], locks=self._tries.is_last)
        else:  # a field is empty, or the password is correct but the account is suspended
            self._tries.give_back()
        return super().form_invalid(form)


class SignOutView(LogoutView):
    """Django's sign-out view, with an entry in the audit log."""

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.user.is_authenticated:
            sign_in.signed_out(person(request))
        return super().post(request, *args, **kwargs)

"""Views to change a password and to replace a forgotten one."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordResetConfirmView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.forms import ChangePassword, ForgottenPassword, NewPassword
from accounts.mail import goes_out
from accounts.models import User
from accounts.person import person
from accounts.services import passwords, sign_in
from accounts.throttles import Confirmations, Forgotten, PasswordLinks
from common.throttles import refused


@never_cache
@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest) -> HttpResponse:
    """Change the password. All other browsers have to sign in again."""
    tries, user = Confirmations(request), person(request)
    if not user.has_usable_password():
        return _set_first(request, user)
    # The form gets a copy, because an invalid form must not modify the signed-in user.
    form = ChangePassword(User.objects.get(pk=user.pk), request.POST if request.method == "POST" else None)
    if request.method == "POST":
        tries.take()
        is_valid = form.is_valid()
        if "old_password" not in form.errors:
            tries.was_right()
        if is_valid:
            with transaction.atomic():
                passwords.has_changed(changed := form.save())
            update_session_auth_hash(request, changed)
            messages.success(request, "Your password is changed. Everywhere else you have to sign in again.")
            return redirect("account")
    page = {"form": form, "user_tokens": user.api_tokens.count()}
    return render(request, "accounts/password.html", page, status=400 if form.errors else 200)


def _set_first(request: HttpRequest, user: User) -> HttpResponse:
    """Set the first password of a person who signs in with the provider.

    There is no old password to ask for, so the provider must have confirmed their identity just before.
    """
    shown = sign_in.shown_lately(request, user)
    form = NewPassword(User.objects.get(pk=user.pk), request.POST if request.method == "POST" and shown else None)
    if form.is_valid():
        with transaction.atomic():
            passwords.has_changed(changed := form.save())
        update_session_auth_hash(request, changed)
        messages.success(request, "Your password is set.")
        return redirect("account")
    page = {"form": form, "shown": shown, "provider": settings.OIDC_NAME}
    return render(request, "accounts/first_password.html", page, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for a password link by e-mail. The response is the same whether or not the account exists."""
    form = ForgottenPassword(request.POST or None)
    context = {"form": form, "mail_goes_out": goes_out(), "sent": "sent" in request.GET, "hours": passwords.hours()}
    if request.method != "POST" or not context["mail_goes_out"]:
        return render(request, "accounts/forgotten_password.html", context)
    if not form.is_valid():
        return render(request, "accounts/forgotten_password.html", context, status=400)
    asked = Forgotten(request)
    if not asked.take():
        form.add_error(None, "Too many requests from your address. Try again later.")
        return refused(render(request, "accounts/forgotten_password.html", context), asked.wait())
    typed = form.cleaned_data["account"]
    if PasswordLinks(typed).take():
        passwords.send_links(typed)
    return redirect(reverse("password-forgotten") + "?sent")


@method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")
class SetPasswordView(PasswordResetConfirmView):
    """Lets a person who has a password link set a new password, once.

    Django removes the secret from the URL before it shows a page, so pages that are opened from here do not receive it.
    """

    template_name = "accounts/set_password.html"
    form_class = NewPassword
    token_generator = passwords.link_tokens

    def get_user(self, uidb64: str) -> User | None:
        user = super().get_user(uidb64)
        return user if isinstance(user, User) and user.is_active else None

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        return super().get_context_data(**kwargs, whose=self.user, hours=passwords.hours())

    def render_to_response(self, context: dict[str, object], **kwargs: object) -> HttpResponse:
        works = context["validlink"]
        return super().render_to_response(context, status=200 if works else 410)

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        with transaction.atomic():
            # Check the link again under the lock: if two requests submit the form at once, the second is too late.
            user = User.objects.select_for_update().get(pk=form.user.pk)
            if not self.token_generator.check_token(user, self.request.session.get("_password_reset_token")):
                self.validlink = False
                return self.render_to_response(self.get_context_data())
            form.user = user
            answer = super().form_valid(form)
            passwords.has_changed(user)
        messages.success(self.request, f"The password of {user.get_username()} is set. Sign in with it.")
        return answer

    def get_success_url(self) -> str:
        return reverse(settings.LOGIN_URL)

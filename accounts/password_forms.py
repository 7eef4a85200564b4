"""Forms that ask for a password, or set one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm

from accounts.models import User
from common.form_look import StyledForm

WRONG = "This is not your password."


class Confirmed(StyledForm):
    """A form that takes effect only with the password of who is signed in: an open browser is not enough."""

    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        self.user = user
        super().__init__(*args, **kwargs)

    def clean_password(self) -> str:
        typed: str = self.cleaned_data["password"]
        if not self.user.has_usable_password():
            raise forms.ValidationError("Your account has no password yet. Set one first: on your account page.")
        if not self.user.check_password(typed):
            raise forms.ValidationError(WRONG)
        return typed


class ChangePassword(StyledForm, PasswordChangeForm):
    """The old password and the new one, twice."""

    error_messages = {**PasswordChangeForm.error_messages, "password_incorrect": WRONG}


class NewPassword(StyledForm, SetPasswordForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """A new password, twice, for who came by a link."""


class ForgottenPassword(StyledForm):
    """Who forgot theirs."""

    account = forms.CharField(
        label="User name or e-mail address",
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

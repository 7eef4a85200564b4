"""Forms about accounts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm, UserCreationForm

from accounts.limits import MOST_TOKEN_DAYS, TOKEN_DAYS, TOKEN_NAME_CHARS
from accounts.models import User
from accounts.names import check_new, find_user
from accounts.notices import NOTICES
from accounts.scopes import Scope
from common.forms import StyledForm

# --- Passwords --------------------------------------------------------------------------------------------------------

WRONG_PASSWORD = "This is not your password."  # noqa: S105  # a sentence


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
            raise forms.ValidationError(WRONG_PASSWORD)
        return typed


class ChangePassword(StyledForm, PasswordChangeForm):
    """The old password and the new one, twice."""

    error_messages = {**PasswordChangeForm.error_messages, "password_incorrect": WRONG_PASSWORD}


class NewPassword(StyledForm, SetPasswordForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """A new password, twice, for who came by a link."""


class ForgottenPassword(StyledForm):
    """Who forgot theirs."""

    account = forms.CharField(
        label="User name or e-mail address",
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )


# --- Accounts ---------------------------------------------------------------------------------------------------------


def suspended(user: User) -> str:
    """What somebody is told whom the administration keeps out."""
    return f"This account is suspended. The reason given: {user.suspended_for}"


class SignIn(StyledForm, AuthenticationForm):
    """Name and password."""

    error_messages = {  # as Django has it
        **AuthenticationForm.error_messages,
        "invalid_login": "No account has this name and this password. In the password, upper and lower case differ.",
    }

    def clean_username(self) -> str:
        """The name as the account has it, so that wrong passwords are counted for one name, not for each way to write
        it."""
        name: str = self.cleaned_data["username"]
        user = find_user(name)
        return user.get_username() if user else name

    def get_invalid_login_error(self) -> forms.ValidationError:
        """Whoever has the right password of a suspended account is told so; nobody else is."""
        user = find_user(self.cleaned_data["username"])
        if user is not None and user.suspended_at and user.check_password(self.cleaned_data["password"]):
            return forms.ValidationError(suspended(user), code="suspended")
        return super().get_invalid_login_error()


class _Named(StyledForm):
    """A form with the name of a new account."""

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        check_new(name)
        return name


class NewName(_Named, forms.ModelForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """The name of a new account whose owner signs in by a provider."""

    class Meta:
        model = User
        fields = ("username",)


class SignUp(_Named, UserCreationForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """A new account: a name and a password, and an e-mail address for who wants to be reached."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username", "email")
        help_texts = {
            "email": "For a link when you forget your password, once you have confirmed it, and for notices. Nobody "
            "else sees it."
        }


class NewToken(StyledForm):
    """What the token is for, in the person's own words, what it may do, and how long."""

    name = forms.CharField(
        max_length=TOKEN_NAME_CHARS,
        label="What is it for?",
        widget=forms.TextInput(attrs={"placeholder": "e.g. nightly script"}),
    )
    scopes = forms.MultipleChoiceField(
        required=False,
        choices=Scope.choices,
        label="What may it do, beside reading what you may see?",
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.IntegerField(
        required=False,
        initial=TOKEN_DAYS,
        min_value=0,
        max_value=MOST_TOKEN_DAYS,
        label="Days it works",
        help_text="0: until you revoke it.",
    )

    def clean_days(self) -> int:
        days: int | None = self.cleaned_data["days"]
        return TOKEN_DAYS if days is None else days


class EmailAddress(Confirmed, forms.ModelForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """Where notices go; empty for nowhere. It takes the password: by a confirmed address one gets another."""

    class Meta:
        model = User
        fields = ("email",)
        labels = {"email": "E-mail address"}
        help_texts = {"email": "Nobody else sees it. Left empty, nothing is sent to you."}

    field_order = ("email", "password")

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **{"auto_id": "address_%s", "instance": user, **kwargs})


class Notices(StyledForm):
    """Which kinds of notices somebody wants."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "notice_%s", **kwargs})
        for notice in NOTICES:
            box = forms.CheckboxInput(attrs={"class": "form-check-input"})
            self.fields[notice.key] = forms.BooleanField(
                required=False, label=notice.title, help_text=notice.when, widget=box
            )


# --- Second factor ----------------------------------------------------------------------------------------------------

WRONG_CODE = "This code is wrong, was used already, or is too old. Type the one that your device shows now."


def _code(label: str) -> forms.CharField:
    look = {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
    return forms.CharField(max_length=40, label=label, widget=forms.TextInput(attrs=look))


class SignInCode(StyledForm):
    """After the right password."""

    code = _code("Code of your device, or a recovery code")


class TurnOn(Confirmed):
    """The password, and a code that shows that the device has the key."""

    code = _code("Code that your device shows")


class WithCode(Confirmed):
    """The password and a code: to turn it off, or for new recovery codes."""

    code = _code("Code of your device, or a recovery code")

"""Forms that ask for codes of the second factor."""

from __future__ import annotations

from django import forms

from accounts.password_forms import Confirmed
from common.form_look import StyledForm

WRONG = "This code is wrong, was used already, or is too old. Type the one that your device shows now."


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

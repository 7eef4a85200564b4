"""What is wrong with a form that has no page of its own: said above the page it stands on."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest


def tell_errors(request: HttpRequest, form: forms.Form) -> None:
    """Every error with the field's label."""
    for name, errors in form.errors.items():
        for error in errors:
            messages.error(request, f"{form[name].label}: {error}" if name in form.fields else str(error))

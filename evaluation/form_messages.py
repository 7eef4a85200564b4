"""Messages for the errors of a form that has no page of its own."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest


def add_form_errors(request: HttpRequest, form: forms.Form) -> None:
    """Add a message with the field's label for every error of the form."""
    for name, errors in form.errors.items():
        for error in errors:
            messages.error(request, f"{form[name].label}: {error}" if name in form.fields else str(error))

"""The base class of the site's forms, which gives them their look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

ChoiceGroup = tuple[str, Sequence[tuple[str, str]]]
"""Choices under a heading."""


class StyledForm(forms.Form):
    """A form whose fields have the site's look and mark their errors for screen readers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            kind = getattr(field.widget, "input_type", "")
            look = {"checkbox": "form-check-input", "select": "form-select", "radio": "form-check-input"}
            field.widget.attrs.setdefault("class", look.get(kind, "form-control"))

    def set_choices(self, name: str, choices: Sequence[tuple[str, str] | ChoiceGroup]) -> None:
        """Set the choices of a field."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def full_clean(self) -> None:
        super().full_clean()
        for name in self.errors:
            if name in self.fields:
                self.fields[name].widget.attrs["aria-invalid"] = "true"

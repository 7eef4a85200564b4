"""How every form of the site looks."""

from __future__ import annotations

from django import forms


class LookedAfter(forms.Form):
    """Gives every field the site's look and tells screen readers which fields are wrong."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they came
        for field in self.fields.values():
            kind = getattr(field.widget, "input_type", "")
            look = {"checkbox": "form-check-input", "select": "form-select", "radio": "form-check-input"}
            field.widget.attrs.setdefault("class", look.get(kind, "form-control"))

    def full_clean(self) -> None:
        super().full_clean()
        for name in self.errors:
            if name in self.fields:
                self.fields[name].widget.attrs["aria-invalid"] = "true"

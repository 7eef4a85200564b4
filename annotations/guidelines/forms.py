"""The form for writing guidelines."""

from __future__ import annotations

from django import forms

from annotations.limits import GUIDELINES_CHARS
from common.forms import StyledForm
from common.limits import LARGEST_VERSION


class WriteGuidelines(StyledForm):
    """A new version of a collection's guidelines, and the version that it is based on."""

    text = forms.CharField(
        required=False,
        max_length=GUIDELINES_CHARS,
        strip=False,
        label="Guidelines, in Markdown",
        widget=forms.Textarea(attrs={"rows": 22, "spellcheck": "true"}),
    )
    base = forms.IntegerField(min_value=0, max_value=LARGEST_VERSION, widget=forms.HiddenInput)

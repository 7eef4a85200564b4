"""The form that publishes a draft."""

from __future__ import annotations

from django import forms

from annotations.limits import NOTE_CHARS
from common.forms import LookedAfter
from common.limits import LARGEST_REVISION


class PublishDraft(LookedAfter):
    """A draft, at the revision its publisher looked at."""

    revision = forms.IntegerField(min_value=0, max_value=LARGEST_REVISION, widget=forms.HiddenInput())
    note = forms.CharField(
        required=False,
        initial="",
        max_length=NOTE_CHARS,
        label="What changed, and why",
        widget=forms.Textarea(attrs={"rows": 2}),
    )

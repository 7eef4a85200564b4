"""The form that publishes gold standards."""

from __future__ import annotations

from django import forms

from annotations.limits import NOTE_CHARS
from common.forms import StyledForm
from evaluation.uploads.forms import FilesField


class PublishGold(StyledForm):
    """Gold standards of some or all queries, as the next version."""

    files = FilesField(  # type: ignore[assignment]  # not BaseForm.files
        label="Files", allow_empty_file=True, help_text="qc4-gold/1 JSON, several of them, or a ZIP."
    )
    completion = forms.ChoiceField(
        label="Pages that are in no topic",
        initial="strict",
        choices=[
            ("strict", "Reject the files and name every such page (strict)"),
            ("complete", "Complete the hierarchy by a recorded rule (complete)"),
        ],
    )
    note = forms.CharField(
        required=False,
        initial="",
        max_length=NOTE_CHARS,
        label="What changed",
        widget=forms.Textarea(attrs={"rows": 2}),
    )

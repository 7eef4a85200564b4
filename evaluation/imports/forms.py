"""The form that imports a collection."""

from __future__ import annotations

from typing import Any

from django import forms

from annotations.collections.forms import CollectionMetadataForm, ParticipationForm
from annotations.limits import DESCRIPTION_CHARS, NAME_CHARS
from annotations.models import Collection
from evaluation.limits import (
    SEPARATOR_CHARS,
)
from evaluation.uploads.forms import FilesField


class ImportCollection(ParticipationForm, CollectionMetadataForm):
    """Files with queries, pages and topics, and the rules for reading them."""

    name = forms.CharField(max_length=NAME_CHARS, label="Name of the collection")
    files = FilesField(  # type: ignore[assignment]  # not BaseForm.files
        label="Files",
        allow_empty_file=True,
        help_text="One file, several, or a ZIP: qc4-gold/1 JSON, the files of an AMBIENT folder, Carrot2 XML or JSON, "
        "CSV or TSV page lists.",
    )
    completion = forms.ChoiceField(
        label="Pages that are in no topic",
        widget=forms.RadioSelect,
        initial="strict",
        choices=[
            ("strict", "Reject the import and name every such page (strict)"),
            ("complete", "Complete the hierarchy by a recorded rule (complete)"),
        ],
    )
    split_levels = forms.CharField(
        required=False,
        max_length=SEPARATOR_CHARS,
        strip=True,
        label="Split topic names into levels at",
        widget=forms.TextInput(attrs={"placeholder": "e.g. >", "size": 5}),
        help_text="For AMBIENT-like files with names such as “Arts > Animation > Anime”.",
    )
    html_entities = forms.ChoiceField(
        label="HTML entities, such as “&amp;” for “&”",
        initial="auto",
        choices=[
            ("auto", "Decode once in AMBIENT-like files; otherwise keep them and warn (auto)"),
            ("keep", "Keep them as they are (keep)"),
            ("once", "Decode once (once)"),
            ("twice", "Decode twice, for files that were escaped twice (twice)"),
        ],
        help_text="In names, titles, URLs and texts.",
    )
    description = forms.CharField(
        required=False,
        initial="",
        max_length=DESCRIPTION_CHARS,
        label="Description",
        help_text="What the queries are and where they come from. URLs become links.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    public = forms.BooleanField(required=False, label="Public: everyone can read it")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A form without this field, such as one sent by a program, uses the default.
        self.fields["html_entities"].required = not self.is_bound or "html_entities" in self.data

    def clean_html_entities(self) -> str:
        return self.cleaned_data["html_entities"] or "auto"

    @property
    def face_errors(self) -> bool:
        """True if an optional field has an error."""
        return bool(set(self.errors) & {"description", *Collection.FACE})

"""Forms that start a draft and publish one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotations.limits import NAME_CHARS, NOTE_CHARS
from annotations.models import Draft, GoldVersionEntry
from common.forms import StyledForm
from common.limits import LARGEST_REVISION
from evaluation.drafts.selectors import grouped
from evaluation.models import Submission

NOTHING, GOLD, FILE, DRAFT, CLUSTERS = "nothing", "gold", "document", "draft", "clustering"


class StartDraft(StyledForm):
    """The source, name and owner of a new draft."""

    source = forms.ChoiceField(label="Start from", widget=forms.RadioSelect, initial=NOTHING)
    version = forms.ChoiceField(label="Gold version", required=False)
    draft = forms.ChoiceField(label="Draft", required=False)
    submission = forms.ChoiceField(label="Algorithm", required=False)
    file = forms.FileField(label="File", required=False, help_text="A qc4-gold/1 file of this query's pages.")
    kind = forms.ChoiceField(
        label="Who can edit it",
        widget=forms.RadioSelect,
        initial=Draft.Kind.OWN,
        choices=[
            (Draft.Kind.OWN, "only you: others see it when it is submitted"),
            (Draft.Kind.SHARED, "everyone who curates, at the same time"),
        ],
    )
    name = forms.CharField(
        required=False, max_length=NAME_CHARS, help_text="If you leave it empty, your name or “shared” is used."
    )

    def __init__(
        self,
        *args: Any,
        entries: Sequence[GoldVersionEntry],
        drafts: Sequence[Draft],
        submissions: list[Submission],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._rows: dict[str, Mapping[str, GoldVersionEntry | Draft | Submission]] = {
            GOLD: {str(entry.version.number): entry for entry in entries},
            DRAFT: {str(draft.pk): draft for draft in drafts},
            CLUSTERS: {str(submission.pk): submission for submission in submissions},
        }
        self.set_choices("version", [(number, f"version {number}") for number in self._rows[GOLD]])
        self.set_choices("draft", [(str(draft.pk), f"{draft.name} · r{draft.revision}") for draft in drafts])
        self.set_choices("submission", [("", "Choose one…"), *grouped(submissions)])
        sources = [
            (NOTHING, "nothing", True),
            (GOLD, "a published gold standard", bool(entries)),
            (FILE, "a file", True),
            (DRAFT, "another draft", bool(drafts)),
            (CLUSTERS, "an algorithm's clusters, as suggestions", bool(submissions)),
        ]
        self.set_choices("source", [(key, label) for key, label, there in sources if there])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        field = {GOLD: "version", DRAFT: "draft", CLUSTERS: "submission", FILE: "file"}.get(cleaned.get("source", ""))
        if field and not cleaned.get(field) and field not in self.errors:
            self.add_error(field, "Choose one to start from.")
        return cleaned

    def source_row(self) -> GoldVersionEntry | Draft | Submission | UploadedFile[bytes] | None:
        """The chosen source; None for an empty draft."""
        source = self.cleaned_data["source"]
        field = {GOLD: "version", DRAFT: "draft", CLUSTERS: "submission"}.get(source)
        if field:
            return self._rows[source][self.cleaned_data[field]]
        file: UploadedFile[bytes] | None = self.cleaned_data["file"] if source == FILE else None
        return file


# --- The form that publishes a draft ---


class PublishDraft(StyledForm):
    """A draft, at the revision that its publisher read."""

    revision = forms.IntegerField(min_value=0, max_value=LARGEST_REVISION, widget=forms.HiddenInput())
    note = forms.CharField(
        required=False,
        initial="",
        max_length=NOTE_CHARS,
        label="What changed, and why",
        widget=forms.Textarea(attrs={"rows": 2}),
    )

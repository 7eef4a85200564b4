"""Forms of imports, submissions and baselines."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.core.files.uploadedfile import UploadedFile

from accounts.form_look import LookedAfter
from annotations.limits import NAME_CHARS, NOTE_CHARS
from evaluation.baselines.catalogue import BASELINES
from evaluation.limits import (
    ALGORITHM_CHARS,
    FILES_AT_ONCE,
    LARGEST_SEED,
    SEPARATOR_CHARS,
    SWEEP_CHARS,
    SWEEP_SUBMISSIONS,
    TEXT_COMPONENTS,
)
from evaluation.services import sweeps
from qc4.formats.catalogue import submission_formats
from qc4.vectors.text import COMPONENTS


class SeveralFiles(forms.ClearableFileInput):
    """A file field that takes more than one."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One file or several; cleans to a list."""

    widget = SeveralFiles

    def clean(self, data: object, initial: object = None) -> list[UploadedFile[bytes]]:
        files = list(data) if isinstance(data, list | tuple) else [data]
        if len(files) > FILES_AT_ONCE:
            raise forms.ValidationError(f"{len(files)} files; at most {FILES_AT_ONCE} at once. Put them into one ZIP.")
        # An empty file is a problem of its content: the checker names it with the others.
        return [super(FilesField, self).clean(file, initial) for file in files]


class ImportCollection(LookedAfter):
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
            ("strict", "Refuse the import and name every such page (strict)"),
            ("complete", "Complete the hierarchy by a recorded rule (complete)"),
        ],
    )
    split_levels = forms.CharField(
        required=False,
        max_length=SEPARATOR_CHARS,
        strip=True,
        label="Split topic names into levels at",
        widget=forms.TextInput(attrs={"placeholder": "e.g. >", "size": 5}),
        help_text="For AMBIENT-like files whose names read “Arts > Animation > Anime”.",
    )
    public = forms.BooleanField(required=False, label="Public: everybody may read it")


class PublishGold(LookedAfter):
    """Gold standards of some or all queries, as the next version."""

    files = FilesField(  # type: ignore[assignment]  # not BaseForm.files
        label="Files", allow_empty_file=True, help_text="qc4-gold/1 JSON, several of them, or a ZIP."
    )
    completion = forms.ChoiceField(
        label="Pages that are in no topic",
        initial="strict",
        choices=[
            ("strict", "refuse, and name every such page (strict)"),
            ("complete", "complete the hierarchy by the recorded rule (complete)"),
        ],
    )
    note = forms.CharField(
        required=False,
        initial="",
        max_length=NOTE_CHARS,
        label="What changed",
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class PublishDraft(LookedAfter):
    """A draft, at the revision its publisher looked at."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput())
    note = forms.CharField(
        required=False,
        initial="",
        max_length=NOTE_CHARS,
        label="What changed, and why",
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class Submit(LookedAfter):
    """An algorithm's clusterings in a file."""

    algorithm = forms.CharField(
        required=False,
        max_length=ALGORITHM_CHARS,
        label="Algorithm",
        help_text="The name it is listed under. Left empty, the name in the file is taken, if it has one.",
        widget=forms.TextInput(attrs={"list": "known-algorithms", "autocomplete": "off"}),
    )
    file = forms.FileField(
        label="File",
        allow_empty_file=True,
        help_text=f"One of: {submission_formats()} with several of them.",
    )
    published = forms.BooleanField(
        required=False,
        label="Publish: everybody who sees the collection sees it",
        help_text="You can publish it later, too.",
    )


class ChooseBaselines(forms.Form):
    """Which baselines, and the seed of those that draw."""

    only = forms.MultipleChoiceField(required=False)
    seed = forms.IntegerField(min_value=0, max_value=LARGEST_SEED, initial=0)

    def chosen(self) -> Sequence[str] | None:
        """The ticked ones, None for all."""
        return self.cleaned_data["only"] or None


class RunBaselines(ChooseBaselines):
    """Baselines on a collection."""

    only = forms.MultipleChoiceField(required=False, choices=[(key, one.title) for key, one in BASELINES.items()])


class NumbersField(forms.CharField):
    """Whole numbers separated by commas or spaces; cleans to a list."""

    def clean(self, value: object) -> list[int]:
        words = super().clean(value).replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) < 5 for word in words):
            raise forms.ValidationError("Whole numbers separated by commas, such as 2,3,5.")
        return [int(word) for word in words]


class RunSweep(forms.Form):
    """Which baselines with which settings; `evaluation.services.sweeps` says what of it can be done."""

    algorithms = forms.MultipleChoiceField(
        choices=[(baseline.key, baseline.title) for baseline in sweeps.SWEEPABLE], initial=sweeps.DEFAULT_ALGORITHMS
    )
    clusters = NumbersField(max_length=SWEEP_CHARS, initial=",".join(map(str, sweeps.DEFAULT_CLUSTERS)))
    initialisations = forms.IntegerField(
        min_value=1, max_value=SWEEP_SUBMISSIONS, initial=sweeps.DEFAULT_INITIALISATIONS
    )
    seed = forms.IntegerField(min_value=0, max_value=LARGEST_SEED, initial=0)


class UploadVectors(forms.Form):
    """A file of vectors."""

    file = forms.FileField(allow_empty_file=True)


class TextVectors(forms.Form):
    """How vectors are made from page text."""

    components = forms.IntegerField(min_value=1, max_value=TEXT_COMPONENTS, initial=COMPONENTS)
    seed = forms.IntegerField(min_value=0, max_value=LARGEST_SEED, initial=0)

"""Forms of imports, submissions and baselines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotations.forms import CollectionFace, WhoMaySubmit
from annotations.limits import DESCRIPTION_CHARS, LARGEST_ID, LARGEST_REVISION, LARGEST_VERSION, NAME_CHARS, NOTE_CHARS
from annotations.models import Collection
from common.form_look import StyledForm
from evaluation.baselines import BASELINES, Baseline, Order
from evaluation.baselines.task import Parameter
from evaluation.limits import (
    ALGORITHM_CHARS,
    DRAWS,
    FILES_AT_ONCE,
    LARGEST_SEED,
    MOST_DRAWS,
    NOISE_CHARS,
    REPEAT_CHARS,
    SEPARATOR_CHARS,
    SWEEP_CHARS,
    SWEEP_SUBMISSIONS,
    TEXT_COMPONENTS,
)
from evaluation.selectors.policy_words import CHOICE_WORDS, LABELS
from evaluation.services import sweeps
from qc4.formats.catalogue import submission_formats
from qc4.formats.label_reading import LABEL_SEPARATOR_CHARS
from qc4.measures.registry import REGISTRY
from qc4.noise import USUAL, noise_option
from qc4.problems import InputError
from qc4.vectors.text import COMPONENTS
from qc4.views.policies import CHOICES, MEANINGS, Policies


def policy(name: str) -> forms.ChoiceField:
    """A policy as a field: its choices in words."""
    return forms.ChoiceField(
        required=False,
        label=LABELS[name],
        initial=CHOICES[name][0],
        choices=[(choice, CHOICE_WORDS[name][choice]) for choice in CHOICES[name]],
        help_text=f"Policy: {MEANINGS[name]}.",
    )


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
        # A form sent without a file gives an empty list, whose one missing file is refused like that of any field.
        return [super(FilesField, self).clean(file, initial) for file in files or [None]]


class ImportCollection(WhoMaySubmit, CollectionFace):
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
        help_text="What the queries are and where they are from. Addresses become links.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    public = forms.BooleanField(required=False, label="Public: everybody may read it")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A form without the field, such as one sent by a program, gets the default.
        self.fields["html_entities"].required = not self.is_bound or "html_entities" in self.data

    def clean_html_entities(self) -> str:
        return self.cleaned_data["html_entities"] or "auto"

    @property
    def face_errors(self) -> bool:
        """Whether something optional is wrong."""
        return bool(set(self.errors) & {"description", *Collection.FACE})


class PublishGold(StyledForm):
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


class PublishDraft(StyledForm):
    """A draft, at the revision its publisher looked at."""

    revision = forms.IntegerField(min_value=0, max_value=LARGEST_REVISION, widget=forms.HiddenInput())
    note = forms.CharField(
        required=False,
        initial="",
        max_length=NOTE_CHARS,
        label="What changed, and why",
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class Submit(StyledForm):
    """An algorithm's answer in a file, to queries or to a stream."""

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


class ChoosePolicies(forms.Form):
    """One choice per policy; what is left out keeps its default."""

    overlap = policy("overlap")
    outliers = policy("outliers")
    unclustered = policy("unclustered")
    recall = policy("recall")
    unit = policy("unit")

    @property
    def chosen_policies(self) -> Policies:
        """Those chosen so far, to be shown again; the default ones before and where something is wrong."""
        return self.policies() if self.is_bound and self.is_valid() else Policies()

    def policies(self) -> Policies:
        """Those of a valid form."""
        return Policies.parse({name: self.cleaned_data[name] for name in CHOICES if self.cleaned_data[name]})


class ReadNoise(StyledForm):
    """Which labels mean "in no cluster"."""

    noise = forms.CharField(
        required=False,
        initial="",
        max_length=NOISE_CHARS,
        label="Labels for “in no cluster”",
        help_text=f"Separated by commas, or a JSON list; [] if every label is a cluster. Left empty: {USUAL}.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_noise(self) -> list[Any] | None:
        try:
            return noise_option(self.cleaned_data["noise"])
        except InputError as error:
            raise forms.ValidationError([str(problem) for problem in error.problems]) from None


class ReadLabels(ReadNoise):
    """How labels of pages are read."""

    label_separator = forms.CharField(
        required=False,
        initial="",
        max_length=LABEL_SEPARATOR_CHARS,
        label="Separator of several labels",
        help_text="What stands between the labels of a page, such as #. Left empty, every label is one.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "size": 5}),
    )


class SubmitClusterings(Submit, ChoosePolicies, ReadLabels):
    """An algorithm's clusterings of queries, and policies they are to be scored under beside the default ones."""

    seed = forms.IntegerField(
        required=False,
        min_value=-LARGEST_ID - 1,
        max_value=LARGEST_ID,
        label="Seed",
        help_text="Of its random numbers, so that others can do the same again.",
    )

    repeat = forms.CharField(
        required=False,
        initial="",
        max_length=REPEAT_CHARS,
        label="Repeat",
        help_text="Only where this is one of several runs of the algorithm: a seed, a prompt, a number. Repeats count "
        "together as one row of the board, the latest of each. Left empty, it takes the place of what came before.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def parameter_field(parameter: Parameter) -> forms.Field:
    """A baseline's parameter as a field: empty is its default."""
    facts: dict[str, Any] = {
        "required": False, "label": parameter.key, "help_text": parameter.meaning, "initial": parameter.default,
    }  # fmt: skip
    if parameter.choices:
        return forms.ChoiceField(choices=[(choice, choice) for choice in parameter.choices], **facts)
    limits: dict[str, Any] = {"min_value": parameter.low, "max_value": parameter.high}
    if isinstance(parameter.default, float):
        return forms.FloatField(**facts, **limits, widget=forms.NumberInput(attrs={"step": "any"}))
    return forms.IntegerField(**facts, **limits)


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
    draws = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_DRAWS,
        initial=DRAWS,
        label="Random draws",
        widget=forms.NumberInput(attrs={"class": "form-control"}),
        help_text="Of the random baseline, by the seeds from the given one on; they count together.",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for baseline in BASELINES.values():
            for parameter in baseline.parameters:
                self.fields[f"{baseline.key}.{parameter.key}"] = parameter_field(parameter)

    def clean_draws(self) -> int:
        """The draws, where the last one's seed is not too large either."""
        draws: int = self.cleaned_data["draws"] or DRAWS
        if self.cleaned_data.get("seed", 0) + draws - 1 > LARGEST_SEED:
            raise forms.ValidationError(f"the last draw's seed at most {LARGEST_SEED:,}")
        return draws

    def chosen(self) -> Sequence[str] | None:
        """The ticked ones with their parameters, None for all."""
        ticked = [BASELINES[key] for key in self.cleaned_data["only"]]
        return [Order.of(baseline, self._given(baseline)).written for baseline in ticked] or None

    def rows(self) -> Iterator[tuple[Baseline, list[forms.BoundField]]]:
        """Every baseline with the fields of its parameters."""
        for baseline in BASELINES.values():
            yield baseline, [self[f"{baseline.key}.{parameter.key}"] for parameter in baseline.parameters]

    def _given(self, baseline: Baseline) -> dict[str, Any]:
        values = {one.key: self.cleaned_data[f"{baseline.key}.{one.key}"] for one in baseline.parameters}
        return {key: value for key, value in values.items() if value not in (None, "")}


class MeasuresField(forms.MultipleChoiceField):
    """Measures by key, or with parameters; cleans to their keys."""

    def valid_value(self, value: str) -> bool:
        return REGISTRY.knows(value)


class Score(ChoosePolicies):
    """What is scored how: policies, gold version, measures."""

    gold = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_VERSION,
        help_text="A gold version's number; by default the latest.",
    )
    measures = MeasuresField(required=False)


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

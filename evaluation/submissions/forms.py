"""Forms that submit the clusterings of an algorithm."""

from __future__ import annotations

from typing import Any

from django import forms

from common.forms import StyledForm
from common.limits import LARGEST_ID
from evaluation.limits import (
    ALGORITHM_CHARS,
    NOISE_CHARS,
    REPEAT_CHARS,
)
from evaluation.scoring.forms import ChoosePolicies
from qc4.io.catalogue import submission_formats
from qc4.io.label_reading import LABEL_SEPARATOR_CHARS
from qc4.model.noise import USUAL, noise_option
from qc4.problems import InputError


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

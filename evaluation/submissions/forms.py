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
    """A file of an algorithm's output for queries or for a stream."""

    algorithm = forms.CharField(
        required=False,
        max_length=ALGORITHM_CHARS,
        label="Algorithm",
        help_text="The name shown on the leaderboard. If you leave it empty, the name in the file is used.",
        widget=forms.TextInput(attrs={"list": "known-algorithms", "autocomplete": "off"}),
    )
    file = forms.FileField(
        label="File",
        allow_empty_file=True,
        help_text=f"One file ({submission_formats()}) or a ZIP with several of them.",
    )
    published = forms.BooleanField(
        required=False,
        label="Publish: everyone who can see the collection can see this submission",
        help_text="You can also publish it later.",
    )


class ReadNoise(StyledForm):
    """The labels that mean "in no cluster"."""

    noise = forms.CharField(
        required=False,
        initial="",
        max_length=NOISE_CHARS,
        label="Labels for “in no cluster”",
        help_text=f"Separated by commas, or a JSON list; [] if every label is a cluster. By default: {USUAL}.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_noise(self) -> list[Any] | None:
        try:
            return noise_option(self.cleaned_data["noise"])
        except InputError as error:
            raise forms.ValidationError([str(problem) for problem in error.problems]) from None


class ReadLabels(ReadNoise):
    """How page labels are read."""

    label_separator = forms.CharField(
        required=False,
        initial="",
        max_length=LABEL_SEPARATOR_CHARS,
        label="Separator of several labels",
        help_text="The text between several labels of one page, such as #. By default each page has one label.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "size": 5}),
    )


class SubmitClusterings(Submit, ChoosePolicies, ReadLabels):
    """A submission of clusterings, and scoring options to use in addition to the default ones."""

    seed = forms.IntegerField(
        required=False,
        min_value=-LARGEST_ID - 1,
        max_value=LARGEST_ID,
        label="Seed",
        help_text="The seed of its random numbers, so that others can repeat the run.",
    )

    repeat = forms.CharField(
        required=False,
        initial="",
        max_length=REPEAT_CHARS,
        label="Repeat",
        help_text="Only if this is one of several runs of the algorithm: a seed, a prompt, a number. The latest run of "
        "each repeat counts, and repeats form one row of the leaderboard. By default it replaces earlier ones.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

"""The form that runs a parameter sweep."""

from __future__ import annotations

from django import forms

from evaluation.limits import (
    LARGEST_SEED,
    SWEEP_CHARS,
    SWEEP_SUBMISSIONS,
)
from evaluation.selection import services as sweeps


class NumbersField(forms.CharField):
    """Whole numbers separated by commas or spaces; cleans to a list."""

    def clean(self, value: object) -> list[int]:
        words = super().clean(value).replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) < 5 for word in words):
            raise forms.ValidationError("Enter whole numbers separated by commas, such as 2,3,5.")
        return [int(word) for word in words]


class RunSweep(forms.Form):
    """Baselines and settings of a sweep; `evaluation.selection.services` checks whether they can be run."""

    algorithms = forms.MultipleChoiceField(
        choices=[(baseline.key, baseline.title) for baseline in sweeps.SWEEPABLE], initial=sweeps.DEFAULT_ALGORITHMS
    )
    clusters = NumbersField(max_length=SWEEP_CHARS, initial=",".join(map(str, sweeps.DEFAULT_CLUSTERS)))
    initialisations = forms.IntegerField(
        min_value=1, max_value=SWEEP_SUBMISSIONS, initial=sweeps.DEFAULT_INITIALISATIONS
    )
    seed = forms.IntegerField(min_value=0, max_value=LARGEST_SEED, initial=0)

"""Forms that import the vectors of pages, or make them from page text."""

from __future__ import annotations

from django import forms

from evaluation.limits import (
    LARGEST_SEED,
    TEXT_COMPONENTS,
)
from qc4.model.vectors import COMPONENTS


class UploadVectors(forms.Form):
    """The form that uploads a file of vectors."""

    file = forms.FileField(allow_empty_file=True)


class TextVectors(forms.Form):
    """The form that makes vectors from page text."""

    components = forms.IntegerField(min_value=1, max_value=TEXT_COMPONENTS, initial=COMPONENTS)
    seed = forms.IntegerField(min_value=0, max_value=LARGEST_SEED, initial=0)

"""What a program may choose is what a person may choose: options with the limits and choices of the page's form."""

from __future__ import annotations

import pytest
from django import forms
from rest_framework import serializers

from annotations.people.api import AnswerOptions, AskOptions, InvitationOptions
from common.api.options import Options, option
from evaluation.baseline_runs.api import BaselineOptions
from evaluation.collections.api import ImportOptions
from evaluation.drafts.api import PublishDraftOptions
from evaluation.gold.api import GoldOptions
from evaluation.selection.api import SweepOptions
from evaluation.vectors.api import TextOptions

OPTIONS = [
    AnswerOptions,
    AskOptions,
    BaselineOptions,
    GoldOptions,
    ImportOptions,
    InvitationOptions,
    PublishDraftOptions,
    SweepOptions,
    TextOptions,
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.__name__)
def test_every_field_of_a_form_is_an_option(options: type[Options]) -> None:
    assert options.FORM is not None
    asked = {name for name, field in options.FORM.base_fields.items() if not isinstance(field, forms.FileField)}
    assert asked <= set(options().fields)
    assert not [name for name, field in options().fields.items() if isinstance(field, serializers.FileField)]


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        (forms.IntegerField(min_value=2, max_value=3), 3, 4),
        (forms.IntegerField(min_value=2, max_value=3), 2, 1),
        (forms.FloatField(min_value=0), 0.25, -0.5),
        (forms.CharField(max_length=3), "abc", "abcd"),
        (forms.CharField(max_length=3), "abc", ""),
        (forms.CharField(max_length=3, initial=""), "", "abcd"),
        (forms.ChoiceField(choices=[("a", "one of them")]), "a", "one of them"),
        (forms.MultipleChoiceField(choices=[("a", "A"), ("b", "B")]), ["b", "a"], ["c"]),
        (forms.BooleanField(required=False), True, "perhaps"),
    ],
)
def test_an_option_takes_what_the_field_takes(field: forms.Field, good: object, bad: object) -> None:
    assert option(field).run_validation(good) == good
    with pytest.raises(serializers.ValidationError):
        option(field).run_validation(bad)


@pytest.mark.parametrize(
    ("field", "required", "default"),
    [
        (forms.IntegerField(), True, None),
        (forms.IntegerField(required=False), False, None),
        (forms.IntegerField(initial=0), False, 0),
        (forms.BooleanField(required=False), False, False),
    ],
)
def test_what_a_form_shows_at_first_is_the_default(field: forms.Field, required: bool, default: object) -> None:
    found = option(field)
    assert found.required is required
    assert default is None or found.get_default() == default


def test_another_kind_of_field_is_refused() -> None:
    with pytest.raises(TypeError, match="no option stands for DateField"):
        option(forms.DateField())

"""Forms that run the built-in baselines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms

from evaluation.baselines import BASELINES, Baseline, BaselineSpec
from evaluation.baselines.task import Parameter
from evaluation.limits import DRAWS, LARGEST_SEED, MAX_DRAWS


def parameter_field(parameter: Parameter) -> forms.Field:
    """The form field of a baseline's parameter; if it is empty, the default is used."""
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
    """The baselines to run, and the seed of those that use random numbers."""

    only = forms.MultipleChoiceField(required=False)
    seed = forms.IntegerField(min_value=0, max_value=LARGEST_SEED, initial=0)

    def chosen(self) -> Sequence[str] | None:
        """Keys of the selected baselines; None for all."""
        return self.cleaned_data["only"] or None


class RunBaselines(ChooseBaselines):
    """The form that runs baselines on a collection."""

    only = forms.MultipleChoiceField(required=False, choices=[(key, one.title) for key, one in BASELINES.items()])
    draws = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_DRAWS,
        initial=DRAWS,
        label="Random draws",
        widget=forms.NumberInput(attrs={"class": "form-control"}),
        help_text="Number of draws of the random baseline, with consecutive seeds; the draws count together.",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for baseline in BASELINES.values():
            for parameter in baseline.parameters:
                self.fields[f"{baseline.key}.{parameter.key}"] = parameter_field(parameter)

    def clean_draws(self) -> int:
        """Validate the number of draws; the last draw's seed must not be too large either."""
        draws: int = self.cleaned_data["draws"] or DRAWS
        if self.cleaned_data.get("seed", 0) + draws - 1 > LARGEST_SEED:
            raise forms.ValidationError(f"The last draw's seed must be at most {LARGEST_SEED:,}.")
        return draws

    def chosen(self) -> Sequence[str] | None:
        """The selected baselines with their parameters; None for all."""
        ticked = [BASELINES[key] for key in self.cleaned_data["only"]]
        return [BaselineSpec.of(baseline, self._given(baseline)).written for baseline in ticked] or None

    def rows(self) -> Iterator[tuple[Baseline, list[forms.BoundField]]]:
        """Every baseline with the fields of its parameters."""
        for baseline in BASELINES.values():
            yield baseline, [self[f"{baseline.key}.{parameter.key}"] for parameter in baseline.parameters]

    def _given(self, baseline: Baseline) -> dict[str, Any]:
        values = {one.key: self.cleaned_data[f"{baseline.key}.{one.key}"] for one in baseline.parameters}
        return {key: value for key, value in values.items() if value not in (None, "")}

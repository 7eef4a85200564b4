"""Forms that choose scoring options, measures and the gold version."""

from __future__ import annotations

from django import forms

from common.limits import LARGEST_VERSION
from evaluation.scoring.policies import CHOICE_WORDS, LABELS
from qc4.measures.registry import REGISTRY
from qc4.model.policies import CHOICES, MEANINGS, Policies


def policy(name: str) -> forms.ChoiceField:
    """Return a form field for a scoring option, with its choices in words."""
    return forms.ChoiceField(
        required=False,
        label=LABELS[name],
        initial=CHOICES[name][0],
        choices=[(choice, CHOICE_WORDS[name][choice]) for choice in CHOICES[name]],
        help_text=f"Policy: {MEANINGS[name]}.",
    )


class ChoosePolicies(forms.Form):
    """One choice per scoring option; omitted ones have their default."""

    overlap = policy("overlap")
    outliers = policy("outliers")
    unclustered = policy("unclustered")
    recall = policy("recall")
    unit = policy("unit")

    @property
    def chosen_policies(self) -> Policies:
        """The options chosen so far, to be shown again; the defaults if the form is unbound or invalid."""
        return self.policies() if self.is_bound and self.is_valid() else Policies()

    def policies(self) -> Policies:
        """Return the scoring options of a valid form."""
        return Policies.parse({name: self.cleaned_data[name] for name in CHOICES if self.cleaned_data[name]})


class MeasuresField(forms.MultipleChoiceField):
    """Measures by key, or with parameters; cleans to their keys."""

    def valid_value(self, value: str) -> bool:
        return REGISTRY.knows(value)


class Score(ChoosePolicies):
    """Scoring options, gold version and measures with which to score."""

    gold = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_VERSION,
        help_text="A gold version's number; by default the latest.",
    )
    measures = MeasuresField(required=False)

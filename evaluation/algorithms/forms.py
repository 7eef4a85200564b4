"""Forms of algorithms: description, effective submission, and merging."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from annotations.limits import BIBTEX_CHARS, DESCRIPTION_CHARS, LINE_CHARS, URL_CHARS
from common.forms import StyledForm
from common.limits import LARGEST_ID
from common.parameters import parse_number
from evaluation.algorithms.services import description_problems
from evaluation.limits import ALGORITHM_CHARS, AUTHORS_CHARS
from evaluation.models import Algorithm
from qc4.measures.registry import REGISTRY

RULE_WORDS = {
    Algorithm.Counts.LATEST: "the latest",
    Algorithm.Counts.BEST: "the best by a measure",
    Algorithm.Counts.PINNED: "a submission of your choice (pinned)",
}


def _line(label: str, most: int, help_text: str = "", **attributes: str) -> forms.CharField:
    widget = forms.TextInput(attrs={"autocomplete": "off", **attributes})
    return forms.CharField(required=False, initial="", max_length=most, label=label, help_text=help_text, widget=widget)


def _text(label: str, most: int, rows: int, help_text: str = "", **attributes: str) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows, **attributes})
    return forms.CharField(required=False, initial="", max_length=most, label=label, help_text=help_text, widget=widget)


def _number(label: str, help_text: str) -> forms.FloatField:
    widget = forms.NumberInput(attrs={"step": "any"})
    return forms.FloatField(required=False, min_value=0, label=label, help_text=help_text, widget=widget)


class DescribeAlgorithm(StyledForm):
    """The description of an algorithm, with the fields of ``Algorithm.ABOUT``; all are optional."""

    description = _text(
        "Description", DESCRIPTION_CHARS, 3, "What the algorithm does, in a few sentences. URLs become links."
    )
    authors = _line("Authors", AUTHORS_CHARS, "As in a paper.")
    code_url = _line("Code", URL_CHARS, "URL of the code, starting with https://.", inputmode="url")
    paper_url = _line("Paper", URL_CHARS, "URL of the paper, starting with https://.", inputmode="url")
    bibtex = _text("BibTeX", BIBTEX_CHARS, 4, "How to cite the algorithm.", spellcheck="false")
    model = _line("Model", LINE_CHARS, "Name and version of the language model or embedding.")
    model_size = _line("Model size", LINE_CHARS, "Number of parameters or size, such as 110 M.")
    hardware = _line("Hardware", LINE_CHARS, "The hardware on which it ran.")
    seconds_per_query = _number("Seconds per query", "The mean on this hardware.")
    cost_per_1000 = _number("US dollars per 1,000 queries", "Fees of the services that it uses.")

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        for problem in description_problems({name: found.get(name) for name in Algorithm.ABOUT}):
            if problem.where not in self.errors:
                self.add_error(problem.where, f"Found {problem.found}; expected {problem.expected}.")
        return found

    @property
    def said(self) -> dict[str, Any]:
        """The values of a valid form, including empty fields."""
        return {name: self.cleaned_data[name] for name in Algorithm.ABOUT}

    @property
    def about_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in Algorithm.ABOUT]


class EditAlgorithm(DescribeAlgorithm):
    """An algorithm's name and description."""

    name = forms.CharField(
        max_length=ALGORITHM_CHARS,
        label="Name",
        help_text="The old name keeps working: submissions under it go to this algorithm.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class EffectiveSubmissionForm(StyledForm):
    """The rule for an algorithm's effective submission."""

    counts = forms.ChoiceField(choices=list(RULE_WORDS.items()), label="On leaderboards, use")
    counts_by = forms.ChoiceField(required=False, label="Best by")
    pinned = forms.IntegerField(required=False, min_value=1, max_value=LARGEST_ID, label="Pinned submission")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        grouped = [
            (family.title, [(one.key, one.title) for one in REGISTRY.all() if one.family == family.key])
            for family in REGISTRY.families()
        ]
        self.set_choices("counts_by", [("", "–"), *grouped])

    @staticmethod
    def back_to(given: Mapping[str, str]) -> int:
        """Return the submission whose page has the form; 0 for none."""
        return parse_number(given.get("back_to", "")) or 0


class MergeAlgorithm(StyledForm):
    """The algorithm into which another one is merged."""

    into = forms.TypedChoiceField(coerce=int, label="Merge it into")
    sure = forms.BooleanField(label="I have read this. It cannot be undone.")

    def __init__(self, *args: Any, others: list[tuple[int, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.set_choices("into", [("", "–"), *((str(pk), name) for pk, name in others)])

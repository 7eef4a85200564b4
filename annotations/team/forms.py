"""Forms of the overview of curation: which queries it lists, and who gets them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from django import forms

from annotations.limits import CURATORS_PER_QUERY, LINE_CHARS, SEARCH_CHARS
from annotations.team.selectors.filters import SORT_WORDS, Choice, Show, Sort
from common.forms import StyledForm


class FindQueries(StyledForm):
    """Which queries the overview lists; what is left out is no condition."""

    q = forms.CharField(
        required=False,
        max_length=SEARCH_CHARS,
        label="Find",
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "query"}),
    )
    curator = forms.ChoiceField(required=False, label="Curator")
    sort = forms.ChoiceField(required=False, label="Sort by", choices=list(SORT_WORDS.items()))
    show = forms.ChoiceField(required=False, choices=[(show, show) for show in Show], widget=forms.HiddenInput)

    def __init__(self, *args: Any, people: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "find_%s", **kwargs})
        self.set_choices("curator", [("", "anybody"), *((name, name) for name in people)])

    @property
    def choice(self) -> Choice:
        """What was chosen; what makes no sense is no condition."""
        self.full_clean()
        found = self.cleaned_data
        return Choice(
            show=Show(found.get("show") or Show.ALL),
            q=found.get("q", ""),
            curator=found.get("curator", ""),
            sort=Sort(found.get("sort") or Sort.COLLECTION),
        )


class Which(StrEnum):
    """Which queries a form means."""

    TICKED = "ticked"
    SHOWN = "shown"


EACH = "each"
"""Every chosen query for every chosen curator."""
PER_QUERY = [
    (str(count), f"evenly, {count} each" + (", who work apart and are compared" if count > 1 else ""))
    for count in range(1, CURATORS_PER_QUERY + 1)
]


class AssignQueries(StyledForm):
    """Queries for curators: each to all of them, or evenly."""

    which = forms.ChoiceField(required=False, choices=[(each, each) for each in Which])
    query = forms.MultipleChoiceField(required=False, label="Queries")
    curator = forms.MultipleChoiceField(label="Curators", error_messages={"required": "Choose one curator or more."})
    how = forms.ChoiceField(
        required=False, choices=[(EACH, "each query to all of them"), *PER_QUERY], initial=EACH, label="How"
    )
    due = forms.DateField(required=False, label="Due", widget=forms.DateInput(attrs={"type": "date"}))
    note = forms.CharField(required=False, max_length=LINE_CHARS, label="Note")

    def __init__(self, *args: Any, queries: list[str], people: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.set_choices("query", [(key, key) for key in queries])
        self.set_choices("curator", [(name, name) for name in people])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        shown = cleaned.get("which") == Which.SHOWN
        if not shown and not cleaned.get("query") and "query" not in self.errors:
            self.add_error("query", "Tick one query or more, or choose all that are listed.")
        return cleaned

    @property
    def per_query(self) -> int | None:
        """How many curators each query gets, evenly; None where each goes to all."""
        how = self.cleaned_data["how"] or EACH
        return None if how == EACH else int(how)

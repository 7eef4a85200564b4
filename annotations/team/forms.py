"""Forms of the curation overview: filters and assignments."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from django import forms

from annotations.limits import CURATORS_PER_QUERY, LINE_CHARS, SEARCH_CHARS
from annotations.team.selectors.filters import SORT_WORDS, OverviewFilter, QueryOrder, QueryState
from common.forms import StyledForm


class FindQueries(StyledForm):
    """Filters of the curation overview, all optional."""

    q = forms.CharField(
        required=False,
        max_length=SEARCH_CHARS,
        label="Find",
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "query"}),
    )
    curator = forms.ChoiceField(required=False, label="Curator")
    sort = forms.ChoiceField(required=False, label="Sort by", choices=list(SORT_WORDS.items()))
    show = forms.ChoiceField(required=False, choices=[(show, show) for show in QueryState], widget=forms.HiddenInput)

    def __init__(self, *args: Any, people: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "find_%s", **kwargs})
        self.set_choices("curator", [("", "anybody"), *((name, name) for name in people)])

    @property
    def choice(self) -> OverviewFilter:
        """Return the chosen filters, without invalid ones."""
        self.full_clean()
        found = self.cleaned_data
        return OverviewFilter(
            show=QueryState(found.get("show") or QueryState.ALL),
            q=found.get("q", ""),
            curator=found.get("curator", ""),
            sort=QueryOrder(found.get("sort") or QueryOrder.COLLECTION),
        )


class QuerySelection(StrEnum):
    """The queries that a form applies to."""

    TICKED = "ticked"
    SHOWN = "shown"


EACH = "each"
"""Assign each chosen query to each chosen curator."""
PER_QUERY = [
    (str(count), f"evenly, {count} per query" + (", working independently to be compared" if count > 1 else ""))
    for count in range(1, CURATORS_PER_QUERY + 1)
]


class AssignQueries(StyledForm):
    """An assignment of queries to curators: each query to all of them, or evenly."""

    which = forms.ChoiceField(required=False, choices=[(each, each) for each in QuerySelection])
    query = forms.MultipleChoiceField(required=False, label="Queries")
    curator = forms.MultipleChoiceField(label="Curators", error_messages={"required": "Choose at least one curator."})
    how = forms.ChoiceField(
        required=False, choices=[(EACH, "each query to all chosen curators"), *PER_QUERY], initial=EACH, label="How"
    )
    due = forms.DateField(required=False, label="Due", widget=forms.DateInput(attrs={"type": "date"}))
    note = forms.CharField(required=False, max_length=LINE_CHARS, label="Note")

    def __init__(self, *args: Any, queries: list[str], people: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.set_choices("query", [(key, key) for key in queries])
        self.set_choices("curator", [(name, name) for name in people])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        shown = cleaned.get("which") == QuerySelection.SHOWN
        if not shown and not cleaned.get("query") and "query" not in self.errors:
            self.add_error("query", "Tick at least one query, or choose all listed queries.")
        return cleaned

    @property
    def per_query(self) -> int | None:
        """The number of curators per query for an even assignment; None to assign each query to all curators."""
        how = self.cleaned_data["how"] or EACH
        return None if how == EACH else int(how)

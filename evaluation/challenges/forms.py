"""The form that makes a collection a challenge."""

from __future__ import annotations

from typing import Any

from django import forms

from annotations.models import Challenge, Collection
from common.forms import StyledForm
from evaluation.limits import MAX_PER_PERSON
from qc4.scoring.scoring import FROM_FILES, computable_measures

HIDES_LABELS = {
    Challenge.Hides.ALL: "of all queries",
    Challenge.Hides.SOME: "of all queries except those selected below",
    Challenge.Hides.NOTHING: "of none",
}


class UtcTimeField(forms.DateTimeField):
    """A date and time in UTC, to the minute."""

    def __init__(self, **facts: Any) -> None:
        widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})
        super().__init__(required=False, widget=widget, **facts)


class ChallengeSettings(StyledForm):
    """What is hidden, when people can submit, and how often."""

    hides = forms.ChoiceField(
        label="Gold standards are hidden",
        choices=list(HIDES_LABELS.items()),
        initial=Challenge.Hides.SOME,
        help_text="Owners, adjudicators and curators always see them.",
    )
    shown = forms.MultipleChoiceField(
        required=False,
        label="Queries whose gold standard is shown",
        widget=forms.CheckboxSelectMultiple,
        help_text="The public part: leaderboards show scores on these. Queries that are added later are hidden.",
    )
    streams_shown = forms.BooleanField(
        required=False,
        label="Keep streams open",
        help_text="Their files contain the true classes. By default they are hidden while gold standards are.",
    )
    reveals = forms.BooleanField(
        required=False,
        label="Show all gold standards to everyone after the close",
        help_text="Otherwise they stay hidden.",
    )
    board_hidden = forms.BooleanField(
        required=False,
        label="Until the close, people see only their own submissions",
        help_text="Otherwise published submissions appear on the leaderboard at once.",
    )
    opens_at = UtcTimeField(label="Opens (UTC)", help_text="Empty: open immediately.")
    closes_at = UtcTimeField(
        label="Closes (UTC)", help_text="Later submissions are rejected. Required for final results."
    )
    per_day = forms.IntegerField(
        required=False, min_value=1, max_value=MAX_PER_PERSON, label="Submissions per person per day (UTC)"
    )
    in_all = forms.IntegerField(
        required=False, min_value=1, max_value=MAX_PER_PERSON, label="Submissions per person in all"
    )
    measure = forms.ChoiceField(
        label="Final results are ranked by",
        choices=[(measure.key, measure.title) for measure in computable_measures(FROM_FILES)],
        initial="qc4_f",
        help_text="Its mean over the hidden queries, or over all queries if none is hidden.",
    )

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._queries = list(collection.queries.order_by("position", "pk"))
        self.set_choices("shown", [(query.key, query.text or query.key) for query in self._queries])

    @classmethod
    def start(cls, challenge: Challenge | None) -> dict[str, Any]:
        """Return the initial values of the form."""
        if challenge is None:
            return {}
        facts = {name: getattr(challenge, name) for name in cls.base_fields if name != "shown"}
        return facts | {"shown": list(challenge.shown.values_list("key", flat=True))}

    def facts(self) -> dict[str, Any]:
        """Return the chosen settings as arguments of `evaluation.challenges.services.save`."""
        found = dict(self.cleaned_data)
        chosen = set(found.pop("shown")) if found["hides"] == Challenge.Hides.SOME else set()
        return {**found, "shown": [query for query in self._queries if query.key in chosen]}

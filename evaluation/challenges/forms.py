"""The form that makes a collection a challenge."""

from __future__ import annotations

from typing import Any

from django import forms

from annotations.models import Challenge, Collection
from common.forms import StyledForm
from evaluation.limits import MOST_PER_PERSON
from qc4.scoring.scoring import FROM_FILES, computable

HIDES_WORDS = {
    Challenge.Hides.ALL: "of all queries",
    Challenge.Hides.SOME: "of all queries but those ticked below",
    Challenge.Hides.NOTHING: "of none",
}


class Moment(forms.DateTimeField):
    """A moment of UTC, to the minute."""

    def __init__(self, **facts: Any) -> None:
        widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})
        super().__init__(required=False, widget=widget, **facts)


class ChallengeSettings(StyledForm):
    """What is hidden, how often people may submit, and when."""

    hides = forms.ChoiceField(
        label="Gold standards are hidden",
        choices=list(HIDES_WORDS.items()),
        initial=Challenge.Hides.SOME,
        help_text="From everybody but owners, adjudicators and curators.",
    )
    shown = forms.MultipleChoiceField(
        required=False,
        label="Queries whose gold standard is shown",
        widget=forms.CheckboxSelectMultiple,
        help_text="The public part: boards show scores on these. Queries that are added later are hidden.",
    )
    streams_shown = forms.BooleanField(
        required=False,
        label="Streams stay open",
        help_text="Their files hold the true classes. They are hidden while gold standards are, unless you tick this.",
    )
    reveals = forms.BooleanField(
        required=False,
        label="Everybody sees all gold standards once it has closed",
        help_text="Otherwise they stay hidden.",
    )
    board_hidden = forms.BooleanField(
        required=False,
        label="Until it has closed, everybody sees their own submissions alone",
        help_text="Otherwise published submissions stand on the board at once.",
    )
    opens_at = Moment(label="Opens (UTC)", help_text="Empty: it is open now.")
    closes_at = Moment(label="Closes (UTC)", help_text="Submissions made later are refused. Final results need it.")
    per_day = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_PER_PERSON, label="Submissions of a person a day (UTC)"
    )
    in_all = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_PER_PERSON, label="Submissions of a person in all"
    )
    measure = forms.ChoiceField(
        label="Final results are ranked by",
        choices=[(measure.key, measure.title) for measure in computable(FROM_FILES)],
        initial="qc4_f",
        help_text="Its mean over the hidden queries; over all of them where none is hidden.",
    )

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._queries = list(collection.queries.order_by("position", "pk"))
        self.set_choices("shown", [(query.key, query.text or query.key) for query in self._queries])

    @classmethod
    def start(cls, challenge: Challenge | None) -> dict[str, Any]:
        """What the form shows at first."""
        if challenge is None:
            return {}
        facts = {name: getattr(challenge, name) for name in cls.base_fields if name != "shown"}
        return facts | {"shown": list(challenge.shown.values_list("key", flat=True))}

    def facts(self) -> dict[str, Any]:
        """What was chosen, as `evaluation.challenges.services.save` takes it."""
        found = dict(self.cleaned_data)
        chosen = set(found.pop("shown")) if found["hides"] == Challenge.Hides.SOME else set()
        return {**found, "shown": [query for query in self._queries if query.key in chosen]}

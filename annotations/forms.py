"""Forms about people and a collection's settings."""

from __future__ import annotations

from typing import Any

from django import forms

from accounts.form_look import LookedAfter
from annotations.limits import (
    DESCRIPTION_CHARS,
    GUIDELINES_CHARS,
    INVITATION_DAYS,
    LINE_CHARS,
    MOST_INVITATION_DAYS,
    MOST_INVITATION_USES,
    NAME_CHARS,
    REQUEST_CHARS,
)
from annotations.models import Collection, Role

ROLE_WORDS = {
    Role.OWNER: "owner: everything, also people",
    Role.ADJUDICATOR: "adjudicator: compare, merge and publish gold standards",
    Role.CURATOR: "curator: edit gold standards",
    Role.SUBMITTER: "submitter: submit clusterings, see their own private ones",
    Role.READER: "reader: look",
}


PARTICIPATION_WORDS = {
    Collection.Participation.MEMBERS: "members: its owners and submitters",
    Collection.Participation.REQUEST: "on request: everybody signed in may ask, an owner accepts",
    Collection.Participation.ANYBODY: "anybody who is signed in",
}


class AskToSubmit(LookedAfter):
    """A request for the right to submit."""

    message = forms.CharField(
        required=False,
        initial="",
        max_length=REQUEST_CHARS,
        label="What the owners should know",
        help_text="Who you are, what you would like to submit. They see your user name, and answer on this site.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class AnswerRequest(LookedAfter):
    """An owner's answer to a request."""

    answer = forms.ChoiceField(choices=[("accept", "accept"), ("decline", "decline")])
    reason = forms.CharField(
        required=False,
        initial="",
        max_length=REQUEST_CHARS,
        label="Why",
        help_text="Who asked sees it.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class AddPerson(LookedAfter):
    """A role for somebody who has an account."""

    username = forms.CharField(max_length=150, label="User name", widget=forms.TextInput(attrs={"autocomplete": "off"}))
    role = forms.ChoiceField(choices=list(ROLE_WORDS.items()), initial=Role.SUBMITTER)


class Invite(LookedAfter):
    """A link that gives a role to whoever opens it."""

    role = forms.ChoiceField(choices=list(ROLE_WORDS.items()), initial=Role.CURATOR, label="Role it gives")
    note = forms.CharField(
        required=False,
        initial="",
        max_length=LINE_CHARS,
        label="For whom",
        help_text="A name or an e-mail address, to tell links apart. Nothing is sent to it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    most_uses = forms.IntegerField(min_value=1, max_value=MOST_INVITATION_USES, initial=1, label="How many people")
    days = forms.IntegerField(
        min_value=1, max_value=MOST_INVITATION_DAYS, initial=INVITATION_DAYS, label="Days it works"
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "invite_%s", **kwargs})


class ChooseCurators(LookedAfter):
    """Who gets queries, and until when."""

    curator = forms.MultipleChoiceField(label="Curators", error_messages={"required": "Choose one curator or more."})
    due = forms.CharField(required=False, max_length=LINE_CHARS, label="Due")

    def __init__(self, *args: Any, people: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("curator", [(name, name) for name in people])


class AssignQueries(ChooseCurators):
    """Chosen queries, each for all of the chosen curators."""

    query = forms.MultipleChoiceField(label="Queries", error_messages={"required": "Choose one query or more."})

    def __init__(self, *args: Any, queries: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("query", [(key, key) for key in queries])


class SpreadQueries(ChooseCurators):
    """All queries, evenly."""

    per_query = forms.TypedChoiceField(coerce=int, choices=[(1, "one"), (2, "two")], label="Curators per query")


class WriteGuidelines(LookedAfter):
    """A new version of a collection's guidelines, and the version it was made from."""

    text = forms.CharField(
        required=False,
        max_length=GUIDELINES_CHARS,
        strip=False,
        label="Guidelines, in Markdown",
        widget=forms.Textarea(attrs={"rows": 22, "spellcheck": "true"}),
    )
    base = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class Settings(LookedAfter):
    """What a collection is called and who may read it."""

    name = forms.CharField(max_length=NAME_CHARS)
    description = forms.CharField(
        required=False,
        max_length=DESCRIPTION_CHARS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What the queries are and where they are from.",
    )
    visibility = forms.ChoiceField(
        choices=[
            (Collection.Visibility.PRIVATE, "private: only its people"),
            (Collection.Visibility.PUBLIC, "public: everybody may read it"),
        ],
        label="Who may read it",
    )
    participation = forms.ChoiceField(
        choices=list(PARTICIPATION_WORDS.items()),
        label="Who may submit",
        help_text="A private collection stays with its people: nobody else submits or asks, whatever is chosen here. "
        "Baselines and sweeps are for owners and submitters in any case.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A page or program from before the setting leaves it as it is.
        self.fields["participation"].required = not self.is_bound or "participation" in self.data


class TypedName(LookedAfter):
    """Asks for a name to be typed before something is deleted for good."""

    typed = forms.CharField(
        label="Type the name of the collection to confirm", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._expected = expected

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if typed.strip() != self._expected.strip():
            raise forms.ValidationError("This is not its name; nothing was deleted.")
        return typed

"""Forms about the people of a collection."""

from __future__ import annotations

from typing import Any

from django import forms

from accounts.limits import USERNAME_CHARS
from annotations.limits import (
    INVITATION_DAYS,
    LINE_CHARS,
    MOST_INVITATION_DAYS,
    MOST_INVITATION_USES,
    REQUEST_CHARS,
)
from annotations.models import Role
from common.forms import StyledForm

ROLE_WORDS = {
    Role.OWNER: "owner: everything, including people",
    Role.ADJUDICATOR: "adjudicator: compare, merge and publish gold standards",
    Role.CURATOR: "curator: edit gold standards",
    Role.SUBMITTER: "submitter: submit clusterings, see their own private ones",
    Role.READER: "reader: view",
}


class SubmitRequestForm(StyledForm):
    """A request for the right to submit."""

    message = forms.CharField(
        required=False,
        initial="",
        max_length=REQUEST_CHARS,
        label="Message to the owners",
        help_text="Say who you are and what you want to submit. The owners see your user name and answer on this site.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class RequestAnswerForm(StyledForm):
    """An owner's answer to a request."""

    answer = forms.ChoiceField(choices=[("accept", "accept"), ("decline", "decline")])
    reason = forms.CharField(
        required=False,
        initial="",
        max_length=REQUEST_CHARS,
        label="Reason",
        help_text="The person who asked can see it.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class RoleOfferForm(StyledForm):
    """An offer of a role to a user. They get the role when they accept."""

    username = forms.CharField(
        max_length=USERNAME_CHARS, label="User name", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    role = forms.ChoiceField(choices=list(ROLE_WORDS.items()), initial=Role.SUBMITTER)


class InvitationForm(StyledForm):
    """An invitation link that gives a role to anyone who opens it."""

    role = forms.ChoiceField(choices=list(ROLE_WORDS.items()), initial=Role.CURATOR, label="Role it gives")
    note = forms.CharField(
        required=False,
        initial="",
        max_length=LINE_CHARS,
        label="For whom",
        help_text="A name or an e-mail address, to distinguish links. Nothing is sent to it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    most_uses = forms.IntegerField(min_value=1, max_value=MOST_INVITATION_USES, initial=1, label="Number of people")
    days = forms.IntegerField(
        min_value=1, max_value=MOST_INVITATION_DAYS, initial=INVITATION_DAYS, label="Valid for (days)"
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "invite_%s", **kwargs})

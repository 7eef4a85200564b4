"""Forms for finding collections and for their settings."""

from __future__ import annotations

from typing import Any

from django import forms

from annotations.collections.services import metadata_problems
from annotations.limits import (
    BIBTEX_CHARS,
    DESCRIPTION_CHARS,
    LANGUAGE_CHARS,
    LICENCE_CHARS,
    LINE_CHARS,
    NAME_CHARS,
    SEARCH_CHARS,
    URL_CHARS,
)
from annotations.models import Collection
from common.forms import StyledForm

PARTICIPATION_WORDS = {
    Collection.Participation.MEMBERS: "members: its owners and submitters",
    Collection.Participation.REQUEST: "on request: any signed-in user can ask, and an owner accepts",
    Collection.Participation.ANYBODY: "anybody who is signed in",
}


class CollectionMetadataForm(StyledForm):
    """The metadata of a collection. The fields are those in ``Collection.FACE``, and all are optional."""

    licence = forms.CharField(
        required=False,
        initial="",
        max_length=LICENCE_CHARS,
        label="Licence",
        help_text="The licence for using this collection: an SPDX name such as CC-BY-4.0, or a few words.",
        widget=forms.TextInput(attrs={"list": "known-licences", "autocomplete": "off"}),
    )
    licence_url = forms.CharField(
        required=False,
        initial="",
        max_length=URL_CHARS,
        label="Licence URL",
        help_text="A URL that starts with https://. You can leave it empty for an SPDX name.",
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )
    citation = forms.CharField(
        required=False,
        initial="",
        max_length=BIBTEX_CHARS,
        label="Citation, as BibTeX",
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )
    contact = forms.CharField(
        required=False,
        initial="",
        max_length=LINE_CHARS,
        label="Contact",
        help_text="An e-mail address, a URL or a name. Everyone who can see the collection can see it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    language = forms.CharField(
        required=False,
        initial="",
        max_length=LANGUAGE_CHARS,
        label="Language",
        help_text="The language of the queries, as a tag: en, tr, pt-BR.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "size": 8}),
    )

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        for problem in metadata_problems({name: found.get(name) or "" for name in Collection.FACE}):
            if problem.where not in self.errors:
                self.add_error(problem.where, f"Found {problem.found}; expected {problem.expected}.")
        return found

    @property
    def face(self) -> dict[str, str]:
        """The metadata of a valid form, including empty fields."""
        return {name: self.cleaned_data[name] for name in Collection.FACE}

    @property
    def face_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in Collection.FACE]


class ParticipationForm(StyledForm):
    """The participation setting: people who may submit besides owners and submitters."""

    participation = forms.ChoiceField(
        choices=list(PARTICIPATION_WORDS.items()),
        initial=Collection.Participation.MEMBERS,
        label="Who may submit",
        help_text="Only the people of a private collection can submit or ask, whatever you choose here. "
        "Only owners and submitters can start baselines and parameter sweeps.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Requests without this field, from older pages or programs, leave the setting unchanged.
        self.fields["participation"].required = not self.is_bound or "participation" in self.data


class CollectionFilterForm(StyledForm):
    """Filters of the list of collections, all optional."""

    q = forms.CharField(
        required=False,
        initial="",
        max_length=SEARCH_CHARS,
        label="Find",
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "name, description, query"}),
    )
    show = forms.ChoiceField(
        required=False,
        initial="",
        label="Show",
        choices=[("", "all"), ("mine", "mine"), ("public", "public")],
        help_text="`mine`: collections in which you have a role.",
    )
    language = forms.CharField(required=False, initial="", max_length=LANGUAGE_CHARS, label="Language")
    size = forms.ChoiceField(
        required=False,
        initial="",
        label="Queries",
        choices=[("", "any number"), ("small", "up to 20"), ("medium", "21 to 100"), ("large", "more than 100")],
    )


class CollectionSettingsForm(ParticipationForm, CollectionMetadataForm):
    """The settings of a collection: name, metadata, visibility, participation and timing."""

    name = forms.CharField(max_length=NAME_CHARS)
    description = forms.CharField(
        required=False,
        max_length=DESCRIPTION_CHARS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What the queries are and where they come from. URLs become links.",
    )
    visibility = forms.ChoiceField(
        choices=[
            (Collection.Visibility.PRIVATE, "private: only its people"),
            (Collection.Visibility.PUBLIC, "public: everyone"),
        ],
        label="Who may read it",
    )
    timing = forms.ChoiceField(
        choices=[
            (Collection.Timing.ON, "computed and shown to curators"),
            (Collection.Timing.OFF, "not computed"),
        ],
        label="Curation time",
        help_text="The time that people spend curating, computed from their steps without breaks. Owners and "
        "adjudicators can see everyone's time, and curators can see their own.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["timing"].required = not self.is_bound or "timing" in self.data


class ConfirmNameForm(StyledForm):
    """A confirmation that asks for a name before something is permanently deleted."""

    typed = forms.CharField(
        label="Type the name of the collection to confirm", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._expected = expected

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if typed.strip() != self._expected.strip():
            raise forms.ValidationError("This name does not match. Nothing was deleted.")
        return typed

"""Forms about people and a collection's settings."""

from __future__ import annotations

from typing import Any

from django import forms

from annotations.collections.services import face_problems
from annotations.limits import (
    ADDRESS_CHARS,
    BIBTEX_CHARS,
    DESCRIPTION_CHARS,
    LANGUAGE_CHARS,
    LICENCE_CHARS,
    LINE_CHARS,
    NAME_CHARS,
    SEARCH_CHARS,
)
from annotations.models import Collection
from common.forms import StyledForm

PARTICIPATION_WORDS = {
    Collection.Participation.MEMBERS: "members: its owners and submitters",
    Collection.Participation.REQUEST: "on request: everybody signed in may ask, an owner accepts",
    Collection.Participation.ANYBODY: "anybody who is signed in",
}


class CollectionFace(StyledForm):
    """What is said of a collection beside its name, its fields named as in ``Collection.FACE``; all may stay empty."""

    licence = forms.CharField(
        required=False,
        initial="",
        max_length=LICENCE_CHARS,
        label="Licence",
        help_text="Under which others may use it: an SPDX name such as CC-BY-4.0, or a few words.",
        widget=forms.TextInput(attrs={"list": "known-licences", "autocomplete": "off"}),
    )
    licence_url = forms.CharField(
        required=False,
        initial="",
        max_length=ADDRESS_CHARS,
        label="Where the licence is",
        help_text="An address that starts with https://; SPDX names have one by themselves.",
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
        help_text="An e-mail or web address, or a name. Everybody who sees the collection sees it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    language = forms.CharField(
        required=False,
        initial="",
        max_length=LANGUAGE_CHARS,
        label="Language",
        help_text="Of its queries, as a tag: en, tr, pt-BR.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "size": 8}),
    )

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        for problem in face_problems({name: found.get(name) or "" for name in Collection.FACE}):
            if problem.where not in self.errors:
                self.add_error(problem.where, f"Found {problem.found}; expected {problem.expected}.")
        return found

    @property
    def face(self) -> dict[str, str]:
        """What a valid form says, empty fields too."""
        return {name: self.cleaned_data[name] for name in Collection.FACE}

    @property
    def face_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in Collection.FACE]


class WhoMaySubmit(StyledForm):
    """Who may submit to a collection, beside its owners and submitters."""

    participation = forms.ChoiceField(
        choices=list(PARTICIPATION_WORDS.items()),
        initial=Collection.Participation.MEMBERS,
        label="Who may submit",
        help_text="A private collection stays with its people: nobody else submits or asks, whatever is chosen here. "
        "Baselines and sweeps are for owners and submitters in any case.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A page or program from before the setting leaves it as it is.
        self.fields["participation"].required = not self.is_bound or "participation" in self.data


class FindCollections(StyledForm):
    """Which collections are listed; what is left out is no condition."""

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
        help_text="`mine`: those in which you have a role.",
    )
    language = forms.CharField(required=False, initial="", max_length=LANGUAGE_CHARS, label="Language")
    size = forms.ChoiceField(
        required=False,
        initial="",
        label="Queries",
        choices=[("", "any number"), ("small", "up to 20"), ("medium", "21 to 100"), ("large", "more than 100")],
    )


class Settings(WhoMaySubmit, CollectionFace):
    """What a collection is called, what is said of it, and who may read it."""

    name = forms.CharField(max_length=NAME_CHARS)
    description = forms.CharField(
        required=False,
        max_length=DESCRIPTION_CHARS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What the queries are and where they are from. Addresses become links.",
    )
    visibility = forms.ChoiceField(
        choices=[
            (Collection.Visibility.PRIVATE, "private: only its people"),
            (Collection.Visibility.PUBLIC, "public: everybody may read it"),
        ],
        label="Who may read it",
    )
    timing = forms.ChoiceField(
        choices=[
            (Collection.Timing.ON, "worked out, and told to curators"),
            (Collection.Timing.OFF, "not worked out"),
        ],
        label="How long people curate",
        help_text="From the times of their steps; breaks are left out. Owners and adjudicators see everybody's time, "
        "curators their own.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["timing"].required = not self.is_bound or "timing" in self.data


class TypedName(StyledForm):
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

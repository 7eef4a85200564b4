"""What the API takes and gives about drafts."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotations.api.options import Options
from annotations.limits import (
    HISTORY_ROWS,
    KEY_CHARS,
    MOST_HISTORY_ROWS,
    NAME_CHARS,
    SUGGESTED_TOPICS,
    UNSEEN_SPANS,
)
from annotations.models import Draft

KINDS = [Draft.Kind.OWN.value, Draft.Kind.SHARED.value]


class Start(Options):
    """What a draft starts from; the other fields say which one."""

    locals()["from"] = serializers.ChoiceField(choices=["nothing", "gold", "draft", "document"])
    version = serializers.IntegerField(required=False, min_value=1, help_text="`gold`: the gold version's number.")
    draft = serializers.IntegerField(required=False, min_value=1, help_text="`draft`: another draft of the query.")
    document = serializers.JSONField(required=False, help_text="`document`: a `qc4-gold/1` object.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = {"gold": "version", "draft": "draft", "document": "document"}.get(attrs["from"])
        if needed is not None and needed not in attrs:
            raise serializers.ValidationError({needed: [f"needed to start from {attrs['from']!r}"]}, code="required")
        return attrs


class NewDraft(Options):
    """A draft to be started."""

    name = serializers.CharField(required=False, allow_blank=True, max_length=NAME_CHARS, default="")
    kind = serializers.ChoiceField(choices=KINDS, default=Draft.Kind.OWN.value)
    start = Start(required=False)


class ClusteringDraft(Options):
    """A draft to be started from an algorithm's clusters."""

    submission = serializers.IntegerField(min_value=1, help_text="Whose clustering of this query to take.")
    name = serializers.CharField(required=False, allow_blank=True, max_length=NAME_CHARS, default="")
    kind = serializers.ChoiceField(choices=KINDS, default=Draft.Kind.OWN.value)


class Rename(Options):
    """A draft's new name."""

    name = serializers.CharField(max_length=NAME_CHARS)


class Batch(Options):
    """A change to a draft: ``operations`` (one undo for all of them), or ``undo`` or ``redo`` of one revision."""

    id = serializers.UUIDField(help_text="Made by you; the same id again does nothing again.")
    base = serializers.IntegerField(min_value=0, help_text="The revision you have seen.")
    unseen = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(min_value=1), min_length=2, max_length=2),
        max_length=UNSEEN_SPANS,
        default=list,
        help_text="Entries up to `base` that were not known when this was done, as spans of revisions `[first, last]`.",
    )
    operations = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="See docs/users/api.md for the kinds."
    )
    undo = serializers.IntegerField(required=False, min_value=1, help_text="Your latest revision not undone yet.")
    redo = serializers.IntegerField(required=False, min_value=1, help_text="The revision `redo` of the last answer.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if any(not first <= last <= attrs["base"] for first, last in attrs["unseen"]):
            raise serializers.ValidationError({"unseen": ["spans [first, last] that end at `base` or before"]})
        return attrs


class Present(Options):
    """Which page one looks at."""

    page = serializers.CharField(allow_blank=True, allow_null=True, default="", max_length=KEY_CHARS)


class Suggest(Options):
    """How topics are to be suggested."""

    topics = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=2,
        max_value=SUGGESTED_TOPICS,
        help_text="How many; by default by size.",
    )


class Since(Options):
    """From where on."""

    since = serializers.IntegerField(min_value=0, default=0, help_text="The revision you have.")


class HistoryOptions(Options):
    """Which part of the log, the latest entries first."""

    before = serializers.IntegerField(required=False, min_value=1, help_text="Only entries before this revision.")
    limit = serializers.IntegerField(min_value=1, max_value=MOST_HISTORY_ROWS, default=HISTORY_ROWS)


class OnePage(Options):
    """Which page."""

    key = serializers.CharField(help_text="The page's id, percent-encoded.")


# --- Answers ----------------------------------------------------------------------------------------------------------


class StepShape(serializers.Serializer[Any]):
    """What one would undo or redo."""

    revision = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # the field's own label is not used


class PersonHere(serializers.Serializer[Any]):
    """Somebody who is here."""

    name = serializers.CharField()
    page = serializers.CharField(help_text="The page they look at; empty for none.")
    seconds = serializers.IntegerField(help_text="Since they were heard of.")


class HistoryRow(serializers.Serializer[Any]):
    """An entry of the log, without its changes."""

    revision = serializers.IntegerField()
    by = serializers.CharField()
    at = serializers.DateTimeField()
    label = serializers.CharField()  # type: ignore[assignment]  # as above
    undoes = serializers.IntegerField(allow_null=True)
    redoes = serializers.IntegerField(allow_null=True)


class Entry(HistoryRow):
    """An entry of the log."""

    id = serializers.UUIDField()
    operations = serializers.ListField(child=serializers.DictField(), allow_null=True)
    changes = serializers.ListField(child=serializers.DictField(), help_text="What replaying the log carries out.")


class Performed(serializers.Serializer[Any]):
    """The entries after the base, one's own last."""

    revision = serializers.IntegerField(help_text="Of one's own entry.")
    entries = Entry(many=True)
    undo = StepShape(allow_null=True)
    redo = StepShape(allow_null=True)


class Changed(serializers.Serializer[Any]):
    """What happened since, and who is here."""

    revision = serializers.IntegerField()
    status = serializers.ChoiceField(choices=Draft.Status.choices)
    archived = serializers.BooleanField()
    entries = Entry(many=True)
    people = PersonHere(many=True)
    undo = StepShape(allow_null=True)
    redo = StepShape(allow_null=True)


class DraftShape(serializers.Serializer[Any]):
    """A draft and what you may do with it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=Draft.Kind.choices)
    status = serializers.ChoiceField(choices=Draft.Status.choices)
    archived = serializers.BooleanField()
    revision = serializers.IntegerField()
    curator = serializers.CharField(allow_null=True)
    may_edit = serializers.BooleanField()
    may_submit = serializers.BooleanField(help_text="Or to open it again, where it is submitted.")
    may_publish = serializers.BooleanField()
    started_from = serializers.DictField()
    summary = serializers.DictField(help_text="Its progress: pages placed per level, outliers, issues.")
    created_at = serializers.DateTimeField()
    submitted_at = serializers.DateTimeField(allow_null=True)


class DraftRow(serializers.Serializer[Any]):
    """A draft in a list. Into a blind one nobody but its curator may see yet: it has no ``id``."""

    id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=Draft.Kind.choices)
    status = serializers.ChoiceField(choices=Draft.Status.choices)
    archived = serializers.BooleanField()
    curator = serializers.CharField(allow_null=True)
    blind = serializers.BooleanField()
    summary = serializers.DictField()
    created_at = serializers.DateTimeField()
    submitted_at = serializers.DateTimeField(allow_null=True)


class SimilarPage(serializers.Serializer[Any]):
    """A page whose text is like another's."""

    page = serializers.CharField()
    score = serializers.FloatField(help_text="Cosine of the TF-IDF vectors, above 0 to 1.")


class OnePageShape(serializers.Serializer[Any]):
    """What the workspace shows beside a page."""

    text = serializers.CharField(allow_blank=True)
    title = serializers.CharField(allow_blank=True)
    snippet = serializers.CharField(allow_blank=True)
    similar = SimilarPage(many=True)
    history = HistoryRow(many=True)


class Problems(serializers.Serializer[Any]):
    """What keeps the draft from being published (errors), and warnings."""

    revision = serializers.IntegerField()
    publishable = serializers.BooleanField()
    problems = serializers.ListField(child=serializers.DictField())

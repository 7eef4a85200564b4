"""Options of requests that start or rename a draft."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotations.api.options import Options
from annotations.limits import NAME_CHARS
from annotations.models import Draft
from common.limits import LARGEST_ID, LARGEST_VERSION

KINDS = [Draft.Kind.OWN.value, Draft.Kind.SHARED.value]


class Start(Options):
    """What a draft starts from; the other fields say which one."""

    locals()["from"] = serializers.ChoiceField(choices=["nothing", "gold", "draft", "document"])
    version = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_VERSION, help_text="`gold`: the gold version's number."
    )
    draft = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_ID, help_text="`draft`: another draft of the query."
    )
    document = serializers.JSONField(required=False, help_text="`document`: a `qc4-gold/1` object.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = {"gold": "version", "draft": "draft", "document": "document"}.get(attrs["from"])
        if needed is not None and needed not in attrs:
            raise serializers.ValidationError({needed: [f"needed to start from {attrs['from']!r}"]}, code="required")
        return attrs


class DraftOptions(Options):
    """What a draft is called, and whose it is."""

    name = serializers.CharField(required=False, allow_blank=True, max_length=NAME_CHARS, default="")
    kind = serializers.ChoiceField(choices=KINDS, default=Draft.Kind.OWN.value)


class NewDraft(DraftOptions):
    """A draft to be started."""

    start = Start(required=False)


class ClusteringDraft(DraftOptions):
    """A draft to be started from an algorithm's clusters."""

    submission = serializers.IntegerField(
        min_value=1, max_value=LARGEST_ID, help_text="Whose clustering of this query to take."
    )


class Rename(Options):
    """A draft's new name."""

    name = serializers.CharField(max_length=NAME_CHARS)

"""Drafts as rows of a list in the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotations.api.fields import Person
from annotations.models import Draft


class DraftRow(serializers.Serializer[Any]):
    """A draft in a list. Into a blind one nobody but its curator may see yet: it has no ``id``, and to who annotates
    the same query no ``summary`` until they have submitted."""

    id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(help_text="A neutral name if the draft is blind.")
    kind = serializers.ChoiceField(Draft.Kind.choices, source="draft.kind")
    status = serializers.ChoiceField(Draft.Status.choices, source="draft.status")
    archived = serializers.BooleanField(source="draft.is_archived")
    curator = Person(source="draft.curator", allow_null=True)
    blind = serializers.BooleanField()
    summary = serializers.DictField(allow_null=True)
    dependence = serializers.CharField(
        help_text="Of an own draft: why it is no independent answer; empty where it is one, or blind."
    )
    created_at = serializers.DateTimeField(source="draft.created_at")
    submitted_at = serializers.DateTimeField(source="draft.submitted_at", allow_null=True)

"""Gold versions, and what they hold, in the API."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotations.api.fields import Answer, Person
from annotations.challenge_access import visible_entries
from annotations.models import Gold, GoldVersion, GoldVersionEntry


class GoldVersionRow(Answer[GoldVersion]):
    """A published version. ``sha256`` is over the lines ``<query key>\\t<gold sha256>\\n`` in query order."""

    published_by = Person(allow_null=True)

    class Meta:
        model = GoldVersion
        fields: tuple[str, ...] = ("number", "sha256", "note", "published_by", "published_at")


class GoldEntry(Answer[GoldVersionEntry]):
    """The gold standard a version holds for one query; ``sha256`` is of its canonical ``qc4-gold/1`` file."""

    query = serializers.CharField(source="query.key")
    sha256 = serializers.CharField(source="gold.sha256")
    pages = serializers.IntegerField(source="gold.n_pages")
    levels = serializers.IntegerField(source="gold.n_levels")
    topics_per_level = serializers.ListField(source="gold.topics_per_level", child=serializers.IntegerField())
    outliers = serializers.IntegerField(source="gold.n_outliers")
    completion = serializers.ChoiceField(
        source="gold.completion", choices=Gold._meta.get_field("completion").choices or ["strict", "complete"]
    )

    class Meta:
        model = GoldVersionEntry
        fields = ("query", "sha256", "pages", "levels", "topics_per_level", "outliers", "completion")


class GoldVersionDetail(GoldVersionRow):
    """A version and what it holds, as far as no challenge hides it from the ``person`` of the context."""

    queries = serializers.SerializerMethodField()

    class Meta(GoldVersionRow.Meta):
        fields = (*GoldVersionRow.Meta.fields, "queries")

    @extend_schema_field(GoldEntry(many=True))
    def get_queries(self, version: GoldVersion) -> Any:
        person = self.context.get("person") or AnonymousUser()
        entries = (
            visible_entries(person, version).select_related("query", "gold").order_by("query__position", "query_id")
        )
        return GoldEntry(entries, many=True).data

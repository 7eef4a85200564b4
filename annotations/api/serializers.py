"""How collections, queries and gold versions look in the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotations.access import May, capabilities, owners_of
from annotations.api.fields import Answer, Person
from annotations.challenge_access import is_hiding
from annotations.models import Collection, Page, Query
from annotations.selectors.participation import Step, participation
from qc4.model.gold_document import PAGE_FIELDS


class CollectionRow(Answer[Collection]):
    """A collection in a list."""

    created_by = Person(allow_null=True)

    class Meta:
        model = Collection
        fields: tuple[str, ...] = (
            *(
                "slug",
                "name",
                "description",
                *Collection.FACE,
                "visibility",
                "participation",
                "timing",
                "created_by",
                "created_at",
            ),
        )


class CollectionDetail(CollectionRow):
    """A collection, and what the caller may do in it."""

    queries = serializers.SerializerMethodField()
    pages = serializers.SerializerMethodField()
    import_notes = serializers.SerializerMethodField()
    latest_gold_version = serializers.SerializerMethodField()
    to_submit = serializers.SerializerMethodField(
        help_text="What you do to submit: submit, sign-in, ask (POST requests), wait, declined, or closed."
    )
    owners = serializers.SerializerMethodField(help_text="Who decides about it, by user name.")
    you_may = serializers.SerializerMethodField(help_text=f"Of: {', '.join(May)}.")

    class Meta(CollectionRow.Meta):
        fields = (
            *CollectionRow.Meta.fields,
            "import_notes",
            "queries",
            "pages",
            "latest_gold_version",
            "owners",
            "to_submit",
            "you_may",
        )

    def get_queries(self, collection: Collection) -> int:
        return collection.queries.count()

    def get_pages(self, collection: Collection) -> int:
        return Page.objects.filter(query__collection=collection).count()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_import_notes(self, collection: Collection) -> Any:
        return [] if is_hiding(self.context["person"], collection) else collection.import_notes

    def get_latest_gold_version(self, collection: Collection) -> int | None:
        return collection.gold_versions.order_by("-number").values_list("number", flat=True).first()

    def get_to_submit(self, collection: Collection) -> Step:
        return participation(self.context["person"], collection).step

    def get_owners(self, collection: Collection) -> list[str]:
        return [owner.get_username() for owner in owners_of(collection)]

    def get_you_may(self, collection: Collection) -> list[str]:
        return sorted(map(str, capabilities(self.context["person"], collection)))


class QueryRow(Answer[Query]):
    """A query in a list; ``pages`` counts its search results."""

    pages = serializers.IntegerField(source="n_pages")

    class Meta:
        model = Query
        fields: tuple[str, ...] = ("key", "text", "position", "pages")


class PageRow(Answer[Page]):
    """A search result. Its texts come from the web as they are: escape them wherever you show them."""

    id = serializers.CharField(source="key")

    class Meta:
        model = Page
        fields = ("id", *PAGE_FIELDS, "extra")


class QueryDetail(QueryRow):
    """A query with its search results, in order."""

    pages = PageRow(many=True)  # type: ignore[assignment]  # the rows instead of their number

    class Meta(QueryRow.Meta):
        fields = ("key", "text", "position", "extra", "pages")

"""How collections, queries and gold versions look in the API."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import User
from annotations.access import May, capabilities, is_hiding, owners_of, visible_entries
from annotations.models import Collection, Draft, Gold, GoldVersion, GoldVersionEntry, Page, Query
from annotations.selectors.participation import Step, participation
from qc4.gold.document import PAGE_FIELDS

Row = TypeVar("Row", bound=Model)


@extend_schema_field(OpenApiTypes.STR)
class Person(serializers.Field[User, Any, str, Any]):
    """A person by user name; null for what the site did itself."""

    def to_representation(self, value: User) -> str:
        return value.get_username()


class Answer(serializers.ModelSerializer[Row]):
    """Base of serializers of rows that only answer: nothing is read by them."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            field.read_only = True
        return fields

    def get_extra_kwargs(self) -> dict[str, dict[str, Any]]:
        return {name: {"read_only": True} for name in self.Meta.fields}


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

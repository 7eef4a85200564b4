"""API of collections, their queries and their storage."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, capabilities, get_collection, get_query, owners_of
from annotations.challenges.access import has_hidden_gold
from annotations.collections.forms import CollectionSettingsForm
from annotations.collections.services import change_settings
from annotations.collections.storage import Storage, storage_of_collection, storage_of_person
from annotations.models import Collection, Page, Query
from annotations.people.selectors import Step, participation
from common.api.fields import Answer, Person
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.pagination import paged
from common.api.schema import KEY, listing
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
    """A collection, with the caller's rights in it."""

    queries = serializers.SerializerMethodField()
    pages = serializers.SerializerMethodField()
    import_notes = serializers.SerializerMethodField()
    latest_gold_version = serializers.SerializerMethodField()
    to_submit = serializers.SerializerMethodField(
        help_text="Your next step to submit: submit, sign-in, ask (POST requests), wait, declined, or closed."
    )
    owners = serializers.SerializerMethodField(help_text="User names of the owners.")
    you_may = serializers.SerializerMethodField(help_text=f"Your rights, out of: {', '.join(May)}.")

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
        return [] if has_hidden_gold(self.context["person"], collection) else collection.import_notes

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
    """A search result. Its texts are unchanged text from the web: escape them wherever you show them."""

    id = serializers.CharField(source="key")

    class Meta:
        model = Page
        fields = ("id", *PAGE_FIELDS, "extra")


class QueryDetail(QueryRow):
    """A query with its search results, in order."""

    pages = PageRow(many=True)  # type: ignore[assignment]  # the rows instead of their number

    class Meta(QueryRow.Meta):
        fields = ("key", "text", "position", "extra", "pages")


# --- Views ------------------------------------------------------------------------------------------------------------


class CollectionChanges(Options):
    """Changes to a collection. Omitted fields stay unchanged."""

    FORM = CollectionSettingsForm
    visibility = serializers.ChoiceField(required=False, choices=Collection.Visibility.choices)
    participation = serializers.ChoiceField(required=False, choices=Collection.Participation.choices)
    timing = serializers.ChoiceField(required=False, choices=Collection.Timing.choices)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the form's fields, all optional and without defaults."""
        found = super().get_fields()
        for field in found.values():
            field.default, field.required = serializers.empty, False
        return found


class CollectionView(APIView):
    """One collection."""

    @extend_schema(operation_id="collection", responses=CollectionDetail, tags=["collections"])
    def get(self, request: Request, slug: str) -> Response:
        """Return a collection: its size, its latest gold version, and your rights in it."""
        collection = get_collection(request.user, slug)
        return Response(CollectionDetail(collection, context={"person": request.user}).data)

    @extend_schema(
        operation_id="change_collection", request=CollectionChanges, responses=CollectionDetail, tags=["collections"]
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change a collection's name, metadata, visibility and participation. Only owners may do this.

        Omitted fields stay unchanged, and the slug never changes.
        """
        collection = get_collection(request.user, slug, May.MANAGE)
        given = CollectionChanges.of(fields_of(request))
        required = ("name", "description", "visibility", "participation", "timing")
        settings = {key: given.get(key, getattr(collection, key)) for key in required}
        face = {key: given[key] for key in Collection.FACE if key in given}
        change_settings(collection, user=person(request), face=face, **settings)
        return Response(CollectionDetail(collection, context={"person": request.user}).data)


class QueriesView(APIView):
    """The queries of a collection."""

    @listing("queries", QueryRow, "collections")
    def get(self, request: Request, slug: str) -> Response:
        """Return the queries of a collection, in order."""
        queries = get_collection(request.user, slug).queries.all()
        return paged(queries.order_by("position", "pk"), QueryRow, request)


class QueryView(APIView):
    """One query."""

    @extend_schema(operation_id="query", responses=QueryDetail, parameters=[KEY], tags=["collections"])
    def get(self, request: Request, slug: str, key: str) -> Response:
        """Return a query and its search results."""
        return Response(QueryDetail(get_query(request.user, slug, key)).data)


# --- Storage ----------------------------------------------------------------------------------------------------------


class OwnStorageView(APIView):
    """Your own storage."""

    @extend_schema(operation_id="own_storage", responses=Storage, tags=["people"])
    def get(self, request: Request) -> Response:
        """Return your storage: your uploads, and the pages, gold standards and drafts of your collections."""
        return Response(storage_of_person(person(request)).to_dict())


class CollectionStorageView(APIView):
    """The storage of a collection."""

    @extend_schema(operation_id="collection_storage", responses=Storage, tags=["people"])
    def get(self, request: Request, slug: str) -> Response:
        """Return the storage of a collection, including other people's uploads. Only owners may see it."""
        return Response(storage_of_collection(get_collection(request.user, slug, May.MANAGE)).to_dict())

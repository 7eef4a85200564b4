"""Drafts: start, list, rename, archive, submit and reopen them."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from accounts.person import person
from annotations.access import May, capabilities, get_query
from annotations.drafts import services as drafts
from annotations.drafts.access import reach_draft, reach_managed, reach_reopenable
from annotations.drafts.exposure import open_draft
from annotations.drafts.selectors.listing import DraftDetail, drafts_of
from annotations.gold.services import record_gold_exposure
from annotations.limits import NAME_CHARS
from annotations.models import Draft, GoldVersionEntry, Query
from common.api.fields import Person
from common.api.json_bodies import StrictDocument, fields_of
from common.api.options import Options
from common.api.schema import KEY
from common.limits import LARGEST_ID, LARGEST_VERSION, LIMITS
from qc4.io import read_gold_document
from qc4.model.gold_document import GoldDocument
from qc4.problems import InputError, Problem

KINDS = [Draft.Kind.OWN.value, Draft.Kind.SHARED.value]


class Start(Options):
    """The source of a new draft. The other fields identify it."""

    locals()["from"] = serializers.ChoiceField(choices=["nothing", "gold", "draft", "document"])
    version = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_VERSION, help_text="For `gold`: the number of the gold version."
    )
    draft = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_ID, help_text="For `draft`: another draft of the query."
    )
    document = serializers.JSONField(required=False, help_text="For `document`: a `qc4-gold/1` object.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = {"gold": "version", "draft": "draft", "document": "document"}.get(attrs["from"])
        if needed is not None and needed not in attrs:
            raise serializers.ValidationError({needed: [f"required to start from {attrs['from']!r}"]}, code="required")
        return attrs


class DraftOptions(Options):
    """The name and kind of a draft."""

    name = serializers.CharField(required=False, allow_blank=True, max_length=NAME_CHARS, default="")
    kind = serializers.ChoiceField(choices=KINDS, default=Draft.Kind.OWN.value)


class NewDraft(DraftOptions):
    """A request to start a draft."""

    start = Start(required=False)


class ClusteringDraft(DraftOptions):
    """A request to start a draft from an algorithm's clusters."""

    submission = serializers.IntegerField(
        min_value=1, max_value=LARGEST_ID, help_text="Submission whose clustering of this query is the start."
    )


class Rename(Options):
    """A draft's new name."""

    name = serializers.CharField(max_length=NAME_CHARS)


# --- Responses --------------------------------------------------------------------------------------------------------


class DraftRow(serializers.Serializer[Any]):
    """A draft in a list. Only its curator can open a blind draft, so for everybody else it has no ``id``. It also has
    no ``summary`` for people who annotate the same query, until they have submitted their own draft."""

    id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(help_text="A neutral name if the draft is blind.")
    kind = serializers.ChoiceField(Draft.Kind.choices, source="draft.kind")
    status = serializers.ChoiceField(Draft.Status.choices, source="draft.status")
    archived = serializers.BooleanField(source="draft.is_archived")
    curator = Person(source="draft.curator", allow_null=True)
    blind = serializers.BooleanField()
    summary = serializers.DictField(allow_null=True)
    dependence = serializers.CharField(
        help_text="Why an own draft is not an independent annotation. Empty if it is independent, or blind."
    )
    created_at = serializers.DateTimeField(source="draft.created_at")
    submitted_at = serializers.DateTimeField(source="draft.submitted_at", allow_null=True)


# --- Views ------------------------------------------------------------------------------------------------------------

TAG = ["drafts"]


class Drafts(serializers.Serializer[Any]):
    """The drafts of a query."""

    results = DraftRow(many=True)


class DraftsView(APIView):
    """The drafts of a query."""

    parser_classes = [StrictDocument]

    @extend_schema(
        operation_id="drafts",
        parameters=[KEY],
        responses=Drafts,
        tags=TAG,
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        """List the drafts of a query, latest first. Blind drafts show only their curator and status."""
        query = get_query(request.user, slug, key, May.CURATE)
        may_publish = May.PUBLISH in capabilities(request.user, query.collection)
        rows = drafts_of(request.user, query, may_publish=may_publish)
        return Response(Drafts({"results": rows}).data)

    @extend_schema(
        operation_id="start_draft",
        parameters=[KEY],
        request=NewDraft,
        responses={201: DraftDetail},
        tags=TAG,
    )
    def post(self, request: Request, slug: str, key: str) -> Response:
        """Start a draft: from nothing, a gold version, another draft, or a `qc4-gold/1` document."""
        query = get_query(request.user, slug, key, May.CURATE)
        given = fields_of(request)
        source = given.pop("start", {"from": "nothing"})
        options = NewDraft.of(given)
        chosen = Start.of(source if isinstance(source, dict) else {})
        facts = {"query": query, "user": person(request), "name": options["name"], "kind": options["kind"]}
        return created(request, _started(chosen, **facts))


def _started(source: dict[str, Any], **facts: Any) -> Draft:
    query, user = facts["query"], facts["user"]
    match source["from"]:
        case "gold":
            entry = gold_entry(query, source["version"])
            record_gold_exposure(user, query.collection, [entry.gold])
            return drafts.from_gold(entry=entry, **facts)
        case "draft":
            return drafts.from_draft(source=other_draft(user, query, source["draft"], facts["kind"]), **facts)
        case "document":
            return drafts.from_file(document=_document(source["document"]), **facts)
        case _:
            return drafts.from_nothing(**facts)


def gold_entry(query: Query, number: int) -> GoldVersionEntry:
    """Return the contents of a gold version for a query; InputError if it has no gold standard for the query."""
    entries = GoldVersionEntry.objects.filter(query=query, version__number=number)
    entry = entries.select_related("gold__query", "version").first()
    if entry is None:
        found = f"version {number}, which has no gold standard for this query"
        raise InputError([Problem("unknown-gold-version", "start.version", found, "a gold version of this query")])
    return entry


def other_draft(user: User, query: Query, pk: int, kind: str) -> Draft:
    """Return another draft of the query that this person may see and may start a draft of this kind from.

    Raises:
        InputError: if there is no such draft, or it was archived before others' drafts could be seen.
    """
    try:
        access = open_draft(user, pk)
    except Http404:
        access = None
    if access is None or access.draft.query_id != query.pk:
        found, expected = f"draft {pk}", "a draft of this query that you may see"
        raise InputError([Problem("unknown-draft", "start.draft", found, expected)])
    if kind == Draft.Kind.OWN and access.draft.is_archived and access.restores_closed:
        found = "a draft that you archived before you could see others' drafts"
        fix = "Restore it (it will be restored as submitted), or start a shared draft."
        raise InputError([Problem("seen-others", "start.draft", found, "a draft that is not archived", fix)])
    return access.draft


def _document(value: Any) -> GoldDocument:
    return read_gold_document(value, name="start.document", limits=LIMITS)


def created(request: Request, draft: Draft) -> Response:
    """Return 201 with a new draft and its URL."""
    body = DraftDetail(reach_draft(request.user, draft.pk)).to_dict()
    address = request.build_absolute_uri(reverse("api:draft", args=[draft.pk]))
    return Response(body, status=status.HTTP_201_CREATED, headers={"Location": address})


class RestoreView(APIView):
    """Restore a draft."""

    @extend_schema(operation_id="restore_draft", request=None, responses=DraftDetail, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Restore an archived draft. Your own draft is restored as submitted if others have submitted theirs
        meanwhile."""
        access = reach_managed(request.user, pk)
        drafts.restore(access.draft, closed=access.restores_closed)
        return Response(DraftDetail(access).to_dict())


class SubmitView(APIView):
    """Submit a draft."""

    @extend_schema(operation_id="submit_draft", request=None, responses=DraftDetail, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Submit a draft: it can no longer be changed, and other curators may see it."""
        access = reach_managed(request.user, pk)
        drafts.submit(access.draft)
        return Response(DraftDetail(access).to_dict())


class ReopenView(APIView):
    """Reopen a draft."""

    @extend_schema(operation_id="reopen_draft", request=None, responses=DraftDetail, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Reopen a submitted draft. Its curator may do so until others have submitted theirs or it is adjudicated."""
        access = reach_reopenable(request.user, pk)
        drafts.reopen(access.draft, access.person)
        return Response(DraftDetail(access).to_dict())

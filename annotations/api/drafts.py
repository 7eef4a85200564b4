"""Drafts: start, list, read, rename, archive, submit."""

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
from annotations.api import draft_shapes as shapes
from annotations.api.draft_rows import DraftRow
from annotations.api.operations import KEY
from annotations.api.plain_json import StrictDocument, fields_of
from annotations.draft_access import reach_draft, reach_managed, reach_reopenable
from annotations.models import Draft, GoldVersionEntry, Query
from annotations.selectors.drafts.details import DraftDetail
from annotations.selectors.drafts.lists import drafts_of
from annotations.services import drafts
from annotations.services.gold_exposure import note_gold
from annotations.services.sights import open_draft
from common.limits import LIMITS
from qc4.io import read_gold_document
from qc4.model.gold_document import GoldDocument
from qc4.problems import InputError, Problem

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
        """The drafts of a query, the latest first. Of blind ones, only who works on them and how far they are."""
        query = get_query(request.user, slug, key, May.CURATE)
        may_publish = May.PUBLISH in capabilities(request.user, query.collection)
        rows = drafts_of(request.user, query, may_publish=may_publish)
        return Response(Drafts({"results": rows}).data)

    @extend_schema(
        operation_id="start_draft",
        parameters=[KEY],
        request=shapes.NewDraft,
        responses={201: DraftDetail},
        tags=TAG,
    )
    def post(self, request: Request, slug: str, key: str) -> Response:
        """Start a draft: from nothing, a gold version, another draft, or a `qc4-gold/1` document."""
        query = get_query(request.user, slug, key, May.CURATE)
        given = fields_of(request)
        source = given.pop("start", {"from": "nothing"})
        options = shapes.NewDraft.of(given)
        chosen = shapes.Start.of(source if isinstance(source, dict) else {})
        facts = {"query": query, "user": person(request), "name": options["name"], "kind": options["kind"]}
        return created(request, _started(chosen, **facts))


def _started(source: dict[str, Any], **facts: Any) -> Draft:
    query, user = facts["query"], facts["user"]
    match source["from"]:
        case "gold":
            entry = gold_entry(query, source["version"])
            note_gold(user, query.collection, [entry.gold])
            return drafts.from_gold(entry=entry, **facts)
        case "draft":
            return drafts.from_draft(source=other_draft(user, query, source["draft"], facts["kind"]), **facts)
        case "document":
            return drafts.from_file(document=_document(source["document"]), **facts)
        case _:
            return drafts.from_nothing(**facts)


def gold_entry(query: Query, number: int) -> GoldVersionEntry:
    """What a gold version holds for a query; InputError where it holds nothing."""
    entries = GoldVersionEntry.objects.filter(query=query, version__number=number)
    entry = entries.select_related("gold__query", "version").first()
    if entry is None:
        found = f"version {number}, which has no gold standard for this query"
        raise InputError([Problem("unknown-gold-version", "start.version", found, "a gold version of this query")])
    return entry


def other_draft(user: User, query: Query, pk: int, kind: str) -> Draft:
    """Another draft of the query which this person may see, and may go on from in one of that kind.

    Raises:
        InputError: it is no such draft; or it was put away and others' could be seen since.
    """
    try:
        access = open_draft(user, pk)
    except Http404:
        access = None
    if access is None or access.draft.query_id != query.pk:
        found, expected = f"draft {pk}", "a draft of this query which you may see"
        raise InputError([Problem("unknown-draft", "start.draft", found, expected)])
    if kind == Draft.Kind.OWN and access.draft.is_archived and access.restores_closed:
        found = "a draft you put away before others' could be seen"
        fix = "Restore it: it comes back submitted. Or start a shared draft."
        raise InputError([Problem("seen-others", "start.draft", found, "one nobody could compare with others'", fix)])
    return access.draft


def _document(value: Any) -> GoldDocument:
    return read_gold_document(value, name="start.document", limits=LIMITS)


def created(request: Request, draft: Draft) -> Response:
    """201 with a draft that was just started, and its address."""
    body = DraftDetail(reach_draft(request.user, draft.pk)).to_dict()
    address = request.build_absolute_uri(reverse("api:draft", args=[draft.pk]))
    return Response(body, status=status.HTTP_201_CREATED, headers={"Location": address})


class RestoreView(APIView):
    """Bring a draft back."""

    @extend_schema(operation_id="restore_draft", request=None, responses=DraftDetail, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Bring an archived draft back; one's own comes back submitted if others have submitted theirs meanwhile."""
        access = reach_managed(request.user, pk)
        drafts.restore(access.draft, closed=access.restores_closed)
        return Response(DraftDetail(access).to_dict())


class SubmitView(APIView):
    """Submit a draft."""

    @extend_schema(operation_id="submit_draft", request=None, responses=DraftDetail, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Finish a draft: it does not change any more, and others who curate may see it."""
        access = reach_managed(request.user, pk)
        drafts.submit(access.draft)
        return Response(DraftDetail(access).to_dict())


class ReopenView(APIView):
    """Open a draft again."""

    @extend_schema(operation_id="reopen_draft", request=None, responses=DraftDetail, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Go on with a submitted draft; its curator may until others have submitted theirs or it is adjudicated."""
        access = reach_reopenable(request.user, pk)
        drafts.reopen(access.draft, access.person)
        return Response(DraftDetail(access).to_dict())

"""Drafts: start, list, read, and work on them."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, inline_serializer
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from accounts.person import person
from annotations.access import DraftAccess, May, capabilities, get_draft, get_query, reach_draft
from annotations.api import draft_shapes as shapes
from annotations.api.operations import KEY
from annotations.api.plain_json import StrictDocument, StrictJSON, fields_of
from annotations.api.throttles import DRAFT_WORK
from annotations.limits import LIMITS
from annotations.models import Draft, GoldVersionEntry, Query
from annotations.selectors.drafts import documents
from annotations.selectors.drafts.history import history, page_history
from annotations.selectors.drafts.lists import ListedDraft, drafts_of
from annotations.selectors.drafts.workspace import changes, draft_json, steps_json, workspace
from annotations.selectors.page_words import similar_pages
from annotations.services import drafts
from annotations.services.drafts import presence, suggesting
from annotations.services.drafts.performing import Outcome, perform
from annotations.services.drafts.planning import Asked
from qc4.formats import read_gold_document
from qc4.gold.document import GoldDocument
from qc4.problems import InputError, Problem

TAG = ["drafts"]
NOT_EDITOR = "This draft is for others to change; you may look at it."
CLASH = OpenApiResponse(
    OpenApiTypes.OBJECT,
    "Others changed the draft meanwhile and it does not fit any more: the error has `revision` and `missed`, the "
    "entries since your base. Nothing was changed.",
)
REFUSED = OpenApiResponse(
    OpenApiTypes.OBJECT, "The operations cannot be carried out on this draft; nothing was changed."
)


class DraftsView(APIView):
    """The drafts of a query."""

    parser_classes = [StrictDocument]

    @extend_schema(
        operation_id="drafts",
        parameters=[KEY],
        responses=inline_serializer("Drafts", {"results": shapes.DraftRow(many=True)}),
        tags=TAG,
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        """The drafts of a query, the latest first. Of blind ones, only who works on them and how far they are."""
        query = get_query(request.user, slug, key, May.CURATE)
        may_publish = May.PUBLISH in capabilities(request.user, query.collection)
        rows = drafts_of(request.user, query, may_publish=may_publish)
        return Response({"results": [_row(listed) for listed in rows]})

    @extend_schema(
        operation_id="start_draft",
        parameters=[KEY],
        request=shapes.NewDraft,
        responses={201: shapes.DraftShape},
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
            return drafts.from_gold(entry=gold_entry(query, source["version"]), **facts)
        case "draft":
            return drafts.from_draft(source=other_draft(user, query, source["draft"]), **facts)
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


def other_draft(user: User, query: Query, pk: int) -> Draft:
    """Another draft of the query which this person may see; InputError otherwise."""
    try:
        draft = get_draft(user, pk)
    except Http404:
        draft = None
    if draft is None or draft.query_id != query.pk:
        found, expected = f"draft {pk}", "a draft of this query which you may see"
        raise InputError([Problem("unknown-draft", "start.draft", found, expected)])
    return draft


def _document(value: Any) -> GoldDocument:
    return read_gold_document(value, name="start.document", limits=LIMITS)


def created(request: Request, draft: Draft) -> Response:
    """201 with a draft that was just started, and its address."""
    body = draft_json(reach_draft(request.user, draft.pk))
    address = request.build_absolute_uri(reverse("api:draft", args=[draft.pk]))
    return Response(body, status=status.HTTP_201_CREATED, headers={"Location": address})


def _row(listed: ListedDraft) -> dict[str, Any]:
    draft = listed.draft
    return {
        "id": None if listed.blind else draft.pk,
        "name": draft.name,
        "kind": draft.kind,
        "status": draft.status,
        "archived": draft.archived_at is not None,
        "curator": draft.curator.get_username() if draft.curator else None,
        "blind": listed.blind,
        "summary": draft.summary,
        "created_at": draft.created_at,
        "submitted_at": draft.submitted_at,
    }


class DraftView(APIView):
    """One draft."""

    parser_classes = [StrictJSON]
    throttle_classes = DRAFT_WORK

    @extend_schema(
        operation_id="draft",
        responses=OpenApiResponse(OpenApiTypes.OBJECT, "All the workspace shows: see docs/users/api.md."),
        tags=TAG,
    )
    def get(self, request: Request, pk: int) -> Response:
        """A draft with its pages, topics and placements, and the addresses of what can be done."""
        return Response(workspace(reach_draft(request.user, pk)))

    @extend_schema(operation_id="rename_draft", request=shapes.Rename, responses=shapes.DraftShape, tags=TAG)
    def patch(self, request: Request, pk: int) -> Response:
        """Give a draft another name."""
        access = managed(request, pk)
        drafts.rename(access.draft, shapes.Rename.of(fields_of(request))["name"])
        return Response(draft_json(access))

    @extend_schema(operation_id="archive_draft", responses=shapes.DraftShape, tags=TAG)
    def delete(self, request: Request, pk: int) -> Response:
        """Put a draft away. Nothing is lost: `restore` brings it back."""
        access = managed(request, pk)
        drafts.archive(access.draft)
        return Response(draft_json(access))


class RestoreView(APIView):
    """Bring a draft back."""

    @extend_schema(operation_id="restore_draft", request=None, responses=shapes.DraftShape, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Bring an archived draft back; one's own comes back submitted if others have submitted theirs meanwhile."""
        access = managed(request, pk)
        drafts.restore(access.draft, closed=access.restores_closed)
        return Response(draft_json(access))


class SubmitView(APIView):
    """Submit a draft."""

    @extend_schema(operation_id="submit_draft", request=None, responses=shapes.DraftShape, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Finish a draft: it does not change any more, and others who curate may see it."""
        access = managed(request, pk)
        drafts.submit(access.draft)
        return Response(draft_json(access))


class ReopenView(APIView):
    """Open a draft again."""

    @extend_schema(operation_id="reopen_draft", request=None, responses=shapes.DraftShape, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Go on with a submitted draft; its curator may until others have submitted theirs or it is adjudicated."""
        access = reach_draft(request.user, pk)
        if not access.may_reopen:
            raise PermissionDenied("Only who may publish opens this draft again.")
        drafts.reopen(access.draft)
        return Response(draft_json(access))


def managed(request: Request, pk: int) -> DraftAccess:
    """A draft this person may submit, rename or archive."""
    access = reach_draft(request.user, pk)
    if not access.may_submit:
        raise PermissionDenied("Only its curator and who may publish do this with a draft.")
    return access


def edited(request: Request, pk: int) -> DraftAccess:
    """A draft this person may change."""
    access = reach_draft(request.user, pk)
    if not access.may_edit:
        raise PermissionDenied(NOT_EDITOR)
    return access


class OperationsView(APIView):
    """Work on a draft."""

    parser_classes = [StrictJSON]
    throttle_classes = DRAFT_WORK

    @extend_schema(
        operation_id="change_draft",
        request=shapes.Batch,
        responses={200: shapes.Performed, 409: CLASH, 422: REFUSED},
        tags=TAG,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Carry out operations as one step, or undo or redo one of your own; the same `id` again does nothing again."""
        access = edited(request, pk)
        outcome = perform(access.draft, access.person, _asked(fields_of(request)))
        return Response(performed_json(outcome, access.person))


def _asked(given: dict[str, Any]) -> Asked:
    values = shapes.Batch.of(given)
    if len([name for name in ("operations", "undo", "redo") if values.get(name) is not None]) != 1:
        expected = "exactly one of operations, undo and redo"
        raise InputError([Problem("one-of", "request", "another number of them", expected)])
    # As they were sent: the serializer would make texts of the names of fields.
    facts = {"unseen": values["unseen"], "undo": values.get("undo"), "redo": values.get("redo")}
    return Asked(values["id"], values["base"], operations=given.get("operations"), **facts)


def performed_json(outcome: Outcome, person: User) -> dict[str, Any]:
    """The answer to what was carried out."""
    steps = steps_json(outcome.known, person)
    return {"revision": outcome.revision, "entries": outcome.entries, **steps}


class ChangesView(APIView):
    """What happens in a draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_changes", parameters=[shapes.Since], responses=shapes.Changed, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """The entries after a revision, and who else is here. Ask once a second."""
        since = shapes.Since.of(request.query_params)["since"]
        return Response(changes(reach_draft(request.user, pk), since))


class PresenceView(APIView):
    """Who is here."""

    parser_classes = [StrictJSON]
    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_presence", request=shapes.Present, responses={204: None}, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Say that you are here and which page you look at; again at least every 20 seconds."""
        access = reach_draft(request.user, pk)
        presence.note(access.draft, access.person, shapes.Present.of(fields_of(request))["page"] or "")
        return Response(status=status.HTTP_204_NO_CONTENT)


class PageView(APIView):
    """One page of a draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_page", parameters=[shapes.OnePage], responses=shapes.OnePageShape, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """A page's whole text, the pages whose texts are most like it, and what was done with it."""
        draft = get_draft(request.user, pk)
        page = draft.query.pages.filter(key=shapes.OnePage.of(request.query_params)["key"]).first()
        if page is None:
            raise Http404("There is no such page in this query.")
        return Response(
            {
                "title": page.title or "",
                "snippet": page.snippet or "",
                "text": page.text or "",
                "similar": similar_pages(draft.query, page.key),
                "history": page_history(draft, page.key),
            }
        )


class HistoryView(APIView):
    """The log of a draft."""

    @extend_schema(
        operation_id="draft_history",
        parameters=[shapes.HistoryOptions],
        responses=inline_serializer("DraftHistory", {"results": shapes.HistoryRow(many=True)}),
        tags=TAG,
    )
    def get(self, request: Request, pk: int) -> Response:
        """Who did what, the latest first."""
        draft = get_draft(request.user, pk)
        options = shapes.HistoryOptions.of(request.query_params)
        rows = history(draft, before=options.get("before"), limit=options["limit"])
        return Response({"results": rows})


class DocumentView(APIView):
    """A draft as a file."""

    @extend_schema(
        operation_id="draft_document",
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "The canonical `qc4-gold/1` file.")},
        tags=TAG,
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """The draft as a canonical `qc4-gold/1` file, without its suggestions; it may break rules still."""
        draft = get_draft(request.user, pk)
        headers = {"Content-Disposition": f'attachment; filename="draft-{draft.pk}-r{draft.revision}.json"'}
        content = documents.document_bytes(draft)
        return HttpResponse(content, content_type="application/json", headers=headers)


class CheckView(APIView):
    """The rules."""

    @extend_schema(operation_id="check_draft", responses=shapes.Problems, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Everything that keeps the draft from being published, and the warnings."""
        draft = get_draft(request.user, pk)
        problems = documents.problems(draft)
        publishable = all(problem.severity != "error" for problem in problems)
        found = [problem.to_dict() for problem in problems]
        return Response({"revision": draft.revision, "publishable": publishable, "problems": found})


class SuggestionsView(APIView):
    """Suggested topics."""

    parser_classes = [StrictJSON]

    @extend_schema(
        operation_id="suggest_topics",
        request=shapes.Suggest,
        responses={200: shapes.Performed, 409: CLASH, 422: REFUSED},
        tags=TAG,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Suggest topics for the pages in none, from the words of their texts. They wait to be accepted."""
        access = edited(request, pk)
        options = shapes.Suggest.of(fields_of(request))
        outcome = suggesting.suggest(access.draft, access.person, options.get("topics"))
        return Response(performed_json(outcome, access.person))

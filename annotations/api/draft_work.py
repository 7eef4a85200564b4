"""Work on a draft: change it, see what others do, look at its pages, its log and its rules."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.api import draft_shapes as shapes
from annotations.api.drafts import TAG
from annotations.api.plain_json import fields_of
from annotations.api.throttles import DRAFT_WORK
from annotations.draft_access import DraftAccess, reach_draft
from annotations.selectors.drafts import documents
from annotations.selectors.drafts.finding import FoundPages, find_pages
from annotations.selectors.drafts.history import DraftHistory, history
from annotations.selectors.drafts.pages import PageDetail, page_detail
from annotations.selectors.drafts.touches import Losses, losses
from annotations.selectors.drafts.workspace import DraftChanges, changes
from annotations.services.drafts import presence, suggesting
from annotations.services.drafts.accounts import settle
from annotations.services.drafts.performing import Outcome, perform
from annotations.services.drafts.planning import Asked
from annotations.services.sights import note_opened, open_draft
from common.downloads import attachment_headers
from qc4.problems import InputError, Problem

NOT_EDITOR = "This draft is for others to change; you may look at it."
CLASH = OpenApiResponse(
    OpenApiTypes.OBJECT,
    "Others changed the draft meanwhile and it does not fit any more: the error has `revision`, `missed`, the "
    "entries since your base, and `clashes`, those in the way, with the topics `gone` by them and the number of pages "
    "`also` put there by their authors. Nothing was changed.",
)
REFUSED = OpenApiResponse(
    OpenApiTypes.OBJECT, "The operations cannot be carried out on this draft; nothing was changed."
)


def edited(request: Request, pk: int) -> DraftAccess:
    """A draft this person may change."""
    access = open_draft(request.user, pk)
    if not access.may_edit:
        raise PermissionDenied(NOT_EDITOR)
    return access


class OperationsView(APIView):
    """Work on a draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(
        operation_id="change_draft",
        request=shapes.Batch,
        responses={200: Outcome, 409: CLASH, 422: REFUSED},
        tags=TAG,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Carry out operations as one step, undo or redo one of your own, or restore topics that anybody deleted.

        The same `id` again does nothing again. What others had decided otherwise meanwhile is not done; `skipped` of
        your entry tells what and why.
        """
        access = edited(request, pk)
        outcome = perform(access.draft, access.person, _asked(fields_of(request)))
        return Response(outcome.to_dict())


def _asked(given: dict[str, Any]) -> Asked:
    values = shapes.Batch.of(given)
    if len([name for name in ("operations", "undo", "redo", "restore") if values.get(name) is not None]) != 1:
        expected = "exactly one of operations, undo, redo and restore"
        raise InputError([Problem("one-of", "request", "another number of them", expected)])
    # As they were sent: the serializer would make texts of the names of fields.
    facts = {"unseen": values["unseen"], "undo": values.get("undo"), "redo": values.get("redo")}
    facts["restore"] = values.get("restore")
    return Asked(values["id"], values["base"], operations=given.get("operations"), **facts)


class ChangesView(APIView):
    """What happens in a draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_changes", parameters=[shapes.Since], responses=DraftChanges, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """The entries after a revision, and who else is here. Ask once a second."""
        since = shapes.Since.of(request.query_params)["since"]
        access = reach_draft(request.user, pk)
        found = changes(access, since)
        if found.entries:
            note_opened(access)
        return Response(found.to_dict())


class LossesView(APIView):
    """What you had placed and others deleted."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_losses", responses=Losses, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Topics that others deleted though you had put pages into them; `restore` brings them back."""
        access = reach_draft(request.user, pk)
        return Response(losses(access.draft, access.person).to_dict())

    @extend_schema(operation_id="settle_draft_losses", request=shapes.Settled, responses={204: None}, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Let some be as they are: they are not told any more."""
        access = reach_draft(request.user, pk)
        settle(access.draft, shapes.Settled.of(fields_of(request))["revisions"], access.person)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PresenceView(APIView):
    """Who is here."""

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

    @extend_schema(operation_id="draft_page", parameters=[shapes.OnePage], responses=PageDetail, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """A page's whole text, the pages whose texts are most like it, and what was done with it."""
        draft = open_draft(request.user, pk).draft
        page = draft.query.pages.filter(key=shapes.OnePage.of(request.query_params)["key"]).first()
        if page is None:
            raise Http404("There is no such page in this query.")
        return Response(page_detail(draft, page).to_dict())


class PagesView(APIView):
    """The pages of a draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_pages", parameters=[shapes.PageOptions], responses=FoundPages, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """The pages with some words, also in their texts, and of a topic, a host, a person ..; without options all."""
        draft = open_draft(request.user, pk).draft
        return Response(find_pages(draft, **shapes.PageOptions.of(request.query_params)).to_dict())


class HistoryView(APIView):
    """The log of a draft."""

    @extend_schema(
        operation_id="draft_history",
        parameters=[shapes.HistoryOptions],
        responses=DraftHistory,
        tags=TAG,
    )
    def get(self, request: Request, pk: int) -> Response:
        """Who did what, the latest first."""
        draft = open_draft(request.user, pk).draft
        options = shapes.HistoryOptions.of(request.query_params)
        return Response(history(draft, before=options.get("before"), limit=options["limit"]).to_dict())


class DocumentView(APIView):
    """A draft as a file."""

    @extend_schema(
        operation_id="draft_document",
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "The canonical `qc4-gold/1` file.")},
        tags=TAG,
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """The draft as a canonical `qc4-gold/1` file, without its suggestions; it may break rules still."""
        draft = open_draft(request.user, pk).draft
        headers = attachment_headers(f"draft-{draft.pk}-r{draft.revision}.json")
        content = documents.document_bytes(draft)
        return HttpResponse(content, content_type="application/json", headers=headers)


class CheckView(APIView):
    """The rules."""

    @extend_schema(operation_id="check_draft", responses=documents.DraftProblems, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Everything that keeps the draft from being published, and the warnings."""
        return Response(documents.problems(open_draft(request.user, pk).draft).to_dict())


class SuggestionsView(APIView):
    """Suggested topics."""

    @extend_schema(
        operation_id="suggest_topics",
        request=shapes.Suggest,
        responses={200: Outcome, 409: CLASH, 422: REFUSED},
        tags=TAG,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Suggest topics for the pages in none, from the words of their texts. They wait to be accepted."""
        access = edited(request, pk)
        options = shapes.Suggest.of(fields_of(request))
        outcome = suggesting.suggest(access.draft, access.person, options.get("topics"))
        return Response(outcome.to_dict())

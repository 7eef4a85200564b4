"""Editing of a draft: read it, change it, follow others' changes, search its pages, and get predictions."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.drafts import presence
from annotations.drafts import services as drafts
from annotations.drafts.access import DraftAccess, reach_draft, reach_managed
from annotations.drafts.api import TAG, Rename
from annotations.drafts.exposure import open_draft, record_exposure
from annotations.drafts.selectors import documents
from annotations.drafts.selectors.history import DraftHistory, Losses, history, lost_placements
from annotations.drafts.selectors.listing import DraftDetail
from annotations.drafts.services.performing import Outcome, perform, settle_losses
from annotations.drafts.services.planning import DraftRequest
from annotations.limits import HISTORY_ROWS, MAX_HISTORY_ROWS, SEARCH_CHARS, SUGGESTED_TOPICS, UNSEEN_SPANS
from annotations.workspace import services as suggesting
from annotations.workspace.selectors.predictions import DraftPredictions, PageGroups, page_groups, predictions
from annotations.workspace.selectors.search import FoundPages, find_pages
from annotations.workspace.selectors.workspace import DraftChanges, PageDetail, changes, page_detail, workspace
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.throttles import DRAFT_WORK
from common.downloads import attachment_headers
from common.limits import KEY_CHARS, LARGEST_RANK, LARGEST_REVISION
from qc4.problems import InputError, Problem


def _revision(**facts: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=LARGEST_REVISION, **facts)


class Batch(Options):
    """A change to a draft: ``operations`` (undone as one), or one revision to ``undo``, ``redo`` or ``restore``."""

    id = serializers.UUIDField(help_text="An id that you choose. Sending the same id again has no effect.")
    base = serializers.IntegerField(min_value=0, max_value=LARGEST_REVISION, help_text="The revision you have seen.")
    unseen = serializers.ListField(
        child=serializers.ListField(child=_revision(), min_length=2, max_length=2),
        max_length=UNSEEN_SPANS,
        default=list,
        help_text="Entries up to `base` that you had not seen then, as spans of revisions `[first, last]`.",
    )
    operations = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="See docs/users/api.md for the kinds."
    )
    undo = _revision(required=False, help_text="Your latest revision that is not undone.")
    redo = _revision(required=False, help_text="The revision `redo` of the last response.")

    restore = _revision(
        required=False,
        help_text="A revision, by anybody, that deleted or merged topics. They are restored with their pages.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if any(not first <= last <= attrs["base"] for first, last in attrs["unseen"]):
            raise serializers.ValidationError({"unseen": ["spans [first, last] that end at `base` or before"]})
        return attrs


class Settled(Options):
    """Revisions whose deletions are settled."""

    revisions = serializers.ListField(
        child=_revision(),
        min_length=1,
        max_length=MAX_HISTORY_ROWS,
        help_text="The `revision` of each loss.",
    )


class Present(Options):
    """The page that a person is viewing."""

    page = serializers.CharField(allow_blank=True, allow_null=True, default="", max_length=KEY_CHARS)


class Suggest(Options):
    """Options for suggested topics."""

    topics = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=2,
        max_value=SUGGESTED_TOPICS,
        help_text="Number of topics; by default chosen from the pages.",
    )


class Since(Options):
    """The revision after which entries are wanted."""

    since = serializers.IntegerField(
        min_value=0, max_value=LARGEST_REVISION, default=0, help_text="The revision you have."
    )


class HistoryOptions(Options):
    """The requested part of the log, latest entries first."""

    before = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_REVISION, help_text="Only entries before this revision."
    )
    limit = serializers.IntegerField(min_value=1, max_value=MAX_HISTORY_ROWS, default=HISTORY_ROWS)


class WithinTopic(Options):
    """A filter by topic."""

    topic = serializers.CharField(
        required=False, max_length=KEY_CHARS, help_text="A topic's id, for its pages that are in none of its subtopics."
    )


class OnePage(Options):
    """The id of one page."""

    key = serializers.CharField(help_text="The page's id, percent-encoded.")


class PageOptions(Options):
    """Filters for pages. A page must match all of them."""

    search = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=SEARCH_CHARS,
        help_text='Words in titles, URLs, snippets and texts, "phrases", and -words to exclude.',
    )
    topic = serializers.CharField(required=False, help_text="Pages in the topic with this id, or in one below it.")
    host = serializers.CharField(required=False, help_text="Pages whose URL is at this host.")
    by = serializers.CharField(
        required=False, help_text="Pages that the person with this user name placed or confirmed last."
    )
    flagged = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Only flagged pages, or only others."
    )
    note = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Only pages with a note, or only others."
    )
    unplaced = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_RANK, help_text="Pages without a place on this level."
    )


# --- Views ------------------------------------------------------------------------------------------------------------

NOT_EDITOR = "You may view this draft but not change it."
CONFLICT = OpenApiResponse(
    OpenApiTypes.OBJECT,
    "Others changed the draft meanwhile, and the request conflicts with it. The error has `revision`, `missed` (the "
    "entries since your base) and `clashes` (the conflicting entries, each with the topics `gone` and the number of "
    "pages `also` put there by its author). Nothing was changed.",
)
REJECTED = OpenApiResponse(OpenApiTypes.OBJECT, "The operations cannot be applied to this draft; nothing was changed.")


def reach_editable(request: Request, pk: int) -> DraftAccess:
    """Return a draft that this person may edit."""
    access = open_draft(request.user, pk)
    if not access.may_edit:
        raise PermissionDenied(NOT_EDITOR)
    return access


class OperationsView(APIView):
    """Changes to a draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(
        operation_id="change_draft",
        request=Batch,
        responses={200: Outcome, 409: CONFLICT, 422: REJECTED},
        tags=TAG,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Apply operations as one step, undo or redo one of your own, or restore topics that anybody deleted.

        Sending the same `id` again has no effect. Parts that others have decided otherwise meanwhile are skipped;
        `skipped` in your entry lists them with reasons.
        """
        access = reach_editable(request, pk)
        outcome = perform(access.draft, access.person, _asked(fields_of(request)))
        return Response(outcome.to_dict())


def _asked(given: dict[str, Any]) -> DraftRequest:
    values = Batch.of(given)
    if len([name for name in ("operations", "undo", "redo", "restore") if values.get(name) is not None]) != 1:
        expected = "exactly one of operations, undo, redo and restore"
        raise InputError([Problem("one-of", "request", "none or several of them", expected)])
    # Pass operations as they were sent: the serializer would convert the names of fields.
    facts = {"unseen": values["unseen"], "undo": values.get("undo"), "redo": values.get("redo")}
    facts["restore"] = values.get("restore")
    return DraftRequest(values["id"], values["base"], operations=given.get("operations"), **facts)


class ChangesView(APIView):
    """Recent changes to a draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_changes", parameters=[Since], responses=DraftChanges, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Return the entries after a revision, and who else has the draft open. Poll once a second."""
        since = Since.of(request.query_params)["since"]
        access = reach_draft(request.user, pk)
        found = changes(access, since)
        if found.entries:
            record_exposure(access)
        return Response(found.to_dict())


class LossesView(APIView):
    """Your placements that others deleted."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_losses", responses=Losses, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """List topics that others deleted although you had put pages into them. `restore` brings them back."""
        access = reach_draft(request.user, pk)
        return Response(lost_placements(access.draft, access.person).to_dict())

    @extend_schema(operation_id="settle_draft_losses", request=Settled, responses={204: None}, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Mark losses as settled. They are no longer listed."""
        access = reach_draft(request.user, pk)
        settle_losses(access.draft, Settled.of(fields_of(request))["revisions"], access.person)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PresenceView(APIView):
    """The people who have a draft open."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_presence", request=Present, responses={204: None}, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Report that you have the draft open and which page you are viewing. Repeat at least every 20 seconds."""
        access = reach_draft(request.user, pk)
        presence.record_presence(access.draft, access.person, Present.of(fields_of(request))["page"] or "")
        return Response(status=status.HTTP_204_NO_CONTENT)


class PageView(APIView):
    """One page of a draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_page", parameters=[OnePage], responses=PageDetail, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Return a page's whole text, the pages with the most similar texts, and its log entries."""
        draft = open_draft(request.user, pk).draft
        page = draft.query.pages.filter(key=OnePage.of(request.query_params)["key"]).first()
        if page is None:
            raise Http404("There is no such page in this query.")
        return Response(page_detail(draft, page).to_dict())


class PagesView(APIView):
    """The pages of a draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_pages", parameters=[PageOptions], responses=FoundPages, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Find pages by words in any field and by topic, host, person and other filters. Without options, return all
        pages."""
        draft = open_draft(request.user, pk).draft
        return Response(find_pages(draft, **PageOptions.of(request.query_params)).to_dict())


class HistoryView(APIView):
    """The log of a draft."""

    @extend_schema(
        operation_id="draft_history",
        parameters=[HistoryOptions],
        responses=DraftHistory,
        tags=TAG,
    )
    def get(self, request: Request, pk: int) -> Response:
        """List the log entries of a draft, latest first."""
        draft = open_draft(request.user, pk).draft
        options = HistoryOptions.of(request.query_params)
        return Response(history(draft, before=options.get("before"), limit=options["limit"]).to_dict())


class DocumentView(APIView):
    """A draft as a file."""

    @extend_schema(
        operation_id="draft_document",
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "The canonical `qc4-gold/1` file.")},
        tags=TAG,
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Return the draft as a canonical `qc4-gold/1` file, without its suggestions. It may still break rules."""
        draft = open_draft(request.user, pk).draft
        headers = attachment_headers(f"draft-{draft.pk}-r{draft.revision}.json")
        content = documents.document_bytes(draft)
        return HttpResponse(content, content_type="application/json", headers=headers)


class CheckView(APIView):
    """A check of a draft against the rules."""

    @extend_schema(operation_id="check_draft", responses=documents.DraftProblems, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Return the errors that prevent the draft from being published, and the warnings."""
        return Response(documents.problems(open_draft(request.user, pk).draft).to_dict())


class SuggestionsView(APIView):
    """Suggested topics."""

    @extend_schema(
        operation_id="suggest_topics",
        request=Suggest,
        responses={200: Outcome, 409: CONFLICT, 422: REJECTED},
        tags=TAG,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Suggest topics for pages that are in no topic, based on the words of their texts. People accept or reject
        them."""
        access = reach_editable(request, pk)
        options = Suggest.of(fields_of(request))
        outcome = suggesting.suggest(access.draft, access.person, options.get("topics"))
        return Response(outcome.to_dict())


class DraftView(APIView):
    """One draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(
        operation_id="draft",
        responses=OpenApiResponse(OpenApiTypes.OBJECT, "The contents of the workspace: see docs/users/api.md."),
        tags=TAG,
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return a draft with its pages, topics and placements, and the URLs of the available actions."""
        return Response(workspace(open_draft(request.user, pk)))

    @extend_schema(operation_id="rename_draft", request=Rename, responses=DraftDetail, tags=TAG)
    def patch(self, request: Request, pk: int) -> Response:
        """Rename a draft."""
        access = reach_managed(request.user, pk)
        drafts.rename(access.draft, Rename.of(fields_of(request))["name"])
        return Response(DraftDetail(access).to_dict())

    @extend_schema(operation_id="archive_draft", responses={200: DraftDetail}, tags=TAG)
    def delete(self, request: Request, pk: int) -> Response:
        """Archive a draft. Nothing is lost: `restore` brings it back."""
        access = reach_managed(request.user, pk)
        drafts.archive(access.draft)
        return Response(DraftDetail(access).to_dict())


# --- Predictions ------------------------------------------------------------------------------------------------------


class PredictionsView(APIView):
    """Predicted topics of pages."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_predictions", responses=DraftPredictions, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Predict topics for pages without one, and list the pages most useful to place next. Nothing is stored."""
        return Response(predictions(open_draft(request.user, pk).draft).to_dict())


class GroupsView(APIView):
    """Groups of similar pages."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_groups", parameters=[WithinTopic], responses=PageGroups, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Group the pages of a topic that are in none of its subtopics (or pages that are in no topic) by
        similarity."""
        draft = open_draft(request.user, pk).draft
        return Response(page_groups(draft, WithinTopic.of(request.query_params).get("topic")).to_dict())

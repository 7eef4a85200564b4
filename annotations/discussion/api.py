"""Threads of comments on a draft: read, write, reply, edit and resolve; and all threads that concern a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.discussion import selectors as found
from annotations.discussion import services as comments
from annotations.discussion.access import own_comment, own_thread, reach_thread
from annotations.drafts.access import reach_draft
from annotations.drafts.exposure import open_draft
from annotations.limits import COMMENT_CHARS
from annotations.models import CommentThread
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.throttles import DRAFT_WORK
from common.limits import KEY_CHARS, LARGEST_COUNT
from qc4.records import Record

TAG = ["comments"]


class NewComment(Options):
    """A new comment."""

    id = serializers.UUIDField(help_text="An id that you choose. Sending the same id again has no effect.")
    text = serializers.CharField(
        max_length=COMMENT_CHARS,
        trim_whitespace=False,
        help_text="Plain text. `@name` notifies that person if they may see the thread.",
    )


class NewThread(NewComment):
    """A new thread with its first comment."""

    about = serializers.ChoiceField(choices=CommentThread.About.values)
    key = serializers.CharField(
        max_length=KEY_CHARS, allow_blank=True, default="", help_text="The id of the page or topic; empty for `draft`."
    )
    to_lead = serializers.BooleanField(
        default=False,
        help_text="True for a question to people who may publish. They see it even if the draft is blind to them.",
    )


class Wording(Options):
    """The new text of a comment."""

    text = serializers.CharField(max_length=COMMENT_CHARS, trim_whitespace=False)


class ReadUpTo(Options):
    """How far a person has read a thread."""

    upto = serializers.IntegerField(
        min_value=0, max_value=LARGEST_COUNT, help_text="The value of `spoken` in the thread as you have seen it."
    )


class SinceNumber(Options):
    """The number after which changes are wanted."""

    since = serializers.IntegerField(
        min_value=0, max_value=LARGEST_COUNT, default=0, help_text="The value of `at` in an earlier response."
    )


class OnlyUnread(Options):
    """A filter for threads."""

    unread = serializers.BooleanField(default=False, help_text="Only threads with comments that you have not read.")


@dataclass(frozen=True, slots=True)
class Nameables(Record):
    """The people that a comment may name."""

    results: list[found.Nameable]


@dataclass(frozen=True, slots=True)
class Concerns(Record):
    """The threads that concern you."""

    results: list[found.Concern]


@dataclass(frozen=True, slots=True)
class Unread(Record):
    """The number of threads that concern you and have comments that you have not read."""

    TITLE = "UnreadThreads"

    unread: int


class DraftThreadsView(APIView):
    """The comments on a draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_threads", parameters=[SinceNumber], responses=found.Threads, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """List the threads of a draft, or those changed since. `talk` in the draft's `changes` says when to ask
        again."""
        since = SinceNumber.of(request.query_params)["since"]
        return Response(found.threads_of(open_draft(request.user, pk), since).to_dict())

    @extend_schema(operation_id="start_thread", request=NewThread, responses={201: comments.CommentResult}, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Start a thread about a page, a topic or the draft."""
        access = reach_draft(request.user, pk)
        chosen = NewThread.of(fields_of(request))
        said = comments.start(access, chosen.pop("id"), chosen.pop("text"), **chosen)
        return Response(said.to_dict(), status=status.HTTP_201_CREATED)


class DraftPeopleView(APIView):
    """The people that a comment may name."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_people", responses=Nameables, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """List all other curators of the collection, and whether they would see your comment."""
        draft = reach_draft(request.user, pk).draft
        return Response(Nameables(found.mentionable_people(draft, person(request))).to_dict())


class OwnThreadsView(APIView):
    """The comments that concern a person."""

    @extend_schema(operation_id="own_threads", parameters=[OnlyUnread], responses=Concerns, tags=TAG)
    def get(self, request: Request) -> Response:
        """List threads in which you were named, asked or took part: unread ones first, then the latest."""
        only = OnlyUnread.of(request.query_params)["unread"]
        return Response(Concerns(found.threads_concerning(person(request), only_unread=only)).to_dict())


class ThreadView(APIView):
    """A thread."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="thread", responses=found.ThreadRow, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Return a thread with its comments."""
        return Response(found.thread_row(reach_thread(request.user, pk)).to_dict())

    @extend_schema(operation_id="answer_thread", request=NewComment, responses={201: comments.CommentResult}, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Reply in a thread. A resolved thread is reopened."""
        access = reach_thread(request.user, pk, write=True)
        chosen = NewComment.of(fields_of(request))
        said = comments.answer(access, chosen["id"], chosen["text"])
        return Response(said.to_dict(), status=status.HTTP_201_CREATED)


class ResolveThreadView(APIView):
    """Resolve a thread."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="resolve_thread", request=None, responses=found.ThreadRow, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Mark a thread as resolved. It stays readable."""
        return Response(comments.resolve(reach_thread(request.user, pk, write=True)).to_dict())


class ReopenThreadView(APIView):
    """Reopen a thread."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="reopen_thread", request=None, responses=found.ThreadRow, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Reopen a resolved thread."""
        return Response(comments.reopen(reach_thread(request.user, pk, write=True)).to_dict())


class AskLeadView(APIView):
    """A question to the lead."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="ask_lead", request=None, responses=comments.LeadAsked, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Make a thread you started a question to the lead. `already` is true if it was one; nothing was changed
        then."""
        return Response(comments.ask_lead(own_thread(request.user, pk)).to_dict())


class ReadThreadView(APIView):
    """Unread marks."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="read_thread", request=ReadUpTo, responses=Unread, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Store how far you have read a thread. Only later comments count as new for you."""
        comments.record_read(reach_thread(request.user, pk), ReadUpTo.of(fields_of(request))["upto"])
        return Response(Unread(found.unread_count(person(request))).to_dict())


class ThreadPeopleView(APIView):
    """The people that a reply may name."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="thread_people", responses=Nameables, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """List all other curators of the collection, and whether they would see your reply."""
        thread = reach_thread(request.user, pk).thread
        return Response(Nameables(found.mentionable_people(thread.draft, person(request))).to_dict())


class CommentView(APIView):
    """A comment of the signed-in person."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="edit_comment", request=Wording, responses=comments.CommentResult, tags=TAG)
    def patch(self, request: Request, pk: int) -> Response:
        """Change your comment. It is marked as edited, and people who are named for the first time are notified."""
        comment, access = own_comment(request.user, pk)
        values: dict[str, Any] = Wording.of(fields_of(request))
        return Response(comments.edit(access, comment, values["text"]).to_dict())

    @extend_schema(operation_id="delete_comment", responses={200: found.ThreadRow}, tags=TAG)
    def delete(self, request: Request, pk: int) -> Response:
        """Delete your comment. “deleted” appears in its place. The response is the thread."""
        comment, access = own_comment(request.user, pk)
        return Response(comments.delete(access, comment).to_dict())

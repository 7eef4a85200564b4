"""Threads of comments on a draft: read, say, answer, edit, resolve; and those that concern one, wherever they are."""

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
    """Something to say."""

    id = serializers.UUIDField(help_text="Made by you; the same id again says nothing again.")
    text = serializers.CharField(
        max_length=COMMENT_CHARS,
        trim_whitespace=False,
        help_text="Plain text; `@name` tells that person, if they may see the thread.",
    )


class NewThread(NewComment):
    """A thread with its first comment."""

    about = serializers.ChoiceField(choices=CommentThread.About.values)
    key = serializers.CharField(
        max_length=KEY_CHARS, allow_blank=True, default="", help_text="The id of the page or topic; none for `draft`."
    )
    to_lead = serializers.BooleanField(
        default=False,
        help_text="A question to those who may publish: they see it though the draft is blind to them.",
    )


class Wording(Options):
    """A comment, said otherwise."""

    text = serializers.CharField(max_length=COMMENT_CHARS, trim_whitespace=False)


class ReadUpTo(Options):
    """How far somebody has read."""

    upto = serializers.IntegerField(
        min_value=0, max_value=LARGEST_COUNT, help_text="The `spoken` of the thread as you have seen it."
    )


class SinceNumber(Options):
    """From where on."""

    since = serializers.IntegerField(
        min_value=0, max_value=LARGEST_COUNT, default=0, help_text="The `at` of an earlier answer."
    )


class OnlyUnread(Options):
    """Which threads."""

    unread = serializers.BooleanField(default=False, help_text="Only those with something you have not read.")


@dataclass(frozen=True, slots=True)
class Nameables(Record):
    """Whom a comment may name."""

    results: list[found.Nameable]


@dataclass(frozen=True, slots=True)
class Concerns(Record):
    """The threads that concern you."""

    results: list[found.Concern]


@dataclass(frozen=True, slots=True)
class Unread(Record):
    """How many threads that concern you say something you have not read."""

    TITLE = "UnreadThreads"

    unread: int


class DraftThreadsView(APIView):
    """The comments on a draft."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_threads", parameters=[SinceNumber], responses=found.Threads, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """The threads of a draft, or those that changed since; `talk` of its `changes` says when to ask again."""
        since = SinceNumber.of(request.query_params)["since"]
        return Response(found.threads_of(open_draft(request.user, pk), since).to_dict())

    @extend_schema(operation_id="start_thread", request=NewThread, responses={201: comments.Said}, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Begin a thread about a page, a topic or the draft."""
        access = reach_draft(request.user, pk)
        chosen = NewThread.of(fields_of(request))
        said = comments.start(access, chosen.pop("id"), chosen.pop("text"), **chosen)
        return Response(said.to_dict(), status=status.HTTP_201_CREATED)


class DraftPeopleView(APIView):
    """Whom a comment may name."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_people", responses=Nameables, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Everybody else who curates here, and whether they would see what you write."""
        draft = reach_draft(request.user, pk).draft
        return Response(Nameables(found.nameable(draft, person(request))).to_dict())


class OwnThreadsView(APIView):
    """The comments that concern one."""

    @extend_schema(operation_id="own_threads", parameters=[OnlyUnread], responses=Concerns, tags=TAG)
    def get(self, request: Request) -> Response:
        """Threads in which you were named or asked, or took part: unread ones first, then the latest."""
        only = OnlyUnread.of(request.query_params)["unread"]
        return Response(Concerns(found.concerning(person(request), only_unread=only)).to_dict())


class ThreadView(APIView):
    """A thread."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="thread", responses=found.ThreadRow, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """A thread with its comments."""
        return Response(found.thread_row(reach_thread(request.user, pk)).to_dict())

    @extend_schema(operation_id="answer_thread", request=NewComment, responses={201: comments.Said}, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Say something more; a resolved thread is open again then."""
        access = reach_thread(request.user, pk, write=True)
        chosen = NewComment.of(fields_of(request))
        said = comments.answer(access, chosen["id"], chosen["text"])
        return Response(said.to_dict(), status=status.HTTP_201_CREATED)


class ResolveThreadView(APIView):
    """Settle a thread."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="resolve_thread", request=None, responses=found.ThreadRow, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Mark a thread as resolved: it stays readable."""
        return Response(comments.resolve(reach_thread(request.user, pk, write=True)).to_dict())


class ReopenThreadView(APIView):
    """Open a thread again."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="reopen_thread", request=None, responses=found.ThreadRow, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Open a resolved thread again."""
        return Response(comments.reopen(reach_thread(request.user, pk, write=True)).to_dict())


class AskLeadView(APIView):
    """A question to the lead."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="ask_lead", request=None, responses=comments.LeadAsked, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Make a thread you began a question to the lead; `already` says that it was one, and nothing changed."""
        return Response(comments.ask_lead(own_thread(request.user, pk)).to_dict())


class ReadThreadView(APIView):
    """Unread marks."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="read_thread", request=ReadUpTo, responses=Unread, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Say how far you have read a thread: it counts as new for you only beyond that."""
        comments.note_read(reach_thread(request.user, pk), ReadUpTo.of(fields_of(request))["upto"])
        return Response(Unread(found.unread_count(person(request))).to_dict())


class ThreadPeopleView(APIView):
    """Whom an answer may name."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="thread_people", responses=Nameables, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Everybody else who curates here, and whether they would see what you answer."""
        thread = reach_thread(request.user, pk).thread
        return Response(Nameables(found.nameable(thread.draft, person(request))).to_dict())


class CommentView(APIView):
    """A comment of one's own."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="edit_comment", request=Wording, responses=comments.Said, tags=TAG)
    def patch(self, request: Request, pk: int) -> Response:
        """Say it otherwise; it is marked as edited. Who is named now and was not before is told."""
        comment, access = own_comment(request.user, pk)
        values: dict[str, Any] = Wording.of(fields_of(request))
        return Response(comments.edit(access, comment, values["text"]).to_dict())

    @extend_schema(operation_id="delete_comment", responses={200: found.ThreadRow}, tags=TAG)
    def delete(self, request: Request, pk: int) -> Response:
        """Take a comment back: “deleted” stays in its place. The answer is the thread."""
        comment, access = own_comment(request.user, pk)
        return Response(comments.delete(access, comment).to_dict())

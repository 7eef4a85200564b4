"""Threads of comments as people see them: those of a draft, those that concern a person, and the number of unread
ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, F, Prefetch, Q, QuerySet
from django.urls import reverse

from accounts.models import MutedNotice, User
from accounts.notices import COMMENTS_HERE
from annotations.discussion.access import (
    FACTS,
    ThreadAccess,
    ThreadFacts,
    colleagues,
    count_visible,
    visible_threads,
)
from annotations.drafts.access import DraftAccess, visible_name
from annotations.limits import SHOWN_THREADS
from annotations.models import Comment, CommentThread, Draft, ThreadReader
from qc4.records import Record

UNREAD = Q(concerned=True, thread__spoken__gt=F("read"))
"""Threads that concern a person and have comments that they have not read."""


@dataclass(frozen=True, slots=True)
class CommentRow(Record):
    """A comment. A deleted comment has no text.

    Attributes:
        op_id: the id that its sender chose.
        named: the people it names with @ who could see it.
    """

    TITLE = "Comment"

    id: int
    op_id: UUID
    by: str
    at: datetime
    text: str
    named: list[str]
    edited_at: datetime | None
    deleted: bool


@dataclass(frozen=True, slots=True)
class ThreadRow(Record):
    """A thread of comments.

    Attributes:
        key: the id of the page or topic; empty if the thread is about the draft.
        title: title of the page or name of the topic when the thread was started.
        to_lead: true for a question to the people who may publish. They see it even if the draft is blind to them.
        changed: the number of its last change, in the draft.
        spoken: the number of its last comment.
        read: the number up to which you have read it; less than `spoken` if there are new comments.
        may_ask: true if you may make it a question to the lead and it is not one yet.
    """

    TITLE = "CommentThread"

    id: int
    draft: int
    about: str
    key: str
    title: str
    to_lead: bool
    changed: int
    spoken: int
    read: int
    resolved_by: str | None
    resolved_at: datetime | None
    may_write: bool
    may_ask: bool
    comments: list[CommentRow]


@dataclass(frozen=True, slots=True)
class Threads(Record):
    """Threads of a draft.

    Attributes:
        at: the number of the latest change to any of them. Send it as `since` to get later changes.
    """

    TITLE = "CommentThreads"

    at: int
    results: list[ThreadRow]


@dataclass(frozen=True, slots=True)
class Concern(Record):
    """A thread that concerns you, and its place.

    Attributes:
        address: URL of the draft's workspace; null while the draft is blind to you.
    """

    collection: str
    query: str
    query_address: str
    draft_name: str
    address: str | None
    unread: bool
    thread: ThreadRow


@dataclass(frozen=True, slots=True)
class Nameable(Record):
    """A person that a comment may name.

    Attributes:
        sees: true if they see the draft's threads. Otherwise they are not notified.
        leads: true if they see questions to the lead in this draft.
    """

    name: str
    sees: bool
    leads: bool


def threads_of(access: DraftAccess, since: int = 0) -> Threads:
    """Return the threads of a draft that changed after a number, oldest first."""
    threads = access.draft.threads.filter(changed__gt=since).select_related("resolved_by")
    found = [ThreadAccess(thread, access.person, True) for thread in threads]
    for one in found:
        one.thread.draft = access.draft
    return Threads(access.draft.talk, thread_rows(found))


def thread_row(access: ThreadAccess) -> ThreadRow:
    """Return one thread with its comments."""
    return thread_rows([access])[0]


def thread_rows(accesses: Sequence[ThreadAccess]) -> list[ThreadRow]:
    """Return threads that one person sees, with their comments; three queries to the database."""
    if not accesses:
        return []
    pks = [access.thread.pk for access in accesses]
    named = Prefetch("named", User.objects.order_by("username").only("username"))
    comments: dict[int, list[CommentRow]] = {pk: [] for pk in pks}
    for comment in Comment.objects.filter(thread__in=pks).select_related("user").prefetch_related(named).order_by("pk"):
        comments[comment.thread_id].append(_comment_row(comment))
    readers = ThreadReader.objects.filter(thread__in=pks, user=accesses[0].person)
    read = dict(readers.values_list("thread", "read"))
    return [_thread_row(access, read.get(access.thread.pk, 0), comments[access.thread.pk]) for access in accesses]


def threads_concerning(person: User, *, only_unread: bool = False) -> list[Concern]:
    """Return the threads that concern a person and that they may see now: unread ones first, then the latest."""
    readers = _new(person) if only_unread else _concerned(person)
    latest = readers.order_by("-thread__spoken_at", "-thread_id")
    seen = visible_threads(person, [reader.thread for reader in latest[:SHOWN_THREADS]])
    found = [_concern(access, row) for access, row in zip(seen, thread_rows(seen), strict=True)]
    return sorted(found, key=lambda one: not one.unread)


def takes_part(person: User) -> bool:
    """True if any thread concerns the person."""
    return ThreadReader.objects.filter(user=person, concerned=True).exists()


def unread_count(person: User) -> int:
    """Return the number of threads that concern a person and have comments they have not read.

    It is 0 for people who have switched off notices on the site. Takes one query if there are no such threads.
    """
    muted = MutedNotice.objects.filter(user=person, kind=COMMENTS_HERE.key)
    new = ThreadReader.objects.filter(~Exists(muted), UNREAD, user=person).order_by()
    facts = new.values_list(*(f"thread__{name}" for name in FACTS))[:SHOWN_THREADS]
    return count_visible(person, [ThreadFacts(*one) for one in facts])


def _concerned(person: User) -> QuerySet[ThreadReader]:
    readers = ThreadReader.objects.filter(user=person, concerned=True)
    return readers.select_related("thread__draft__query__collection", "thread__resolved_by")


def _new(person: User) -> QuerySet[ThreadReader]:
    return _concerned(person).filter(UNREAD)


def mentionable_people(draft: Draft, person: User) -> list[Nameable]:
    """Return the people that a comment on a draft may name: all other curators of the collection."""
    return [Nameable(one.user.username, one.sees, one.leads) for one in colleagues(draft) if one.user != person]


def threads_about(person: User, drafts: Iterable[int], about: str, keys: Iterable[str]) -> list[ThreadRow]:
    """Return the threads of some drafts about these pages, or these topics, that this person may see."""
    threads = CommentThread.objects.filter(draft__in=list(drafts), about=about, key__in=list(keys))
    found = threads.select_related("draft__query__collection", "resolved_by").order_by("pk")
    return thread_rows(visible_threads(person, list(found)))


def comment_urls(draft: Draft | None = None) -> dict[str, str]:
    """Return the URLs of threads and comments for scripts; ``{id}`` is replaced by the id of one."""
    comment = reverse("api:comment", args=[0]).removesuffix("0")
    found = {"thread": reverse("api:own-threads") + "/{id}", "comment": f"{comment}{{id}}", "own": reverse("comments")}
    if draft is None:
        return found | {"concerns": reverse("api:own-threads")}
    of_draft = {name: reverse(f"api:draft-{name}", args=[draft.pk]) for name in ("threads", "people")}
    return found | of_draft


def _comment_row(comment: Comment) -> CommentRow:
    return CommentRow(
        id=comment.pk,
        op_id=comment.op_id,
        by=comment.user.get_username(),
        at=comment.created_at,
        text=comment.text,
        named=[user.get_username() for user in comment.named.all()],
        edited_at=comment.edited_at,
        deleted=comment.deleted_at is not None,
    )


def _thread_row(access: ThreadAccess, read: int, comments: list[CommentRow]) -> ThreadRow:
    thread = access.thread
    return ThreadRow(
        id=thread.pk,
        draft=thread.draft_id,
        about=thread.about,
        key=thread.key,
        title=thread.title,
        to_lead=thread.to_lead,
        changed=thread.changed,
        spoken=thread.spoken,
        read=read,
        resolved_by=thread.resolved_by.get_username() if thread.resolved_by else None,
        resolved_at=thread.resolved_at,
        may_write=access.may_write,
        may_ask=not thread.to_lead and bool(comments) and access.may_ask(comments[0].by),
        comments=comments,
    )


def _concern(access: ThreadAccess, row: ThreadRow) -> Concern:
    draft = access.thread.draft
    return Concern(
        collection=draft.query.collection.name,
        query=draft.query.text or draft.query.key,
        query_address=reverse("query", args=[draft.query.collection.slug, draft.query.key]),
        draft_name=visible_name(draft, blind=not access.sees_draft),
        address=reverse("draft", args=[draft.pk]) if access.sees_draft else None,
        unread=row.spoken > row.read,
        thread=row,
    )

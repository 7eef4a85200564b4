"""Comment on a draft, reply, resolve threads, and notify the people concerned. The draft's log contains none of
this."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Greatest, Now
from django.utils import timezone

from accounts import mail, notices
from accounts.mail import notify
from accounts.models import User
from annotations.access import with_key
from annotations.discussion.access import ARCHIVED, Colleague, ThreadAccess, colleagues, visible_threads
from annotations.discussion.selectors import ThreadRow, thread_row
from annotations.drafts.access import DraftAccess
from annotations.drafts.presence import PRESENCE_SECONDS
from annotations.drafts.selectors import states
from annotations.drafts.services.errors import DraftError
from annotations.limits import DRAFT_THREADS, THREAD_COMMENTS, TITLE_CHARS
from annotations.models import Comment, CommentThread, Draft, ThreadReader
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.wording import clipped

About = CommentThread.About


@dataclass(frozen=True, slots=True)
class CommentResult(Record):
    """The result of writing a comment.

    Attributes:
        told: the people it names or asks, who are notified.
        not_told: the people it names who may not see it, and are not notified.
    """

    TITLE = "CommentSaid"

    thread: ThreadRow
    told: list[str]
    not_told: list[str]


@dataclass(frozen=True, slots=True)
class LeadAsked(Record):
    """The result of asking the lead.

    Attributes:
        already: true if the thread was a question to the lead before. Nothing was changed, and nobody was notified.
        told: the people who are asked.
    """

    thread: ThreadRow
    already: bool
    told: list[str]


def start(
    access: DraftAccess, op_id: UUID, text: str, *, about: str, key: str = "", to_lead: bool = False
) -> CommentResult:
    """Start a thread about a page, a topic (which may be deleted by now) or the draft. Repeating an id has no effect.

    Raises:
        InputError: if there is no such page or topic, or the text is empty.
        DraftError: if the draft is archived, or has reached the maximum number of threads.
    """
    if found := _said_before(access.person, op_id):
        return found
    draft = access.draft
    if draft.is_archived:
        raise DraftError("draft-archived", ARCHIVED, "Restore it first.")
    facts = {"about": about, "key": key, "title": _title(draft, about, key), "to_lead": to_lead}
    _require_words(text)
    with transaction.atomic():
        number = _next(draft)
        if draft.threads.count() >= DRAFT_THREADS:
            raise DraftError(
                "too-many-threads", f"A draft holds at most {DRAFT_THREADS:,} threads.", "Reply in an existing thread."
            )
        thread = CommentThread.objects.create(draft=draft, changed=number, spoken=number, **facts)
        return _say(ThreadAccess(thread, access.person, True), op_id, text)


def answer(access: ThreadAccess, op_id: UUID, text: str) -> CommentResult:
    """Reply in a thread, which reopens a resolved one. Raises like `start`."""
    if found := _said_before(access.person, op_id):
        return found
    _require_words(text)
    thread = access.thread
    with transaction.atomic():
        number = _next(thread.draft)
        if thread.comments.count() >= THREAD_COMMENTS:
            raise DraftError(
                "too-many-comments", f"A thread holds at most {THREAD_COMMENTS} comments.", "Start another thread."
            )
        _set(thread, changed=number, spoken=number, spoken_at=timezone.now(), resolved_by=None, resolved_at=None)
        return _say(access, op_id, text)


def edit(access: ThreadAccess, comment: Comment, text: str) -> CommentResult:
    """Change a comment. People who are named for the first time are notified."""
    _require_words(text)
    if comment.deleted_at is not None:
        raise DraftError("comment-deleted", "This comment was deleted.", "Write another one.")
    with transaction.atomic():
        _set(access.thread, changed=_next(access.thread.draft))
        Comment.objects.filter(pk=comment.pk).update(text=text, edited_at=Now())
        before = set(comment.named.values_list("pk", flat=True))
        comment.text = text
        people = colleagues(access.thread.draft)
        told, not_told = _named(access, text, people)
        comment.named.set(told)
        fresh = [user for user in told if user.pk not in before]
        _concern(access.thread, fresh)
        _write(access, fresh, notices.COMMENTS, "comment_named")
        return _outcome(access, fresh, not_told)


def delete(access: ThreadAccess, comment: Comment) -> ThreadRow:
    """Delete a comment. It stays visible that its author wrote one."""
    with transaction.atomic():
        _set(access.thread, changed=_next(access.thread.draft))
        Comment.objects.filter(pk=comment.pk).update(text="", deleted_at=Now())
        comment.named.clear()
        return thread_row(access)


def resolve(access: ThreadAccess) -> ThreadRow:
    """Mark a thread as resolved, unless it is resolved already."""
    return _settle(access, access.person)


def reopen(access: ThreadAccess) -> ThreadRow:
    """Reopen a thread, unless it is open already."""
    return _settle(access, None)


def ask_lead(access: ThreadAccess) -> LeadAsked:
    """Make a thread a question to the lead, unless it is one already. A resolved thread is reopened."""
    thread, person = access.thread, access.person
    if thread.to_lead:
        return LeadAsked(thread_row(access), True, [])
    with transaction.atomic():
        number = _next(thread.draft)
        # If two people ask at once, the second waits for the draft's row and then finds that the lead was asked
        # already.
        if not CommentThread.objects.filter(pk=thread.pk, to_lead=False).update(to_lead=True):
            thread.refresh_from_db(fields=["to_lead", "changed"])
            return LeadAsked(thread_row(access), True, [])
        _set(thread, to_lead=True, changed=number, resolved_by=None, resolved_at=None)
        asked = _asked(person, colleagues(thread.draft))
        # It is new to them, even if they have read the comments before.
        _readers(thread, asked, read=0, concerned=True)
        _write(access, asked, notices.QUESTIONS, "comment_asked")
        return LeadAsked(thread_row(access), False, [user.get_username() for user in asked])


def record_read(access: ThreadAccess, upto: int) -> None:
    """Record that a person has read a thread up to a number, unless they have read further."""
    upto = min(upto, access.thread.spoken)
    rows = ThreadReader.objects.filter(thread=access.thread, user=access.person)
    if not rows.update(read=Greatest(F("read"), upto)):
        _readers(access.thread, [access.person], read=upto)


def _say(access: ThreadAccess, op_id: UUID, text: str) -> CommentResult:
    """Create the comment, within the transaction that took its number."""
    thread, person = access.thread, access.person
    is_first = not thread.comments.exists()
    before = set(thread.readers.filter(concerned=True).values_list("user", flat=True))
    try:
        with transaction.atomic():
            comment = thread.comments.create(op_id=op_id, user=person, text=text)
    except IntegrityError:  # the same comment was sent twice at once
        raise DraftError("sent-twice", "This comment is already being stored.", "Load the threads again.") from None
    people = colleagues(thread.draft)
    told, not_told = _named(access, text, people)
    comment.named.set(told)
    listening = [one.user for one in people if one.sees_thread(thread.to_lead) and one.user != person]
    asked = _asked(person, people) if thread.to_lead and is_first else []
    own = thread.draft.curator_id
    others = [user for user in listening if user.pk in before or user.pk == own]
    _concern(thread, {*told, *asked, *others})
    _readers(thread, [person], read=thread.spoken, concerned=True)
    _write(access, asked, notices.QUESTIONS, "comment_asked")
    _write(access, _without(told, asked), notices.COMMENTS, "comment_named")
    _write(access, _without(others, asked, told), notices.COMMENTS, "comment_answered")
    return _outcome(access, [*asked, *_without(told, asked)], not_told)


def _asked(person: User, people: Iterable[Colleague]) -> list[User]:
    """Return the people who receive this person's questions to the lead."""
    return [one.user for one in people if one.leads and one.user != person]


def _said_before(person: User, op_id: UUID) -> CommentResult | None:
    comments = Comment.objects.filter(user=person, op_id=op_id)
    comment = comments.select_related("thread__draft__query__collection", "thread__resolved_by").first()
    if comment is None:
        return None
    seen = visible_threads(person, [comment.thread])
    if not seen:
        raise DraftError("id-used", "This id was used for a comment that you can no longer see.", "Use a new id.")
    return CommentResult(thread_row(seen[0]), [], [])


def _outcome(access: ThreadAccess, told: Iterable[User], not_told: Iterable[User]) -> CommentResult:
    row = thread_row(access)
    return CommentResult(row, [user.get_username() for user in told], [user.get_username() for user in not_told])


def _named(access: ThreadAccess, text: str, people: list[Colleague]) -> tuple[list[User], list[User]]:
    """Return the people that a text names: those who see the thread, and those who do not."""
    by_name = {one.user.get_username(): one for one in people if one.user != access.person}
    named = [by_name[name] for name in mentions_in(text, by_name)]
    told = [one.user for one in named if one.sees_thread(access.thread.to_lead)]
    return told, _without([one.user for one in named], told)


def _without(users: Iterable[User], *others: Iterable[User]) -> list[User]:
    left_out = {user.pk for some in others for user in some}
    return [user for user in users if user.pk not in left_out]


def _concern(thread: CommentThread, users: Iterable[User]) -> None:
    """Notify these people of later comments in a thread."""
    users = list(users)
    ThreadReader.objects.filter(thread=thread, user__in=users).update(concerned=True)
    rows = [ThreadReader(thread=thread, user=user, concerned=True) for user in users]
    ThreadReader.objects.bulk_create(rows, ignore_conflicts=True)


def _readers(thread: CommentThread, users: Iterable[User], **facts: int) -> None:
    ThreadReader.objects.bulk_create(
        [ThreadReader(thread=thread, user=user, **facts) for user in users],
        update_conflicts=True,
        unique_fields=["thread", "user"],
        update_fields=list(facts),
    )


def _settle(access: ThreadAccess, by: User | None) -> ThreadRow:
    thread = access.thread
    if (thread.resolved_at is None) == (by is None):
        return thread_row(access)
    with transaction.atomic():
        _set(thread, changed=_next(thread.draft), resolved_by=by, resolved_at=timezone.now() if by else None)
    return thread_row(access)


def _next(draft: Draft) -> int:
    """Return the next number of a draft's threads. Other transactions wait for this one before they take a number."""
    Draft.objects.filter(pk=draft.pk).update(talk=F("talk") + 1)
    draft.refresh_from_db(fields=["talk"])
    return draft.talk


def _set(thread: CommentThread, **values: object) -> None:
    for name, value in values.items():
        setattr(thread, name, value)
    CommentThread.objects.filter(pk=thread.pk).update(**values)


def _require_words(text: str) -> None:
    if not text.strip():
        raise InputError([Problem("no-words", "text", "an empty text", "a text")])


def _title(draft: Draft, about: str, key: str) -> str:
    """Return the title of a page or the name of a topic.

    Raises:
        InputError: if there is and was none with this id in the draft.
    """
    if about == About.DRAFT:
        if key:
            raise InputError(
                [Problem("no-key", "key", repr(key), "an empty key, because the thread is about the draft")]
            )
        return ""
    title = _page_title(draft, key) if about == About.PAGE else _topic_name(draft, key)
    if title is None:
        raise InputError([Problem(f"unknown-{about}", "key", repr(key), f"the id of a {about} of this draft")])
    return clipped(title, TITLE_CHARS)


def _page_title(draft: Draft, key: str) -> str | None:
    page = with_key(draft.query.pages.only("title", "key"), key)
    return (page.title or page.key) if page else None


def _topic_name(draft: Draft, key: str) -> str | None:
    """Return the name of a topic of the draft, or of one that was deleted or merged away: its comments are still
    stored."""
    topic = states.current(draft).state.topics.get(key)
    if topic is not None:
        return topic.name
    for changes in draft.entries.order_by("-revision").values_list("changes", flat=True).iterator(100):
        for change in changes:
            if change["c"] == "topic-" and change["topic"]["id"] == key:
                name: str = change["topic"]["name"]
                return name
    return None


def _write(access: ThreadAccess, users: list[User], notice: notices.Notice, email: str) -> None:
    """Send e-mails to people who do not have the draft open. The e-mails omit the comment: addresses may be
    unconfirmed."""
    thread = access.thread
    since = timezone.now() - timedelta(seconds=PRESENCE_SECONDS)
    here = set(thread.draft.presences.filter(seen_at__gt=since).values_list("user", flat=True)) if users else set()
    facts = {
        "who": access.person.get_username(),
        "collection": thread.draft.query.collection.name,
        "query": thread.draft.query.text or thread.draft.query.key,
        "page": mail.link("comments"),
    }
    notify([user for user in users if user.pk not in here], notice, email, **facts)


# --- Mentions ---------------------------------------------------------------------------------------------------------
# `static/js/discussion/mentions.js` shows the same names before a comment is sent.

_GOES_ON = re.compile(r"[\w@+-]|\.\w")
"""Matches if a name continues: "@anna" and "@ann.b" do not name "ann", but "@ann." and "@ann's" do."""


def mentions_in(text: str, names: Iterable[str]) -> list[str]:
    """Return those of the names that a text mentions as ``@name``, ignoring case, in the order of their first mention.

    An @ within a word (as in an e-mail address) names nobody. If several names fit, the longest one counts.
    """
    by_length = sorted(names, key=len, reverse=True)
    lower = text.lower()
    found: dict[str, None] = {}
    for at in (match.end() for match in re.finditer("@", text)):
        if at > 1 and re.match(r"\w", text[at - 2]):
            continue
        fits = (name for name in by_length if lower.startswith(name.lower(), at))
        name = next((name for name in fits if not _GOES_ON.match(text, at + len(name))), None)
        if name:
            found.setdefault(name)
    return list(found)

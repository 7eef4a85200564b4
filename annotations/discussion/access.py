"""Access rules for threads of comments. They extend `annotations.drafts.access` (see docs/decisions/comments.md).

A thread belongs to a draft: the people who may see the draft see its threads, and nobody else does. There is one
exception. A question to the lead is also visible to the people who may publish, although an open draft is blind to
them. It shows them what the draft's curator wrote there, and nothing of the draft. People who work on their own draft
of the same query see none of its threads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404

from accounts.models import User
from accounts.person import Person
from annotations.access import RIGHTS_OF_ROLE, May
from annotations.drafts.access import independent_annotators, independent_queries, is_blind
from annotations.models import Comment, CommentThread, Draft, Membership

ARCHIVED = "The draft is archived: you can read its comments but not add any."


@dataclass(frozen=True, slots=True)
class ThreadAccess:
    """A thread that a person may see.

    Attributes:
        sees_draft: True if they may also open the draft; False if they see only the question to the lead.
    """

    thread: CommentThread
    person: User
    sees_draft: bool

    @property
    def may_write(self) -> bool:
        """True if they may reply in it, resolve it and reopen it."""
        return not self.thread.draft.is_archived

    def may_ask(self, author: str) -> bool:
        """True if they may make it a question to the lead: they started it, and it is not in another curator's own
        draft.

        The lead still sees the question after that draft is reopened, and only its curator may decide to show their
        work.
        """
        draft = self.thread.draft
        shows_others = draft.kind == Draft.Kind.OWN and draft.curator_id != self.person.pk
        return self.may_write and author == self.person.get_username() and not shows_others


class ThreadFacts(NamedTuple):
    """The facts that decide whether a person sees a thread: its own, and those of its draft."""

    to_lead: bool
    kind: str
    status: str
    curator_id: int | None
    query: int
    collection: int

    @classmethod
    def of(cls, thread: CommentThread) -> ThreadFacts:
        draft = thread.draft
        return cls(
            thread.to_lead, draft.kind, draft.status, draft.curator_id, draft.query_id, draft.query.collection_id
        )


FACTS = ("to_lead", "draft__kind", "draft__status", "draft__curator_id", "draft__query", "draft__query__collection")
"""The fields of threads that contain the `ThreadFacts`, in the same order."""


@dataclass(frozen=True, slots=True)
class Colleague:
    """A curator of the collection, with the threads of a draft they see: all, or only questions to the lead
    (``leads``)."""

    user: User
    sees: bool
    leads: bool

    def sees_thread(self, to_lead: bool) -> bool:
        return self.sees or (to_lead and self.leads)


def reach_thread(person: Person, pk: int, *, write: bool = False) -> ThreadAccess:
    """Return a thread that this person may see.

    Raises:
        Http404: if it does not exist or may not be seen.
        PermissionDenied: if ``write`` is True and it may be seen but not added to.
    """
    threads = CommentThread.objects.select_related("draft__query__collection", "resolved_by")
    found = threads.filter(pk=pk).first()
    access = next(iter(visible_threads(person, [found] if found else [])), None)
    if access is None:
        raise Http404("There is no such thread of comments.")
    if write and not access.may_write:
        raise PermissionDenied(ARCHIVED)
    return access


def own_comment(person: Person, pk: int) -> tuple[Comment, ThreadAccess]:
    """Return a comment that this person wrote, for a change to it; raises like `reach_thread`."""
    comment = Comment.objects.select_related("user").filter(pk=pk).first()
    if comment is None:
        raise Http404("There is no such comment.")
    access = reach_thread(person, comment.thread_id)
    if comment.user_id != access.person.pk:
        raise PermissionDenied("Only the author of a comment can change or delete it.")
    if not access.may_write:
        raise PermissionDenied(ARCHIVED)
    return comment, access


def own_thread(person: Person, pk: int) -> ThreadAccess:
    """Return a thread that this person may make a question to the lead; raises like `reach_thread`."""
    access = reach_thread(person, pk, write=True)
    first = access.thread.comments.select_related("user").first()
    if first is None or not access.may_ask(first.user.get_username()):
        raise PermissionDenied("Only a thread's author can ask the lead, and not in another's own draft.")
    return access


def visible_threads(person: Person, threads: Sequence[CommentThread]) -> list[ThreadAccess]:
    """Return those of the threads that this person may see now; two queries to the database.

    Args:
        threads: threads with their draft and its query loaded.
    """
    if not isinstance(person, User):
        return []
    facts = [ThreadFacts.of(thread) for thread in threads]
    seen = zip(threads, _seen(person, facts), strict=True)
    return [ThreadAccess(thread, person, sees_draft) for thread, sees_draft in seen if sees_draft is not None]


def count_visible(person: User, threads: Sequence[ThreadFacts]) -> int:
    """Return how many of the threads this person may see now; two queries to the database."""
    return sum(sees_draft is not None for sees_draft in _seen(person, threads))


def colleagues(draft: Draft) -> list[Colleague]:
    """Return all curators of the collection by name, and what each sees of the draft's threads; two queries."""
    allowed: dict[User, frozenset[May]] = defaultdict(frozenset)
    members = Membership.objects.filter(collection=draft.query.collection_id, user__is_active=True)
    for member in members.select_related("user").order_by("user__username"):
        allowed[member.user] |= RIGHTS_OF_ROLE[member.role]
    alone = independent_annotators(draft.query)
    return [
        Colleague(user, not is_blind(user, draft, user.pk in alone), May.PUBLISH in may and user.pk not in alone)
        for user, may in allowed.items()
        if May.CURATE in may
    ]


def _rights(person: User) -> dict[int, frozenset[May]]:
    """Return a mapping from collection to the rights that this person's roles give there."""
    rights: dict[int, frozenset[May]] = defaultdict(frozenset)
    for collection, role in Membership.objects.filter(user=person).order_by().values_list("collection_id", "role"):
        rights[collection] |= RIGHTS_OF_ROLE[role]
    return rights


def _seen(person: User, threads: Sequence[ThreadFacts]) -> list[bool | None]:
    """Return for each thread True if this person may also open its draft, False if not, and None if they may not see
    it."""
    if not threads:
        return []
    may = _rights(person)
    queries = {thread.query for thread in threads}
    alone = set(independent_queries(person).filter(pk__in=queries).values_list("pk", flat=True))
    return [_sees(person, thread, may[thread.collection], thread.query in alone) for thread in threads]


def _sees(person: User, thread: ThreadFacts, may: Collection[May], is_alone: bool) -> bool | None:
    if May.CURATE not in may:
        return None
    if not is_blind(person, thread, is_alone):
        return True
    return False if thread.to_lead and May.PUBLISH in may and not is_alone else None

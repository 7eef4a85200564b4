"""Who sees which threads of comments: `annotations.drafts.access` said of conversations (docs/decisions/comments.md).

A thread belongs to its draft: who may see that sees its threads, and nobody else does. One kind goes further: a
question to the lead is also for those who decide in the end (who may publish), though an open draft is blind to them.
It shows them what its curator wrote there, nothing of the draft. Who works on a draft of their own on the same query
sees none.
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
from annotations.access import MAY, May
from annotations.drafts.access import alone_on, is_blind, works_alone
from annotations.models import Comment, CommentThread, Draft, Membership

ARCHIVED = "The draft is archived: its comments can be read, not added to."


@dataclass(frozen=True, slots=True)
class ThreadAccess:
    """A thread somebody may see.

    Attributes:
        sees_draft: whether they may open the draft as well; else they are the lead who is asked.
    """

    thread: CommentThread
    person: User
    sees_draft: bool

    @property
    def may_write(self) -> bool:
        """Whether they may answer in it, resolve it, and open it again."""
        return not self.thread.draft.is_archived

    def may_ask(self, author: str) -> bool:
        """Whether they may make it a question to the lead: who began it, and nobody in another curator's own draft.

        It stays with the lead when that draft is opened again, and what its curator says is theirs to show.
        """
        draft = self.thread.draft
        shows_others = draft.kind == Draft.Kind.OWN and draft.curator_id != self.person.pk
        return self.may_write and author == self.person.get_username() and not shows_others


class ThreadFacts(NamedTuple):
    """What it follows from whether somebody sees a thread: of itself, and of its draft (`DraftFacts`)."""

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
"""Where threads have what `ThreadFacts` are, in its order."""


@dataclass(frozen=True, slots=True)
class Colleague:
    """Somebody who curates here, and what they see of a draft's threads: all, or at least questions to the lead."""

    user: User
    sees: bool
    leads: bool

    def sees_thread(self, to_lead: bool) -> bool:
        return self.sees or (to_lead and self.leads)


def reach_thread(person: Person, pk: int, *, write: bool = False) -> ThreadAccess:
    """A thread this person may see.

    Raises:
        Http404: there is none, or it may not be seen.
        PermissionDenied: it may be seen, but not added to.
    """
    threads = CommentThread.objects.select_related("draft__query__collection", "resolved_by")
    found = threads.filter(pk=pk).first()
    access = next(iter(seen_threads(person, [found] if found else [])), None)
    if access is None:
        raise Http404("There is no such thread of comments.")
    if write and not access.may_write:
        raise PermissionDenied(ARCHIVED)
    return access


def own_comment(person: Person, pk: int) -> tuple[Comment, ThreadAccess]:
    """A comment this person wrote, to change it; raises as `reach_thread`."""
    comment = Comment.objects.select_related("user").filter(pk=pk).first()
    if comment is None:
        raise Http404("There is no such comment.")
    access = reach_thread(person, comment.thread_id)
    if comment.user_id != access.person.pk:
        raise PermissionDenied("Only who wrote a comment changes or deletes it.")
    if not access.may_write:
        raise PermissionDenied(ARCHIVED)
    return comment, access


def own_thread(person: Person, pk: int) -> ThreadAccess:
    """A thread this person may make a question to the lead; raises as `reach_thread`."""
    access = reach_thread(person, pk, write=True)
    first = access.thread.comments.select_related("user").first()
    if first is None or not access.may_ask(first.user.get_username()):
        raise PermissionDenied("Only who began a thread asks the lead in it, and not in another curator's own draft.")
    return access


def seen_threads(person: Person, threads: Sequence[CommentThread]) -> list[ThreadAccess]:
    """Those of some threads that this person may see now; two queries.

    Args:
        threads: with their draft and its query.
    """
    if not isinstance(person, User):
        return []
    facts = [ThreadFacts.of(thread) for thread in threads]
    seen = zip(threads, _seen(person, facts), strict=True)
    return [ThreadAccess(thread, person, sees_draft) for thread, sees_draft in seen if sees_draft is not None]


def count_seen(person: User, threads: Sequence[ThreadFacts]) -> int:
    """How many of some threads this person may see now, as `seen_threads`; two queries."""
    return sum(sees_draft is not None for sees_draft in _seen(person, threads))


def colleagues(draft: Draft) -> list[Colleague]:
    """Everybody who curates here, by name, and what each sees of the draft's threads; two queries."""
    allowed: dict[User, frozenset[May]] = defaultdict(frozenset)
    members = Membership.objects.filter(collection=draft.query.collection_id, user__is_active=True)
    for member in members.select_related("user").order_by("user__username"):
        allowed[member.user] |= MAY[member.role]
    alone = alone_on(draft.query)
    return [
        Colleague(user, not is_blind(user, draft, user.pk in alone), May.PUBLISH in may and user.pk not in alone)
        for user, may in allowed.items()
        if May.CURATE in may
    ]


def _rights(person: User) -> dict[int, frozenset[May]]:
    """Collection -> what this person's roles give there."""
    rights: dict[int, frozenset[May]] = defaultdict(frozenset)
    for collection, role in Membership.objects.filter(user=person).order_by().values_list("collection_id", "role"):
        rights[collection] |= MAY[role]
    return rights


def _seen(person: User, threads: Sequence[ThreadFacts]) -> list[bool | None]:
    """For each thread whether this person may open its draft as well; None where they may not see it now."""
    if not threads:
        return []
    may = _rights(person)
    queries = {thread.query for thread in threads}
    alone = set(works_alone(person).filter(pk__in=queries).values_list("pk", flat=True))
    return [_sees(person, thread, may[thread.collection], thread.query in alone) for thread in threads]


def _sees(person: User, thread: ThreadFacts, may: Collection[May], is_alone: bool) -> bool | None:
    if May.CURATE not in may:
        return None
    if not is_blind(person, thread, is_alone):
        return True
    return False if thread.to_lead and May.PUBLISH in may and not is_alone else None

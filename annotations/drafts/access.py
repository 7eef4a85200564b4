"""Access rules for drafts and adjudications."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from accounts.models import User
from accounts.person import Person, prepared
from annotations.access import May, capabilities
from annotations.models import Adjudication, Assignment, ComparedDraft, Draft, DraftEntry, OthersSeen, Query


class OwnedDraft(Protocol):
    """The draft fields that decide whether a list entry is blind."""

    @property
    def kind(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def curator_id(self) -> int | None: ...


class NamedDraft(Protocol):
    """The draft fields that decide which name a list shows."""

    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...


class BlindError(Http404):
    """A curator may not see the contents of a draft yet.

    Attributes:
        draft: the draft that is blind to this person.
        alone: True if the person still annotates the query independently (see `works_alone`); False if the draft is not
            submitted.
    """

    def __init__(self, draft: Draft, person: User, *, alone: bool) -> None:
        super().__init__("There is no such draft.")
        self.draft = draft
        self.person = person
        self.alone = alone


class ReopenedError(Exception):
    """A comparison cannot be shown now because one of its drafts, or the person's own draft, was reopened.

    Attributes:
        draft: the reopened draft.
        mine: True if it is the person's own draft.
        sentence, fix: messages for people and programs; ``code`` is for programs.
    """

    code = "draft-reopened"
    fix = "You can compare it again at the same URL once it is submitted. Until then, compare other drafts."

    def __init__(self, draft: Draft, *, mine: bool) -> None:
        self.draft = draft
        self.mine = mine
        who = f" by {draft.reopened_by.get_username()}" if draft.reopened_by else ""
        when = f" on {draft.reopened_at:%Y-%m-%d at %H:%M} UTC" if draft.reopened_at else ""
        whose = f"Your draft {draft.name!r}" if mine else f"The draft of {draft.curator or 'another curator'}"
        closed = "other drafts of this query are closed to you" if mine else "it is closed to others"
        self.sentence = f"{whose} was reopened{who}{when}. Until it is submitted, {closed}."
        if mine:
            self.fix = "Submit your draft. You can then see the comparison again at the same URL."
        super().__init__(self.sentence)

    @property
    def more(self) -> dict[str, object]:
        """Further details for programs."""
        by = self.draft.reopened_by and self.draft.reopened_by.get_username()
        return {"draft": self.draft.pk, "reopened_by": by, "reopened_at": self.draft.reopened_at}


@dataclass(frozen=True, slots=True)
class DraftAccess:
    """A draft that a person may see, and what they may do with it.

    Attributes:
        shows_others: True if the draft contains others' work and is the first such draft of its query that this person
            sees.
    """

    draft: Draft
    person: User
    may: frozenset[May]
    shows_others: bool

    @property
    def may_edit(self) -> bool:
        """True if they may edit it while it is open: its curator, any curator of a shared draft, or for an adjudication
        anyone who may publish."""
        if self.draft.kind == Draft.Kind.OWN:
            return self.is_mine
        return (May.CURATE if self.draft.kind == Draft.Kind.SHARED else May.PUBLISH) in self.may

    @property
    def may_submit(self) -> bool:
        """True for its curator and for anyone who may publish. The same people may archive or rename it."""
        return self.is_mine or May.PUBLISH in self.may

    @property
    def may_reopen(self) -> bool:
        """True for anyone who may publish, and for its curator until the draft can be compared with others.

        Once curators have submitted, they can see what others have submitted. Further changes would no longer be blind.
        """
        return May.PUBLISH in self.may or (self.is_mine and not self._is_adjudicated() and not self._others_are_seen())

    @property
    def restores_closed(self) -> bool:
        """True if the draft must be submitted when it is restored from the archive.

        After archiving an open draft of their own, curators may have seen what others had submitted. Further changes
        would no longer be blind.
        """
        is_open = self.draft.status == Draft.Status.OPEN
        return is_open and self.draft.kind == Draft.Kind.OWN and May.PUBLISH not in self.may and self._others_are_seen()

    @property
    def may_publish(self) -> bool:
        return May.PUBLISH in self.may

    @property
    def is_mine(self) -> bool:
        return self.draft.curator_id == self.person.pk

    def _is_adjudicated(self) -> bool:
        return ComparedDraft.objects.filter(draft=self.draft).exists()

    def _others_are_seen(self) -> bool:
        submitted = Draft.objects.filter(query=self.draft.query_id, kind=Draft.Kind.OWN, status=Draft.Status.SUBMITTED)
        return self.draft.kind == Draft.Kind.OWN and submitted.exclude(curator=self.person).exists()


def reach_draft(person: Person, pk: int, may: May = May.CURATE) -> DraftAccess:
    """Return a draft and what this person may do with it; two queries to the database.

    Only curators see drafts. Other people's own drafts are blind, whatever the person's role: they stay hidden until
    they are submitted, and as long as the person annotates the same query independently (see `works_alone`). In the
    latter case, adjudications are hidden too.

    Raises:
        Http404: if the draft does not exist or may not be seen.
        PermissionDenied: if it may be seen, but ``may`` is not allowed.
    """
    if not isinstance(person, User):
        raise Http404("There is no such draft.")
    try:
        draft = _drafts_for(person).get(pk=pk)
    except Draft.DoesNotExist:
        raise Http404("There is no such draft.") from None
    allowed = capabilities(person, draft.query.collection)
    alone = _is_of_others(person, draft) and independent_queries(person).filter(pk=draft.query_id).exists()
    if May.CURATE not in allowed:
        raise Http404("There is no such draft.")
    if is_blind(person, draft, alone):
        raise BlindError(draft, person, alone=alone)
    if may not in allowed:
        raise PermissionDenied(f"You need the right to {may} in this collection. Ask one of its owners.")
    added: Any = draft  # has the attributes that `_drafts_for` adds
    shows_others = not added.is_noted and contains_others_work(person, draft, added.has_entries_of_others)
    return DraftAccess(draft, person, allowed, shows_others)


@prepared
def _drafts_for(person: Person) -> QuerySet[Draft]:
    """Return all drafts, annotated with the values that `DraftAccess.shows_others` is computed from."""
    noted = OthersSeen.objects.filter(query=OuterRef("query"), user=person.pk)
    by_others = DraftEntry.objects.filter(draft=OuterRef("pk")).exclude(user=person.pk)
    drafts = Draft.objects.select_related("query__collection", "curator")
    return drafts.annotate(is_noted=Exists(noted), has_entries_of_others=Exists(by_others))


def contains_others_work(person: User, draft: Draft, has_entries_of_others: bool) -> bool:
    """True if a draft contains others' work on its query. A shared draft may contain only this person's work."""
    if draft.kind != Draft.Kind.SHARED:
        return draft.curator_id != person.pk
    is_filled = draft.created_by_id != person.pk and draft.started_from.get("from") != "nothing"
    return is_filled or has_entries_of_others


def reach_managed(person: Person, pk: int) -> DraftAccess:
    """Return a draft that this person may submit, rename or archive; raises like `reach_draft`, and
    PermissionDenied."""
    access = reach_draft(person, pk)
    if not access.may_submit:
        raise PermissionDenied("Only the draft's curator and people who may publish can do this.")
    return access


def reach_reopenable(person: Person, pk: int) -> DraftAccess:
    """Return a draft that this person may reopen; raises like `reach_draft`, and PermissionDenied."""
    access = reach_draft(person, pk)
    if not access.may_reopen:
        raise PermissionDenied("Only people who may publish can reopen this draft.")
    return access


def reach_compared(person: Person, pk: int) -> DraftAccess:
    """Return a draft that is or was compared; raises like `reach_draft`, but explains why it is no longer visible.

    Raises:
        ReopenedError: if the draft was submitted and then reopened, or the person's own draft was.
    """
    try:
        return reach_draft(person, pk)
    except BlindError as blind:
        own = own_open_drafts(blind.person).filter(query=blind.draft.query_id).first() if blind.alone else None
        reason = own if blind.alone else blind.draft
        if reason is None or reason.reopened_at is None:
            raise
        raise ReopenedError(reason, mine=own is not None) from None


def compared_draft(person: Person, query: Query, pk: int) -> Draft:
    """Return a draft of this query that is or was compared; raises like `reach_compared`, and Http404 for another
    query's draft."""
    draft = reach_compared(person, pk).draft
    if draft.query_id != query.pk:
        raise Http404("There is no such draft of this query.")
    return draft


def own_open_drafts(person: User) -> QuerySet[Draft]:
    """Return the person's own open drafts. While one is open, others' drafts of the same query are blind."""
    return Draft.objects.filter(curator=person, kind=Draft.Kind.OWN, status=Draft.Status.OPEN, archived_at__isnull=True)


@prepared
def independent_queries(person: Person) -> QuerySet[Query]:
    """Return the queries that a person annotates independently and has not finished.

    Either a draft of their own is open, or they are assigned to the query and have submitted no draft of it. Until they
    have, they see none of the others' work on the query.
    """
    own = Draft.objects.filter(curator=person.pk, kind=Draft.Kind.OWN, archived_at__isnull=True).order_by()
    begun = Q(pk__in=own.filter(status=Draft.Status.OPEN).values("query"))
    assigned = Q(pk__in=Assignment.objects.filter(curator=person.pk).order_by().values("query"))
    return Query.objects.filter(begun | (assigned & ~Q(pk__in=own.values("query"))))


def independent_annotators(query: Query) -> set[int]:
    """Return the ids of the users to whom `works_alone` applies for this query."""
    own = Draft.objects.filter(query=query, kind=Draft.Kind.OWN, archived_at__isnull=True, curator__isnull=False)
    begun = own.filter(status=Draft.Status.OPEN).values_list("curator_id", flat=True)
    assigned = Assignment.objects.filter(query=query).exclude(curator__in=own.values("curator"))
    return {*begun, *assigned.values_list("curator_id", flat=True)}


def is_blind(person: Person, draft: OwnedDraft, alone: bool) -> bool:
    """True if a curator may not see the contents of a draft.

    Args:
        alone: True if the person annotates the draft's query independently (see `works_alone`).
    """
    if not _is_of_others(person, draft):
        return False
    # An adjudication shows what two other curators decided.
    return alone or (draft.kind == Draft.Kind.OWN and draft.status == Draft.Status.OPEN)


def visible_name(draft: NamedDraft, *, blind: bool) -> str:
    """Return the name of a draft, or a neutral one for a person who is blind to it.

    People choose names freely, so a name may reveal how its curator understands the query.
    """
    if not blind:
        return draft.name
    return "Adjudication" if draft.kind == Draft.Kind.ADJUDICATION else "Draft of another curator"


def hides_progress(person: Person, draft: OwnedDraft, alone: bool) -> bool:
    """True if a person sees only a draft's curator and status, without numbers or times.

    The number of topics or outliers that another curator has found could influence anyone who annotates the same query.
    People who do not annotate the query see the progress even of drafts they may not open.

    Args:
        alone: as for `is_blind`.
    """
    return alone and _is_of_others(person, draft)


def _is_of_others(person: Person, draft: OwnedDraft) -> bool:
    """True for another curator's draft and for an adjudication. Shared drafts belong to everybody."""
    return draft.kind != Draft.Kind.SHARED and draft.curator_id != person.pk


# --- Adjudications ----------------------------------------------------------------------------------------------------


def reach_adjudication(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """Return an adjudication to a person who may see it.

    Its drafts may have been reopened since. It shows them as they were submitted, and says so.

    Raises:
        Http404: if it does not exist or may not be seen.
        ReopenedError: if the person's own draft of the query was reopened.
    """
    access = reach_compared(person, pk)
    found = Adjudication.objects.filter(draft=access.draft).first()
    if found is None:
        raise Http404("This draft is not an adjudication.")
    found.draft = access.draft
    return access, found


def existing_adjudication(drafts: Sequence[Draft]) -> Draft | None:
    """Return the adjudication of exactly these drafts, in any order, unless it is archived."""
    wanted = {draft.pk for draft in drafts}
    found = Draft.objects.filter(adjudication__compared__draft=min(wanted), archived_at=None).order_by("-pk")
    rows = found.prefetch_related("adjudication__compared")
    same = (draft for draft in rows if {each.draft_id for each in draft.adjudication.compared.all()} == wanted)
    return next(same, None)

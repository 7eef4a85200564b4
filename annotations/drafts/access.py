"""Who can reach which draft or adjudication, and what they may do with it."""

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


class Owned(Protocol):
    """What lists read of a draft, as far as blindness goes."""

    @property
    def kind(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def curator_id(self) -> int | None: ...


class Named(Protocol):
    """What lists read of a draft to name it."""

    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...


class BlindError(Http404):
    """Somebody who curates may not see into a draft now.

    Attributes:
        draft: which one.
        alone: whether that is because they work on its query alone (`works_alone`); else it is not submitted.
    """

    def __init__(self, draft: Draft, person: User, *, alone: bool) -> None:
        super().__init__("There is no such draft.")
        self.draft = draft
        self.person = person
        self.alone = alone


class ReopenedError(Exception):
    """What was compared once is not to be seen now: a draft of it was opened again, or the person's own.

    Attributes:
        draft: the one that was opened again.
        mine: whether that is the person's own.
        sentence, fix: for people and programs; ``code`` for programs.
    """

    code = "draft-reopened"
    fix = "It can be compared again, at the same address, when that draft is submitted. Meanwhile compare others."

    def __init__(self, draft: Draft, *, mine: bool) -> None:
        self.draft = draft
        self.mine = mine
        who = f" by {draft.reopened_by.get_username()}" if draft.reopened_by else ""
        when = f" on {draft.reopened_at:%Y-%m-%d at %H:%M} UTC" if draft.reopened_at else ""
        whose = f"Your draft {draft.name!r}" if mine else f"The draft of {draft.curator or 'another curator'}"
        closed = "other drafts of this query are closed to you" if mine else "it is closed to others"
        self.sentence = f"{whose} was opened again{who}{when}. Until it is submitted, {closed}."
        if mine:
            self.fix = "Submit your draft: then what was compared can be seen again, at the same address."
        super().__init__(self.sentence)

    @property
    def more(self) -> dict[str, object]:
        """Further facts for programs."""
        by = self.draft.reopened_by and self.draft.reopened_by.get_username()
        return {"draft": self.draft.pk, "reopened_by": by, "reopened_at": self.draft.reopened_at}


@dataclass(frozen=True, slots=True)
class DraftAccess:
    """A draft somebody may see, and what they may do with it.

    Attributes:
        shows_others: it holds others' work, and is the first such draft of its query that this person sees.
    """

    draft: Draft
    person: User
    may: frozenset[May]
    shows_others: bool

    @property
    def may_edit(self) -> bool:
        """Whether they may change it while it is open: its curator, everybody who curates, or who may publish."""
        if self.draft.kind == Draft.Kind.OWN:
            return self.is_mine
        return (May.CURATE if self.draft.kind == Draft.Kind.SHARED else May.PUBLISH) in self.may

    @property
    def may_submit(self) -> bool:
        """Whether they may submit it: its curator, or who may publish. The same people may archive or rename it."""
        return self.is_mine or May.PUBLISH in self.may

    @property
    def may_reopen(self) -> bool:
        """Whether they may open it again: as `may_submit`, but its curator only until it can be compared.

        Who has submitted sees what others have submitted: going on after that look would not be blind any more.
        """
        return May.PUBLISH in self.may or (self.is_mine and not self._is_adjudicated() and not self._others_are_seen())

    @property
    def restores_closed(self) -> bool:
        """Whether the draft comes back from the archive submitted: who put an open draft of their own away may have
        seen what others had submitted, and going on would not be blind any more."""
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
    """A draft and what this person may do with it; two queries.

    Only who curates sees drafts. Others' own drafts are blind: not to be seen until they are submitted, nor while one
    works on the same query alone (`works_alone`), whatever role one has; then adjudications are not to be seen either.

    Raises:
        Http404: there is none, or it may not be seen.
        PermissionDenied: it may be seen, but not used for this.
    """
    if not isinstance(person, User):
        raise Http404("There is no such draft.")
    try:
        draft = _drafts_for(person).get(pk=pk)
    except Draft.DoesNotExist:
        raise Http404("There is no such draft.") from None
    allowed = capabilities(person, draft.query.collection)
    alone = _is_of_others(person, draft) and works_alone(person).filter(pk=draft.query_id).exists()
    if May.CURATE not in allowed:
        raise Http404("There is no such draft.")
    if is_blind(person, draft, alone):
        raise BlindError(draft, person, alone=alone)
    if may not in allowed:
        raise PermissionDenied(f"You need the right to {may} in this collection. Ask one of its owners.")
    added: Any = draft  # with what `_drafts_for` adds
    shows_others = not added.is_noted and holds_others(person, draft, added.has_entries_of_others)
    return DraftAccess(draft, person, allowed, shows_others)


@prepared
def _drafts_for(person: Person) -> QuerySet[Draft]:
    """All drafts, with what `DraftAccess.shows_others` follows from for this person."""
    noted = OthersSeen.objects.filter(query=OuterRef("query"), user=person.pk)
    by_others = DraftEntry.objects.filter(draft=OuterRef("pk")).exclude(user=person.pk)
    drafts = Draft.objects.select_related("query__collection", "curator")
    return drafts.annotate(is_noted=Exists(noted), has_entries_of_others=Exists(by_others))


def holds_others(person: User, draft: Draft, has_entries_of_others: bool) -> bool:
    """Whether a draft holds others' work on its query: in a shared one nobody but this person may have worked."""
    if draft.kind != Draft.Kind.SHARED:
        return draft.curator_id != person.pk
    is_filled = draft.created_by_id != person.pk and draft.started_from.get("from") != "nothing"
    return is_filled or has_entries_of_others


def reach_managed(person: Person, pk: int) -> DraftAccess:
    """A draft this person may submit, rename or archive; raises as `reach_draft`, and PermissionDenied."""
    access = reach_draft(person, pk)
    if not access.may_submit:
        raise PermissionDenied("Only its curator and who may publish do this with a draft.")
    return access


def reach_reopenable(person: Person, pk: int) -> DraftAccess:
    """A draft this person may open again; raises as `reach_draft`, and PermissionDenied."""
    access = reach_draft(person, pk)
    if not access.may_reopen:
        raise PermissionDenied("Only who may publish opens this draft again.")
    return access


def reach_compared(person: Person, pk: int) -> DraftAccess:
    """A draft that is or was compared; raises as `reach_draft`, but says where it can be seen no more.

    Raises:
        ReopenedError: it was submitted once, and has been opened again; or the person's own draft was.
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
    """One of the query's drafts, that is or was compared; raises as `reach_compared`, and Http404 for another's."""
    draft = reach_compared(person, pk).draft
    if draft.query_id != query.pk:
        raise Http404("There is no such draft of this query.")
    return draft


def own_open_drafts(person: User) -> QuerySet[Draft]:
    """The drafts of their own that somebody still works on: while one is open, others' of that query are blind."""
    return Draft.objects.filter(curator=person, kind=Draft.Kind.OWN, status=Draft.Status.OPEN, archived_at__isnull=True)


@prepared
def works_alone(person: Person) -> QuerySet[Query]:
    """The queries somebody annotates for themselves and has not finished: a draft of their own is open, or they are
    assigned and have submitted none. Until they have, nothing of others' work on the same query is told."""
    own = Draft.objects.filter(curator=person.pk, kind=Draft.Kind.OWN, archived_at__isnull=True).order_by()
    begun = Q(pk__in=own.filter(status=Draft.Status.OPEN).values("query"))
    assigned = Q(pk__in=Assignment.objects.filter(curator=person.pk).order_by().values("query"))
    return Query.objects.filter(begun | (assigned & ~Q(pk__in=own.values("query"))))


def alone_on(query: Query) -> set[int]:
    """The people, by number, to whom `works_alone` applies at this query."""
    own = Draft.objects.filter(query=query, kind=Draft.Kind.OWN, archived_at__isnull=True, curator__isnull=False)
    begun = own.filter(status=Draft.Status.OPEN).values_list("curator_id", flat=True)
    assigned = Assignment.objects.filter(query=query).exclude(curator__in=own.values("curator"))
    return {*begun, *assigned.values_list("curator_id", flat=True)}


def is_blind(person: Person, draft: Owned, alone: bool) -> bool:
    """Whether somebody who curates may not see into a draft.

    Args:
        alone: they work on its query alone (`works_alone`).
    """
    if not _is_of_others(person, draft):
        return False
    # An adjudication shows what two others decided.
    return alone or (draft.kind == Draft.Kind.OWN and draft.status == Draft.Status.OPEN)


def shown_name(draft: Named, *, blind: bool) -> str:
    """Return the name of a draft, or a neutral one for a person who is blind to it.

    People choose names freely, so a name may say how its curator sees the query.
    """
    if not blind:
        return draft.name
    return "Adjudication" if draft.kind == Draft.Kind.ADJUDICATION else "Draft of another curator"


def hides_progress(person: Person, draft: Owned, alone: bool) -> bool:
    """Whether somebody is not told how far a draft is: neither figures nor times, only whose it is and its status.

    How many topics or outliers another curator has found would lead who annotates the same query. Who does not annotate
    it sees the progress of drafts they may not open.

    Args:
        alone: as of `is_blind`.
    """
    return alone and _is_of_others(person, draft)


def _is_of_others(person: Person, draft: Owned) -> bool:
    """Whether a draft is another curator's, or an adjudication; shared drafts are everybody's."""
    return draft.kind != Draft.Kind.SHARED and draft.curator_id != person.pk


# --- Adjudications ----------------------------------------------------------------------------------------------------


def reach_adjudication(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """An adjudication, for people who may see it. Drafts it was made of may have been opened again since: it shows
    them as they were submitted, and says so.

    Raises:
        Http404: there is none, or it may not be seen.
        ReopenedError: not now, because the person's own draft of the query was opened again.
    """
    access = reach_compared(person, pk)
    found = Adjudication.objects.filter(draft=access.draft).first()
    if found is None:
        raise Http404("This draft is no adjudication.")
    found.draft = access.draft
    return access, found


def existing(drafts: Sequence[Draft]) -> Draft | None:
    """The adjudication of just these drafts, in whatever order, that is not archived."""
    wanted = {draft.pk for draft in drafts}
    found = Draft.objects.filter(adjudication__compared__draft=min(wanted), archived_at=None).order_by("-pk")
    rows = found.prefetch_related("adjudication__compared")
    same = (draft for draft in rows if {each.draft_id for each in draft.adjudication.compared.all()} == wanted)
    return next(same, None)

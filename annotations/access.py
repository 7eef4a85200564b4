"""Who reaches what: the only way to fetch a collection or a draft, and what each role may do with it.

A collection one may not see answers 404 (its existence is not told); one that is seen, but not for
this, answers 403.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.core.exceptions import PermissionDenied
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from django.db.models.functions import Now
from django.http import Http404

from accounts.models import User
from accounts.person import Person
from annotations.limits import SHOWN_OWNERS
from annotations.models import (
    Assignment,
    Challenge,
    Collection,
    ComparedDraft,
    Draft,
    GoldVersion,
    GoldVersionEntry,
    Membership,
    Query,
    Role,
)

GOLD_IS_HIDDEN = "The gold standard of this query is hidden: it is part of a challenge."


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
        whose = f"Your draft {draft.name!r}" if mine else f"The draft {draft.name!r}"
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


class May(StrEnum):
    """What one may do in a collection.

    ``SUBMIT`` is about answers of one's own, ``COMPUTE`` about work for everybody: baselines, sweeps, the board
    under other policies.
    """

    VIEW = "view"
    SUBMIT = "submit"
    COMPUTE = "compute"
    CURATE = "curate"
    PUBLISH = "publish"
    MANAGE = "manage"


MAY: dict[str, frozenset[May]] = {
    Role.OWNER: frozenset(May),
    Role.ADJUDICATOR: frozenset({May.VIEW, May.CURATE, May.PUBLISH}),
    Role.CURATOR: frozenset({May.VIEW, May.CURATE}),
    Role.SUBMITTER: frozenset({May.VIEW, May.SUBMIT, May.COMPUTE}),
    Role.READER: frozenset({May.VIEW}),
}


ORGANISES = frozenset({May.CURATE, May.PUBLISH, May.MANAGE})
"""Who may do one of these sees everything in a challenge, and is bound by none of its limits."""
OPEN_TO_ALL = Q(visibility=Collection.Visibility.PUBLIC, participation=Collection.Participation.ANYBODY)
"""Collections to which anybody signed in may submit. Private ones are for their people, whatever the setting says."""


def capabilities(person: Person, collection: Collection) -> frozenset[May]:
    """Everything this person may do in this collection: what its roles give, and what is open to all."""
    allowed = {May.VIEW} if collection.is_public else set()
    if person.is_authenticated:
        if collection.is_public and collection.participation == Collection.Participation.ANYBODY:
            allowed.add(May.SUBMIT)
        roles = Membership.objects.filter(collection=collection, user=person).order_by()
        for role in roles.values_list("role", flat=True):
            allowed |= MAY[role]
    return frozenset(allowed)


def visible_collections(person: Person) -> QuerySet[Collection]:
    """Public collections and those this person is a member of."""
    public = Q(visibility=Collection.Visibility.PUBLIC)
    return Collection.objects.filter(public | Q(pk__in=Membership.objects.filter(user=person.pk).values("collection")))


def collections_where(person: Person, may: May) -> QuerySet[Collection]:
    """Collections in which this person has this right by a role, or as anybody who is signed in."""
    roles = [role for role, allowed in MAY.items() if may in allowed]
    mine = Q(pk__in=Membership.objects.filter(user=person.pk, role__in=roles).values("collection"))
    by_all = may == May.SUBMIT and person.is_authenticated
    return Collection.objects.filter(mine | OPEN_TO_ALL if by_all else mine)


def organised_collections(person: Person) -> QuerySet[Collection]:
    """Collections this person curates, publishes or manages."""
    roles = [role for role, allowed in MAY.items() if allowed & ORGANISES]
    mine = Membership.objects.filter(user=person.pk, role__in=roles)
    return Collection.objects.filter(pk__in=mine.values("collection"))


def hidden_gold(person: Person | None) -> QuerySet[Query]:
    """The queries whose gold standard this person may not see. THE rule: whatever shows people something of gold
    standards, or of scores by them, leaves these queries out (`docs/decisions/challenges.md`).

    Args:
        person: None for the site itself, which sees all.
    """
    if person is None:
        return Query.objects.none()
    hiding = _challenges_of_others(person).exclude(hides=Challenge.Hides.NOTHING)
    hiding = hiding.exclude(reveals=True, closes_at__lte=Now())
    shown = Challenge.shown.through._default_manager.values("query")
    some = Q(collection__challenge__hides=Challenge.Hides.SOME, pk__in=shown)
    return Query.objects.filter(collection__in=hiding.values("collection")).exclude(some)


def hiding_collections() -> QuerySet[Collection]:
    """Collections whose challenge hides gold standards, revealed or not."""
    hiding = Challenge.objects.exclude(hides=Challenge.Hides.NOTHING)
    return Collection.objects.filter(pk__in=hiding.values("collection"))


def is_hidden(person: Person, query: Query) -> bool:
    """Whether this person may not see the gold standard of a query."""
    return hidden_gold(person).filter(pk=query.pk).exists()


def is_hiding(person: Person, collection: Collection) -> bool:
    """Whether gold standards of a collection are hidden from this person."""
    return hidden_gold(person).filter(collection=collection).exists()


def require_gold(person: Person, query: Query) -> None:
    """Refuse what would show the gold standard of a query that is hidden from this person (PermissionDenied)."""
    if is_hidden(person, query):
        raise PermissionDenied(GOLD_IS_HIDDEN)


def hidden_streams(person: Person) -> QuerySet[Collection]:
    """Collections whose streams this person may not see: their files hold the true classes."""
    hiding = _challenges_of_others(person).exclude(hides=Challenge.Hides.NOTHING).exclude(streams_shown=True)
    return Collection.objects.filter(pk__in=hiding.exclude(reveals=True, closes_at__lte=Now()).values("collection"))


def hidden_boards(person: Person) -> QuerySet[Collection]:
    """Collections in which this person sees no submissions of others until their challenge has closed."""
    hiding = _challenges_of_others(person).filter(board_hidden=True).exclude(closes_at__lte=Now())
    return Collection.objects.filter(pk__in=hiding.values("collection"))


def _challenges_of_others(person: Person) -> QuerySet[Challenge]:
    return Challenge.objects.exclude(collection__in=organised_collections(person))


def visible_entries(person: Person | None, *versions: GoldVersion) -> QuerySet[GoldVersionEntry]:
    """What gold versions of collections (already checked) hold, of the queries that are not hidden from this person."""
    return GoldVersionEntry.objects.filter(version__in=versions).exclude(query__in=hidden_gold(person))


def marked_entries(person: Person | None, *versions: GoldVersion) -> QuerySet[GoldVersionEntry]:
    """All that gold versions of collections (already checked) hold; ``is_hidden`` says what `visible_entries` leaves
    out, where the places of all are needed to find those that are seen."""
    hidden = ExpressionWrapper(Q(query__in=hidden_gold(person)), output_field=BooleanField())
    return GoldVersionEntry.objects.filter(version__in=versions).annotate(is_hidden=hidden)


def get_collection(person: Person, slug: str, may: May = May.VIEW) -> Collection:
    """The collection, if this person may do that with it.

    Raises:
        Http404: there is none, or it may not be seen.
        PermissionDenied: it may be seen, but not used for this.
    """
    try:
        collection = Collection.objects.get(slug=slug)
    except Collection.DoesNotExist:
        raise Http404("There is no such collection.") from None
    require(person, collection, may)
    return collection


def require(person: Person, collection: Collection, may: May) -> None:
    """Refuse what this person may not do (Http404 or PermissionDenied, as `get_collection`)."""
    allowed = capabilities(person, collection)
    if May.VIEW not in allowed:
        raise Http404("There is no such collection.")
    if may not in allowed:
        raise PermissionDenied(_refusal(person, collection, may))


def may_ask(collection: Collection, allowed: frozenset[May]) -> bool:
    """Whether somebody with these rights in a collection may ask its owners for the right to submit."""
    on_request = collection.participation == Collection.Participation.REQUEST
    return on_request and May.VIEW in allowed and May.SUBMIT not in allowed


def owners_of(collection: Collection) -> list[User]:
    """Who decides about a collection, by name."""
    owners = User.objects.filter(memberships__collection=collection, memberships__role=Role.OWNER, is_active=True)
    return list(owners.order_by("username"))


def _refusal(person: Person, collection: Collection, may: May) -> str:
    """Why somebody may not do this, and the way to it."""
    if may not in {May.SUBMIT, May.COMPUTE}:
        return f"You need the right to {may} in this collection. Ask one of its owners."
    names = ", ".join(owner.get_username() for owner in owners_of(collection)[:SHOWN_OWNERS])
    whom = f" ({names})" if names else ""
    if may == May.COMPUTE:
        return f"Baselines, sweeps and other policies are for its owners{whom} and submitters to ask for."
    if may_ask(collection, capabilities(person, collection)):
        return f"Submitting here is on request: ask its owners{whom} on the collection's page, or POST to its requests."
    return f"Only its owners{whom} and submitters submit to this collection; an owner can make you a submitter."


def get_gold_version(person: Person, slug: str, number: int) -> GoldVersion:
    """A gold version of a collection this person may see; raises as `get_collection`."""
    versions = get_collection(person, slug).gold_versions.filter(number=number)
    version = versions.select_related("collection", "published_by").first()
    if version is None:
        raise Http404("There is no such gold version.")
    return version


def get_query(person: Person, slug: str, key: str, may: May = May.VIEW) -> Query:
    """A query of a collection; raises as `get_collection`."""
    collection = get_collection(person, slug, may)
    try:
        return collection.queries.select_related("collection").get(key=key)
    except Query.DoesNotExist:
        raise Http404("There is no such query in this collection.") from None


@dataclass(frozen=True, slots=True)
class DraftAccess:
    """A draft somebody may see, and what they may do with it."""

    draft: Draft
    person: User
    may: frozenset[May]

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


def get_draft(person: Person, pk: int, may: May = May.CURATE) -> Draft:
    """A draft this person may see and do that with; raises as `reach_draft`."""
    return reach_draft(person, pk, may).draft


def reach_draft(person: Person, pk: int, may: May = May.CURATE) -> DraftAccess:
    """A draft and what this person may do with it; two queries.

    Only who curates sees drafts. Others' own drafts are blind: not to be seen until they are submitted, nor while one
    works on the same query alone (`works_alone`), whatever role one has; then adjudications are not to be seen either.

    Raises:
        Http404: there is none, or it may not be seen.
        PermissionDenied: it may be seen, but not used for this.
    """
    drafts = Draft.objects.select_related("query__collection", "curator")
    if not isinstance(person, User):
        raise Http404("There is no such draft.")
    try:
        draft = drafts.get(pk=pk)
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
    return DraftAccess(draft, person, allowed)


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


def own_open_drafts(person: User) -> QuerySet[Draft]:
    """The drafts of their own that somebody still works on: while one is open, others' of that query are blind."""
    return Draft.objects.filter(curator=person, kind=Draft.Kind.OWN, status=Draft.Status.OPEN, archived_at__isnull=True)


def works_alone(person: User) -> QuerySet[Query]:
    """The queries somebody annotates for themselves and has not finished: a draft of their own is open, or they are
    assigned and have submitted none. Until they have, nothing of others' work on the same query is told."""
    own = Draft.objects.filter(curator=person, kind=Draft.Kind.OWN, archived_at__isnull=True)
    begun = Q(pk__in=own.filter(status=Draft.Status.OPEN).values("query"))
    assigned = Q(pk__in=Assignment.objects.filter(curator=person).values("query"))
    return Query.objects.filter(begun | (assigned & ~Q(pk__in=own.values("query"))))


def alone_on(query: Query) -> set[int]:
    """The people, by number, to whom `works_alone` applies at this query."""
    own = Draft.objects.filter(query=query, kind=Draft.Kind.OWN, archived_at__isnull=True, curator__isnull=False)
    begun = own.filter(status=Draft.Status.OPEN).values_list("curator_id", flat=True)
    assigned = Assignment.objects.filter(query=query).exclude(curator__in=own.values("curator"))
    return {*begun, *assigned.values_list("curator_id", flat=True)}


def is_blind(person: Person, draft: Draft, alone: bool) -> bool:
    """Whether somebody who curates may not see into a draft.

    Args:
        alone: they work on its query alone (`works_alone`).
    """
    if not _is_of_others(person, draft):
        return False
    # An adjudication shows what two others decided.
    return alone or (draft.kind == Draft.Kind.OWN and draft.status == Draft.Status.OPEN)


def hides_progress(person: Person, draft: Draft, alone: bool) -> bool:
    """Whether somebody is not told how far a draft is: neither figures nor times, only whose it is and its status.

    How many topics or outliers another curator has found would lead who annotates the same query. Who does not annotate
    it sees the progress of drafts they may not open.

    Args:
        alone: as of `is_blind`.
    """
    return alone and _is_of_others(person, draft)


def _is_of_others(person: Person, draft: Draft) -> bool:
    """Whether a draft is another curator's, or an adjudication; shared drafts are everybody's."""
    return draft.kind != Draft.Kind.SHARED and draft.curator_id != person.pk

"""The people of a collection: roles, invitations, offers, and each person's next step to submit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, QuerySet
from django.http import Http404
from django.utils import timezone

from accounts.models import User
from accounts.person import Person
from annotations.access import (
    OPEN_TO_ALL,
    RIGHTS_OF_ROLE,
    May,
    capabilities,
    collections_where,
    may_request_to_submit,
    owners_of,
    visible_collections,
)
from annotations.limits import ASK_AGAIN_DAYS
from annotations.models import Collection, Invitation, ParticipationRequest, RoleOffer
from common.digests import digest


def curators(collection: Collection) -> list[User]:
    """Return the active users who may curate, sorted by user name."""
    roles = [role for role, allowed in RIGHTS_OF_ROLE.items() if May.CURATE in allowed]
    members = User.objects.filter(memberships__collection=collection, memberships__role__in=roles, is_active=True)
    return list(members.distinct().order_by("username"))


# --- Invitations ------------------------------------------------------------------------------------------------------


class InvitationState(StrEnum):
    """The state of an invitation. If several apply, the first one is used."""

    REVOKED = "revoked"
    USED = "used"
    EXPIRED = "expired"
    OPEN = "open"


def find_invitation(secret: str) -> Invitation | None:
    """Return the invitation with this secret, or None.

    Invitations do not work while the collection is hidden or their maker is suspended. Otherwise the maker could return
    under another name.
    """
    rows = Invitation.objects.select_related("collection", "created_by").filter(sha256=digest(secret))
    return rows.filter(created_by__suspended_at=None, collection__hidden_for="").first()


def invitation_state(invitation: Invitation) -> InvitationState:
    """Return the current state of an invitation."""
    if invitation.revoked_at is not None:
        return InvitationState.REVOKED
    if invitation.used >= invitation.most_uses:
        return InvitationState.USED
    return InvitationState.EXPIRED if invitation.expires_at <= timezone.now() else InvitationState.OPEN


# --- Offers of roles --------------------------------------------------------------------------------------------------

OfferState = RoleOffer.State


def offers_to(person: Person) -> QuerySet[RoleOffer]:
    """Return the open offers to a person, oldest first. They may see only the name of the collection."""
    return _open().filter(user=person.pk)


def open_offers(collection: Collection) -> QuerySet[RoleOffer]:
    """Return the open offers of a collection, oldest first."""
    return _open().filter(collection=collection)


def get_offer(user: User, pk: int) -> RoleOffer:
    """Return an offer to this user, in any state.

    Raises:
        Http404: the offer does not exist.
    """
    found = _all().filter(user=user, pk=pk).first()
    if found is None:
        raise Http404("You have no such offer.")
    return found


def get_offer_of(collection: Collection, pk: int) -> RoleOffer:
    """Return an offer of a collection. The caller has checked access to the collection.

    Raises:
        Http404: the offer does not exist.
    """
    found = _all().filter(collection=collection, pk=pk).first()
    if found is None:
        raise Http404("There is no such offer.")
    return found


def _open() -> QuerySet[RoleOffer]:
    return _all().filter(state=OfferState.OPEN).order_by("pk")


def _all() -> QuerySet[RoleOffer]:
    return RoleOffer.objects.select_related("collection", "user", "offered_by")


# --- Requests to submit -----------------------------------------------------------------------------------------------

RequestState = ParticipationRequest.State


class Step(StrEnum):
    """The next step of a person who wants to submit."""

    SUBMIT = "submit"
    SIGN_IN = "sign-in"
    ASK = "ask"
    WAIT = "wait"
    DECLINED = "declined"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Participation:
    """A person's way to submit to a collection.

    Attributes:
        step: the next step.
        owners: the owners, sorted by user name.
        request: the person's latest request, if any.
        again_at: the time from which they may ask again after being declined.
    """

    step: Step
    owners: tuple[User, ...] = ()
    request: ParticipationRequest | None = None
    again_at: datetime | None = None


def participation(person: Person, collection: Collection) -> Participation:
    """Return a person's way to submit to a collection that they can see."""
    allowed = capabilities(person, collection)
    if May.SUBMIT in allowed:
        return Participation(Step.SUBMIT)
    owners = tuple(owners_of(collection))
    if not person.is_authenticated:
        closed = collection.participation == Collection.Participation.MEMBERS
        return Participation(Step.CLOSED if closed else Step.SIGN_IN, owners)
    last = last_request(person, collection)
    if last is not None and last.is_open:
        return Participation(Step.WAIT, owners, last)
    if not may_request_to_submit(collection, allowed):
        return Participation(Step.CLOSED, owners, last)
    again_at = can_ask_again_at(last)
    return Participation(Step.DECLINED if again_at else Step.ASK, owners, last, again_at)


def last_request(person: Person, collection: Collection) -> ParticipationRequest | None:
    """Return this person's latest request to a collection, or None."""
    asked = collection.participation_requests.filter(user=person.pk)
    return asked.select_related("answered_by").order_by("-pk").first()


def can_ask_again_at(last: ParticipationRequest | None) -> datetime | None:
    """Return the time from which a declined person may ask again, or None if they may ask now."""
    if last is None or last.state != RequestState.DECLINED or last.answered_at is None:
        return None
    again_at = last.answered_at + timedelta(days=ASK_AGAIN_DAYS)
    return again_at if again_at > timezone.now() else None


def open_requests(collection: Collection) -> QuerySet[ParticipationRequest]:
    """Return open requests, oldest first."""
    return collection.participation_requests.filter(state=RequestState.OPEN).select_related("user").order_by("pk")


def answered_requests(collection: Collection) -> QuerySet[ParticipationRequest]:
    """Return closed requests, latest first."""
    asked = collection.participation_requests.exclude(state=RequestState.OPEN)
    return asked.select_related("user", "answered_by").order_by("-answered_at", "-pk")


def own_requests(user: User) -> QuerySet[ParticipationRequest]:
    """Return all requests of a user, latest first."""
    return user.participation_requests.select_related("collection", "user", "answered_by").order_by("-pk")


def visible_requested_collections(user: User) -> frozenset[int]:
    """Return the ids of collections that a user has asked to submit to and can still see.

    They may not see the current names of the other collections.
    """
    asked_about = user.participation_requests.values("collection")
    return frozenset(visible_collections(user).filter(pk__in=asked_about).values_list("pk", flat=True))


def get_request(collection: Collection, pk: int) -> ParticipationRequest:
    """Return a request to a collection. The caller has checked access to the collection.

    Raises:
        Http404: the request does not exist.
    """
    found = collection.participation_requests.select_related("collection", "user", "answered_by").filter(pk=pk).first()
    if found is None:
        raise Http404("There is no such request.")
    return found


def collections_with_open_requests(person: Person) -> list[Collection]:
    """Return the collections of this person that have open requests, with their number as ``waiting``."""
    if not person.is_authenticated:
        return []
    asked = ParticipationRequest.objects.filter(
        state=RequestState.OPEN, collection__in=collections_where(person, May.MANAGE)
    )
    waiting = dict(asked.values_list("collection").annotate(count=Count("pk")).order_by())
    found = list(Collection.objects.filter(pk__in=waiting))
    for collection in found:
        collection.waiting = waiting[collection.pk]  # type: ignore[attr-defined]  # for the page that lists them
    return found


def latest_collection_to_submit(person: Person) -> Collection | None:
    """Return the latest collection in which a role of this person lets them submit, or None."""
    own = collections_where(person, May.SUBMIT).filter(memberships__user=person.pk)
    return own.order_by("-pk").first() if person.is_authenticated else None


def latest_open_collection() -> Collection | None:
    """Return the latest collection to which any signed-in user may submit, or None. Newcomers can start there."""
    return Collection.objects.filter(OPEN_TO_ALL).order_by("-pk").first()

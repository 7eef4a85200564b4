"""Roles that were offered and wait for an answer."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404

from accounts.models import User
from accounts.person import Person
from annotations.models import Collection, RoleOffer

State = RoleOffer.State


def offers_to(person: Person) -> QuerySet[RoleOffer]:
    """What somebody may accept, the oldest first. Of the collection they may know its name, and no more."""
    return _open().filter(user=person.pk)


def open_offers(collection: Collection) -> QuerySet[RoleOffer]:
    """What owners of a collection offered, the oldest first."""
    return _open().filter(collection=collection)


def get_offer(user: User, pk: int) -> RoleOffer:
    """An offer to this person, whatever became of it.

    Raises:
        Http404: there is none.
    """
    found = _all().filter(user=user, pk=pk).first()
    if found is None:
        raise Http404("There is no such offer to you.")
    return found


def get_offer_of(collection: Collection, pk: int) -> RoleOffer:
    """An offer of a collection (already checked).

    Raises:
        Http404: there is none.
    """
    found = _all().filter(collection=collection, pk=pk).first()
    if found is None:
        raise Http404("There is no such offer.")
    return found


def _open() -> QuerySet[RoleOffer]:
    return _all().filter(state=State.OPEN).order_by("pk")


def _all() -> QuerySet[RoleOffer]:
    return RoleOffer.objects.select_related("collection", "user", "offered_by")

"""Who reaches what: the only way to fetch a collection, and what each role may do in it.

A collection one may not see answers 404 (its existence is not told); one that is seen, but not for
this, answers 403.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from annotations.models import Collection, Membership, Query, Role

Person: TypeAlias = User | AnonymousUser


class May(StrEnum):
    """What one may do in a collection."""

    VIEW = "view"
    SUBMIT = "submit"
    CURATE = "curate"
    PUBLISH = "publish"
    MANAGE = "manage"


MAY: dict[str, frozenset[May]] = {
    Role.OWNER: frozenset(May),
    Role.ADJUDICATOR: frozenset({May.VIEW, May.CURATE, May.PUBLISH}),
    Role.CURATOR: frozenset({May.VIEW, May.CURATE}),
    Role.SUBMITTER: frozenset({May.VIEW, May.SUBMIT}),
    Role.READER: frozenset({May.VIEW}),
}


def capabilities(person: Person, collection: Collection) -> frozenset[May]:
    """Everything this person may do in this collection."""
    allowed = {May.VIEW} if collection.is_public else set()
    if person.is_authenticated:
        for role in Membership.objects.filter(collection=collection, user=person).values_list("role", flat=True):
            allowed |= MAY[role]
    return frozenset(allowed)


def visible_collections(person: Person) -> QuerySet[Collection]:
    """Public collections and those this person is a member of."""
    collections = Collection.objects.filter(visibility=Collection.Visibility.PUBLIC)
    if person.is_authenticated:
        mine = Membership.objects.filter(user=person).values("collection")
        collections = collections | Collection.objects.filter(pk__in=mine)
    return collections


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
        raise PermissionDenied(f"You need the right to {may} in this collection. Ask one of its owners.")


def get_query(person: Person, slug: str, key: str, may: May = May.VIEW) -> Query:
    """A query of a collection; raises as `get_collection`."""
    collection = get_collection(person, slug, may)
    try:
        return collection.queries.select_related("collection").get(key=key)
    except Query.DoesNotExist:
        raise Http404("There is no such query in this collection.") from None

"""Access control: the only way to fetch a collection, and the rights of each role.

If a person may not see a collection, the response is 404, so that its existence stays private. If they may see it but
lack the right, the response is 403.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import Http404

from accounts.models import User
from accounts.person import Person, prepared
from annotations.limits import SHOWN_OWNERS
from annotations.models import (
    Collection,
    GoldVersion,
    Membership,
    Query,
    Role,
)
from qc4.text import Spellings

Row = TypeVar("Row", bound=Model)


class May(StrEnum):
    """Rights in a collection.

    ``SUBMIT`` allows a person to submit their own clusterings. ``COMPUTE`` allows work that everyone sees: baselines,
    parameter sweeps, and the leaderboard under other scoring options.
    """

    VIEW = "view"
    SUBMIT = "submit"
    COMPUTE = "compute"
    CURATE = "curate"
    PUBLISH = "publish"
    MANAGE = "manage"


RIGHTS_OF_ROLE: dict[str, frozenset[May]] = {
    Role.OWNER: frozenset(May),
    Role.ADJUDICATOR: frozenset({May.VIEW, May.CURATE, May.PUBLISH}),
    Role.CURATOR: frozenset({May.VIEW, May.CURATE}),
    Role.SUBMITTER: frozenset({May.VIEW, May.SUBMIT, May.COMPUTE}),
    Role.READER: frozenset({May.VIEW}),
}


OPEN_TO_ALL = Q(visibility=Collection.Visibility.PUBLIC, participation=Collection.Participation.ANYBODY)
"""Collections to which any signed-in user may submit. Only members may submit to a private one, despite the setting."""


def capabilities(person: Person, collection: Collection) -> frozenset[May]:
    """Return all rights of this person in this collection, from their roles and from the collection's settings."""
    allowed = {May.VIEW} if collection.is_public else set()
    if person.is_authenticated:
        if collection.is_public and collection.participation == Collection.Participation.ANYBODY:
            allowed.add(May.SUBMIT)
        roles = Membership.objects.filter(collection=collection, user=person).order_by()
        for role in roles.values_list("role", flat=True):
            allowed |= RIGHTS_OF_ROLE[role]
    return frozenset(allowed)


@prepared
def visible_collections(person: Person) -> QuerySet[Collection]:
    """Return public collections and those this person is a member of."""
    public = Q(visibility=Collection.Visibility.PUBLIC)
    return Collection.objects.filter(public | Q(pk__in=Membership.objects.filter(user=person.pk).values("collection")))


@prepared
def collections_where(person: Person, may: May) -> QuerySet[Collection]:
    """Return collections in which this person has this right, by a role or because every signed-in user has it."""
    mine = Q(pk__in=roles_with(person, may).values("collection"))
    by_all = may == May.SUBMIT and person.is_authenticated
    return Collection.objects.filter(mine | OPEN_TO_ALL if by_all else mine)


@prepared
def roles_with(person: Person, *rights: May) -> QuerySet[Membership]:
    """Return this person's memberships, in any collection, whose role gives at least one of these rights."""
    roles = [role for role, allowed in RIGHTS_OF_ROLE.items() if not allowed.isdisjoint(rights)]
    return Membership.objects.filter(user=person.pk, role__in=roles).order_by()


def get_collection(person: Person, slug: str, may: May = May.VIEW) -> Collection:
    """Return the collection if this person has this right in it.

    Raises:
        Http404: the collection does not exist, or this person may not see it.
        PermissionDenied: this person may see the collection but lacks the right.
    """
    try:
        collection = Collection.objects.get(slug=slug)
    except Collection.DoesNotExist:
        raise Http404("There is no such collection.") from None
    require(person, collection, may)
    return collection


def require(person: Person, collection: Collection, may: May) -> None:
    """Raise Http404 or PermissionDenied, as `get_collection` does, unless this person has this right."""
    allowed = capabilities(person, collection)
    if May.VIEW not in allowed:
        raise Http404("There is no such collection.")
    if may not in allowed:
        raise PermissionDenied(_missing_right_message(person, collection, may))


def may_request_to_submit(collection: Collection, allowed: frozenset[May]) -> bool:
    """Return whether a person with these rights may request the right to submit from the owners."""
    on_request = collection.participation == Collection.Participation.REQUEST
    return on_request and May.VIEW in allowed and May.SUBMIT not in allowed


def owners_of(collection: Collection) -> list[User]:
    """Return the active owners of a collection, sorted by user name."""
    owners = User.objects.filter(memberships__collection=collection, memberships__role=Role.OWNER, is_active=True)
    return list(owners.order_by("username"))


def _missing_right_message(person: Person, collection: Collection, may: May) -> str:
    """Return a message that says who may do this and how to get the right."""
    if may not in {May.SUBMIT, May.COMPUTE}:
        return f"You need the right to {may} in this collection. Ask one of its owners."
    names = ", ".join(owner.get_username() for owner in owners_of(collection)[:SHOWN_OWNERS])
    whom = f" ({names})" if names else ""
    if may == May.COMPUTE:
        return (
            f"Only owners{whom} and submitters may start baselines or parameter sweeps, or score the leaderboard under "
            "other scoring options."
        )
    if may_request_to_submit(collection, capabilities(person, collection)):
        return (
            f"You need an owner's permission to submit here. Ask the owners{whom} on the collection's page, "
            "or POST to its requests."
        )
    return f"Only owners{whom} and submitters may submit to this collection. An owner can make you a submitter."


def get_gold_version(person: Person, slug: str, number: int) -> GoldVersion:
    """Return a gold version of a collection that this person may see. Raises like `get_collection`."""
    versions = get_collection(person, slug).gold_versions.filter(number=number)
    version = versions.select_related("collection", "published_by").first()
    if version is None:
        raise Http404("There is no such gold version.")
    return version


def get_query(person: Person, slug: str, key: str, may: May = May.VIEW) -> Query:
    """Return a query of a collection. Raises like `get_collection`."""
    collection = get_collection(person, slug, may)
    found = with_key(collection.queries.select_related("collection"), key)
    if found is None:
        raise Http404("There is no such query in this collection.")
    return found


def with_key(rows: QuerySet[Row], key: str, column: str = "key") -> Row | None:
    """Return the first row with this key, or with the same key in another Unicode form; None if there is none."""
    found = rows.filter(**{column: key}).first()
    if found is None:
        spelled = Spellings(list(rows.values_list(column, flat=True))).of(key)
        found = rows.filter(**{column: spelled}).first() if spelled != key else None
    return found

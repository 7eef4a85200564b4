"""Who reaches what: the only way to fetch a collection, and what each role may do with it.

A collection one may not see answers 404 (its existence is not told); one that is seen, but not for
this, answers 403.
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


@prepared
def visible_collections(person: Person) -> QuerySet[Collection]:
    """Public collections and those this person is a member of."""
    public = Q(visibility=Collection.Visibility.PUBLIC)
    return Collection.objects.filter(public | Q(pk__in=Membership.objects.filter(user=person.pk).values("collection")))


@prepared
def collections_where(person: Person, may: May) -> QuerySet[Collection]:
    """Collections in which this person has this right by a role, or as anybody who is signed in."""
    mine = Q(pk__in=roles_with(person, may).values("collection"))
    by_all = may == May.SUBMIT and person.is_authenticated
    return Collection.objects.filter(mine | OPEN_TO_ALL if by_all else mine)


@prepared
def roles_with(person: Person, *rights: May) -> QuerySet[Membership]:
    """The roles of this person that give one of these rights, in whichever collections."""
    roles = [role for role, allowed in MAY.items() if not allowed.isdisjoint(rights)]
    return Membership.objects.filter(user=person.pk, role__in=roles).order_by()


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

"""Where a button to submit stands: the button for who may, for others the way there."""

from __future__ import annotations

from typing import Any

from django import template
from django.core.paginator import Paginator
from django.template import RequestContext
from django.urls import reverse

from annotations.models import Collection
from annotations.people.selectors import offers_to, participation, seen_of
from annotations.people.selectors import own_requests as asked_by

SHOWN = 50
OFFERS_AT_ONCE = 10
"""They stand above everything else; the next ones are a click away."""
register = template.Library()


@register.inclusion_tag("people/way_to_submit.html", takes_context=True)
def way_to_submit(
    context: RequestContext,
    collection: Collection,
    look: str = "btn-primary",
    address: str = "",
    what: str = "a clustering",
) -> dict[str, Any]:
    """A button.

    Args:
        address: of the form; by default that of a collection's clusterings.
        what: is submitted there.
    """
    return _standing(context, collection, address, what) | {"look": look}


@register.inclusion_tag("people/how_to_submit.html", takes_context=True)
def how_to_submit(
    context: RequestContext, collection: Collection, address: str = "", what: str = "a clustering"
) -> dict[str, Any]:
    """The beginning of a sentence, for empty states."""
    return _standing(context, collection, address, what)


def _standing(context: RequestContext, collection: Collection, address: str, what: str) -> dict[str, Any]:
    return {
        "collection": collection,
        "standing": participation(context["request"].user, collection),
        "anybody": collection.participation == Collection.Participation.ANYBODY,
        "what": what,
        "address": address or reverse("submit", args=[collection.slug]),
        # Where the page knows of a challenge: it may take no submissions now, whatever one's rights.
        "challenge": context.get("challenge"),
    }


@register.inclusion_tag("people/own_requests.html", takes_context=True)
def own_requests(context: RequestContext) -> dict[str, Any]:
    """What the person asked, on their account page: accounts know nothing of collections."""
    user = context["request"].user
    found = list(asked_by(user)[:SHOWN])
    seen = seen_of(user) if found else frozenset()
    return {"requests": [(one, one.collection_id in seen) for one in found], "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("people/own_role_offers.html", takes_context=True)
def own_offers(context: RequestContext) -> dict[str, Any]:
    """Roles that wait for the person's yes or no, on the first page and on their account page."""
    request = context["request"]
    offers = Paginator(offers_to(request.user), OFFERS_AT_ONCE).get_page(request.GET.get("offers"))
    return {"offers": offers, "csrf_token": context.get("csrf_token")}

"""Template tags for submitting, requests and role offers."""

from __future__ import annotations

from typing import Any

from django import template
from django.core.paginator import Paginator
from django.template import RequestContext
from django.urls import reverse

from annotations.models import Collection
from annotations.people.selectors import offers_to, participation, visible_requested_collections
from annotations.people.selectors import own_requests as asked_by

SHOWN_REQUESTS = 50
OFFERS_AT_ONCE = 10
"""Number of role offers on one page. They appear above everything else, so there are few."""
register = template.Library()


@register.inclusion_tag("people/way_to_submit.html", takes_context=True)
def way_to_submit(
    context: RequestContext,
    collection: Collection,
    look: str = "btn-primary",
    address: str = "",
    what: str = "a clustering",
) -> dict[str, Any]:
    """Show a button to submit, or a link to the person's next step if they may not submit yet.

    Args:
        address: the URL of the form; by default the collection's form for clusterings.
        what: the thing that is submitted.
    """
    return _submit_context(context, collection, address, what) | {"look": look}


@register.inclusion_tag("people/how_to_submit.html", takes_context=True)
def how_to_submit(
    context: RequestContext, collection: Collection, address: str = "", what: str = "a clustering"
) -> dict[str, Any]:
    """Show the next step to submit as the beginning of a sentence, for empty states."""
    return _submit_context(context, collection, address, what)


def _submit_context(context: RequestContext, collection: Collection, address: str, what: str) -> dict[str, Any]:
    return {
        "collection": collection,
        "standing": participation(context["request"].user, collection),
        "anybody": collection.participation == Collection.Participation.ANYBODY,
        "what": what,
        "address": address or reverse("submit", args=[collection.slug]),
        # A challenge may be closed to submissions, even if the person has the right to submit.
        "challenge": context.get("challenge"),
    }


@register.inclusion_tag("people/own_requests.html", takes_context=True)
def own_requests(context: RequestContext) -> dict[str, Any]:
    """Show the person's requests on their account page, since the accounts app may not import annotations."""
    user = context["request"].user
    found = list(asked_by(user)[:SHOWN_REQUESTS])
    seen = visible_requested_collections(user) if found else frozenset()
    return {"requests": [(one, one.collection_id in seen) for one in found], "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("people/own_role_offers.html", takes_context=True)
def own_offers(context: RequestContext) -> dict[str, Any]:
    """Show the person's open role offers on the home page and on their account page."""
    request = context["request"]
    offers = Paginator(offers_to(request.user), OFFERS_AT_ONCE).get_page(request.GET.get("offers"))
    return {"offers": offers, "csrf_token": context.get("csrf_token")}

"""Roles that owners offer to people by name, and the answers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.names import find_user
from accounts.person import person
from annotations.access import May, get_collection
from annotations.api.fields import Answer, Person
from annotations.api.operations import listing
from annotations.api.options import Options
from annotations.api.pagination import paged
from annotations.api.plain_json import fields_of
from annotations.models import Role, RoleOffer
from annotations.people_forms import AddPerson
from annotations.selectors.offers import get_offer, get_offer_of, offers_to, open_offers
from annotations.services import offers
from qc4.problems import InputError, Problem


class OfferRow(Answer[RoleOffer]):
    """A role that was offered. ``state`` is open, accepted, declined or withdrawn."""

    user = Person()
    offered_by = Person()

    class Meta:
        model = RoleOffer
        fields: tuple[str, ...] = ("id", "user", "role", "offered_by", "offered_at", "state", "ended_at")


class OwnOfferRow(OfferRow):
    """An offer to oneself; ``collection`` is its name: more of it shows once one has accepted."""

    collection = serializers.CharField(source="collection.name")

    class Meta(OfferRow.Meta):
        fields = ("id", "collection", *OfferRow.Meta.fields[1:])


class NewOfferOptions(Options):
    """To whom, and which role."""

    FORM = AddPerson

    role = serializers.ChoiceField(Role.choices)


class OfferAnswerOptions(Options):
    """Yes or no."""

    answer = serializers.ChoiceField([("accept", "accept"), ("decline", "decline")])


class OffersView(APIView):
    """Offers of a collection."""

    @listing("role_offers", OfferRow, "people")
    def get(self, request: Request, slug: str) -> Response:
        """What waits for an answer, the oldest first; for owners."""
        return paged(open_offers(get_collection(request.user, slug, May.MANAGE)), OfferRow, request)

    @extend_schema(operation_id="offer_role", request=NewOfferOptions, responses={201: OfferRow}, tags=["people"])
    def post(self, request: Request, slug: str) -> Response:
        """Offer somebody a role. They have it once they accept; who belongs to the collection, or asked to submit, at
        once."""
        collection = get_collection(request.user, slug, May.MANAGE)
        chosen: dict[str, Any] = NewOfferOptions.of(fields_of(request))
        user = find_user(chosen["username"])
        if user is None or not user.is_active:
            raise InputError(
                [Problem("unknown-user", "username", repr(chosen["username"]), "somebody with an account")]
            )
        made = offers.offer(collection=collection, user=user, role=chosen["role"], by=person(request))
        return Response(OfferRow(made).data, status=201)


class OfferView(APIView):
    """One offer of a collection."""

    @extend_schema(operation_id="withdraw_offer", responses={204: None}, tags=["people"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Take it back, as long as nobody answered."""
        found = get_offer_of(get_collection(request.user, slug, May.MANAGE), pk)
        if not offers.withdraw(found):
            raise InputError([_ended(found)])
        return Response(status=204)


class OwnOffersView(APIView):
    """Offers to oneself."""

    @listing("own_offers", OwnOfferRow, "people")
    def get(self, request: Request) -> Response:
        """Roles you may accept, the oldest first."""
        return paged(offers_to(person(request)), OwnOfferRow, request)


class AnswerOfferView(APIView):
    """One's answer to an offer."""

    @extend_schema(operation_id="answer_offer", request=OfferAnswerOptions, responses=OwnOfferRow, tags=["people"])
    def post(self, request: Request, pk: int) -> Response:
        """Accept, which gives you the role, or decline."""
        found = get_offer(person(request), pk)
        chosen: dict[str, Any] = OfferAnswerOptions.of(fields_of(request))
        if not (offers.accept(found) if chosen["answer"] == "accept" else offers.decline(found)):
            raise InputError([_ended(found)])
        return Response(OwnOfferRow(found).data)


def _ended(offer: RoleOffer) -> Problem:
    return Problem("offer-ended", "offer", f"one that is {offer.state}", "an open offer", "Nothing to do.")

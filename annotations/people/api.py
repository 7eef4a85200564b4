"""API of invitations, role offers, requests to submit, and the audit log of a collection."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import CollectionLogRow
from accounts.audit import of_collection
from accounts.names import find_user
from accounts.person import person
from annotations.access import May, get_collection
from annotations.models import Invitation, ParticipationRequest, Role, RoleOffer
from annotations.people.forms import InvitationForm, RequestAnswerForm, RoleOfferForm, SubmitRequestForm
from annotations.people.selectors import (
    get_offer,
    get_offer_of,
    get_request,
    invitation_state,
    offers_to,
    open_offers,
    own_requests,
    visible_requested_collections,
)
from annotations.people.services import invitations, offers, participation
from common.api.fields import Answer, Person
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.pagination import ListOptions, paged
from common.api.schema import listing
from qc4.problems import InputError, Problem


class InvitationRow(Answer[Invitation]):
    """An invitation. ``prefix`` is the beginning of its secret, which cannot be retrieved."""

    created_by = Person()
    standing = serializers.SerializerMethodField(help_text="open, expired, used or revoked.")

    class Meta:
        model = Invitation
        fields: tuple[str, ...] = (
            "id",
            "role",
            "note",
            "prefix",
            "standing",
            "used",
            "most_uses",
            "expires_at",
            "created_by",
        )

    def get_standing(self, invitation: Invitation) -> str:
        return str(invitation_state(invitation))


class NewInvitation(InvitationRow):
    """A new invitation, with the link, which is shown only once."""

    link = serializers.SerializerMethodField()

    class Meta(InvitationRow.Meta):
        fields = (*InvitationRow.Meta.fields, "link")

    def get_link(self, _invitation: Invitation) -> str:
        return str(self.context["link"])


class InvitationOptions(Options):
    """The role and limits of a new invitation."""

    FORM = InvitationForm
    HELP = {"note": "A note on whom the link is for. It is never sent."}

    role = serializers.ChoiceField(Role.choices)


class InvitationsView(APIView):
    """Invitations of a collection."""

    @extend_schema(operation_id="invitations", responses=InvitationRow(many=True), tags=["people"])
    def get(self, request: Request, slug: str) -> Response:
        """Return all invitations, latest first."""
        rows = get_collection(request.user, slug, May.MANAGE).invitations.select_related("created_by")
        return Response(InvitationRow(rows, many=True).data)

    @extend_schema(operation_id="invite", request=InvitationOptions, responses={201: NewInvitation}, tags=["people"])
    def post(self, request: Request, slug: str) -> Response:
        """Make an invitation link. No e-mail is sent: pass the link on yourself."""
        collection = get_collection(request.user, slug, May.MANAGE)
        chosen: dict[str, Any] = InvitationOptions.of(fields_of(request))
        made, secret = invitations.invite(collection=collection, user=person(request), **chosen)
        link = request.build_absolute_uri(reverse("invitation", args=[secret]))
        return Response(NewInvitation(made, context={"link": link}).data, status=201)


class InvitationView(APIView):
    """One invitation."""

    @extend_schema(operation_id="revoke_invitation", responses={204: None}, tags=["people"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Revoke an invitation link. People who have used it keep their roles."""
        row = get_collection(request.user, slug, May.MANAGE).invitations.filter(pk=pk).first()
        if row is None:
            raise Http404("There is no such invitation.")
        invitations.revoke(row)
        return Response(status=204)


# --- Offers of roles --------------------------------------------------------------------------------------------------


class OfferRow(Answer[RoleOffer]):
    """A role offer. ``state`` is open, accepted, declined or withdrawn."""

    user = Person()
    offered_by = Person()

    class Meta:
        model = RoleOffer
        fields: tuple[str, ...] = ("id", "user", "role", "offered_by", "offered_at", "state", "ended_at")


class OwnOfferRow(OfferRow):
    """An offer to you. ``collection`` is the collection's name; you can see more of it after you accept."""

    collection = serializers.CharField(source="collection.name")

    class Meta(OfferRow.Meta):
        fields = ("id", "collection", *OfferRow.Meta.fields[1:])


class NewOfferOptions(Options):
    """The user and the role of a new offer."""

    FORM = RoleOfferForm

    role = serializers.ChoiceField(Role.choices)


class OfferAnswerOptions(Options):
    """The answer to an offer."""

    answer = serializers.ChoiceField([("accept", "accept"), ("decline", "decline")])


class OffersView(APIView):
    """Offers of a collection."""

    @listing("role_offers", OfferRow, "people")
    def get(self, request: Request, slug: str) -> Response:
        """Return the open offers, oldest first. Only owners may see them."""
        return paged(open_offers(get_collection(request.user, slug, May.MANAGE)), OfferRow, request)

    @extend_schema(operation_id="offer_role", request=NewOfferOptions, responses={201: OfferRow}, tags=["people"])
    def post(self, request: Request, slug: str) -> Response:
        """Offer a role to a user, who gets it on accepting.

        Members of the collection get the role immediately, and so does a user who has asked to submit and is offered
        the submitter role.
        """
        collection = get_collection(request.user, slug, May.MANAGE)
        chosen: dict[str, Any] = NewOfferOptions.of(fields_of(request))
        user = find_user(chosen["username"])
        if user is None or not user.is_active:
            raise InputError([Problem("unknown-user", "username", repr(chosen["username"]), "a user with an account")])
        made = offers.offer(collection=collection, user=user, role=chosen["role"], by=person(request))
        return Response(OfferRow(made).data, status=201)


class OfferView(APIView):
    """One offer of a collection."""

    @extend_schema(operation_id="withdraw_offer", responses={204: None}, tags=["people"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Withdraw an open offer."""
        found = get_offer_of(get_collection(request.user, slug, May.MANAGE), pk)
        if not offers.withdraw(found):
            raise InputError([_offer_has_ended(found)])
        return Response(status=204)


class OwnOffersView(APIView):
    """Offers to the caller."""

    @listing("own_offers", OwnOfferRow, "people")
    def get(self, request: Request) -> Response:
        """Return the roles that you can accept, oldest first."""
        return paged(offers_to(person(request)), OwnOfferRow, request)


class AnswerOfferView(APIView):
    """The caller's answer to an offer."""

    @extend_schema(operation_id="answer_offer", request=OfferAnswerOptions, responses=OwnOfferRow, tags=["people"])
    def post(self, request: Request, pk: int) -> Response:
        """Accept an offer, which gives you the role, or decline it."""
        found = get_offer(person(request), pk)
        chosen: dict[str, Any] = OfferAnswerOptions.of(fields_of(request))
        if not (offers.accept(found) if chosen["answer"] == "accept" else offers.decline(found)):
            raise InputError([_offer_has_ended(found)])
        return Response(OwnOfferRow(found).data)


def _offer_has_ended(offer: RoleOffer) -> Problem:
    return Problem("offer-ended", "offer", f"an offer that is {offer.state}", "an open offer", "Nothing to do.")


# --- Requests to submit -----------------------------------------------------------------------------------------------


class RequestRow(Answer[ParticipationRequest]):
    """A request to submit. ``state`` is open, accepted, declined or withdrawn."""

    user = Person()
    answered_by = Person(allow_null=True)

    class Meta:
        model = ParticipationRequest
        fields: tuple[str, ...] = (
            "id",
            "user",
            "message",
            "asked_at",
            "state",
            "answered_by",
            "answered_at",
            "reason",
        )


class OwnRequestRow(RequestRow):
    """Your own request. ``collection`` is the slug, or null if you can no longer see the collection."""

    collection = serializers.SerializerMethodField()

    class Meta(RequestRow.Meta):
        fields = ("id", "collection", *RequestRow.Meta.fields[1:])

    def get_collection(self, request: ParticipationRequest) -> str | None:
        return request.collection.slug if request.collection_id in self.context["seen"] else None


class AskOptions(Options):
    """A message to the owners."""

    FORM = SubmitRequestForm


class RequestFilter(ListOptions):
    """The filter of a list of requests."""

    state = serializers.ChoiceField(ParticipationRequest.State.choices, required=False)


class AnswerOptions(Options):
    """An owner's answer to a request, with a reason."""

    FORM = RequestAnswerForm


class RequestsView(APIView):
    """Requests to submit to a collection."""

    @listing("requests_to_submit", RequestRow, "people", options=RequestFilter)
    def get(self, request: Request, slug: str) -> Response:
        """Return the requests to a collection, latest first. Only owners may see them."""
        chosen = RequestFilter.of(request.query_params)
        rows = get_collection(request.user, slug, May.MANAGE).participation_requests.order_by("-pk")
        if "state" in chosen:
            rows = rows.filter(state=chosen["state"])
        return paged(rows.select_related("user", "answered_by"), RequestRow, request)

    @extend_schema(operation_id="ask_to_submit", request=AskOptions, responses={201: RequestRow}, tags=["people"])
    def post(self, request: Request, slug: str) -> Response:
        """Request the right to submit, if the collection takes requests."""
        collection = get_collection(request.user, slug)
        chosen: dict[str, Any] = AskOptions.of(fields_of(request))
        asked = participation.ask(collection=collection, user=person(request), **chosen)
        asked.refresh_from_db()
        return Response(RequestRow(asked).data, status=201)


class AnswerRequestView(APIView):
    """An owner's answer to a request."""

    @extend_schema(operation_id="answer_request", request=AnswerOptions, responses=RequestRow, tags=["people"])
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Accept a request, which makes the person a submitter, or decline it.

        A request that was already answered or withdrawn is not changed, and the response is an error.
        """
        found = get_request(get_collection(request.user, slug, May.MANAGE), pk)
        chosen: dict[str, Any] = AnswerOptions.of(fields_of(request))
        by = person(request)
        if chosen["answer"] == "accept":
            done = participation.accept(found, by)
        else:
            done = participation.decline(found, by, chosen["reason"])
        if not done:
            raise InputError([_request_has_ended(found)])
        return Response(RequestRow(found).data)


class OwnRequestsView(APIView):
    """The caller's own requests."""

    @listing("own_requests", OwnRequestRow, "people")
    def get(self, request: Request) -> Response:
        """Return all your requests, latest first."""
        user = person(request)
        return paged(own_requests(user), OwnRequestRow, request, seen=visible_requested_collections(user))


class OwnRequestView(APIView):
    """One of the caller's own requests."""

    @extend_schema(operation_id="withdraw_request", responses={204: None}, tags=["people"])
    def delete(self, request: Request, pk: int) -> Response:
        """Withdraw an open request."""
        found = own_requests(person(request)).filter(pk=pk).first()
        if found is None:
            raise Http404("You have no such request.")
        if not participation.withdraw(found):
            raise InputError([_request_has_ended(found)])
        return Response(status=204)


def _request_has_ended(request: ParticipationRequest) -> Problem:
    by = f" by {request.answered_by.get_username()}" if request.answered_by else ""
    found = f"a request that is {request.state}{by}"
    return Problem("request-ended", "request", found, "an open request", "Nothing to do.")


# --- Audit log --------------------------------------------------------------------------------------------------------


class CollectionLogView(APIView):
    """The log of a collection."""

    @listing("collection_log", CollectionLogRow, "people")
    def get(self, request: Request, slug: str) -> Response:
        """Return events about the collection's people and publications, latest first, without IP addresses.

        Only owners may see them.
        """
        return paged(of_collection(get_collection(request.user, slug, May.MANAGE).pk), CollectionLogRow, request)

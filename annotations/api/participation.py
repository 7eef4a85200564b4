"""Asking to submit to a collection, and the owners' answers."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from annotations.api.fields import Answer, Person
from annotations.api.operations import listing
from annotations.api.options import Options
from annotations.api.pagination import ListOptions, paged
from annotations.api.plain_json import fields_of
from annotations.models import ParticipationRequest
from annotations.people_forms import AnswerRequest, AskToSubmit
from annotations.selectors.participation import get_request, own_requests, seen_of
from annotations.services import participation
from qc4.problems import InputError, Problem


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
    """A request of one's own; ``collection`` is the slug, null where one does not see the collection any more."""

    collection = serializers.SerializerMethodField()

    class Meta(RequestRow.Meta):
        fields = ("id", "collection", *RequestRow.Meta.fields[1:])

    def get_collection(self, request: ParticipationRequest) -> str | None:
        return request.collection.slug if request.collection_id in self.context["seen"] else None


class AskOptions(Options):
    """What the owners should know."""

    FORM = AskToSubmit


class RequestFilter(ListOptions):
    """Which requests to list."""

    state = serializers.ChoiceField(ParticipationRequest.State.choices, required=False)


class AnswerOptions(Options):
    """Accept or decline, and why."""

    FORM = AnswerRequest


class RequestsView(APIView):
    """Requests to submit to a collection."""

    @listing("requests_to_submit", RequestRow, "people", options=RequestFilter)
    def get(self, request: Request, slug: str) -> Response:
        """What people asked, the latest first; for owners."""
        chosen = RequestFilter.of(request.query_params)
        rows = get_collection(request.user, slug, May.MANAGE).participation_requests.order_by("-pk")
        if "state" in chosen:
            rows = rows.filter(state=chosen["state"])
        return paged(rows.select_related("user", "answered_by"), RequestRow, request)

    @extend_schema(operation_id="ask_to_submit", request=AskOptions, responses={201: RequestRow}, tags=["people"])
    def post(self, request: Request, slug: str) -> Response:
        """Ask the owners for the right to submit, where that is on request."""
        collection = get_collection(request.user, slug)
        chosen: dict[str, Any] = AskOptions.of(fields_of(request))
        asked = participation.ask(collection=collection, user=person(request), **chosen)
        asked.refresh_from_db()
        return Response(RequestRow(asked).data, status=201)


class AnswerRequestView(APIView):
    """An owner's answer."""

    @extend_schema(operation_id="answer_request", request=AnswerOptions, responses=RequestRow, tags=["people"])
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Accept, which makes who asked a submitter, or decline.

        What was answered or withdrawn before stays as it is, and is refused.
        """
        found = get_request(get_collection(request.user, slug, May.MANAGE), pk)
        chosen: dict[str, Any] = AnswerOptions.of(fields_of(request))
        by = person(request)
        if chosen["answer"] == "accept":
            done = participation.accept(found, by)
        else:
            done = participation.decline(found, by, chosen["reason"])
        if not done:
            raise InputError([_ended(found)])
        return Response(RequestRow(found).data)


class OwnRequestsView(APIView):
    """One's own requests."""

    @listing("own_requests", OwnRequestRow, "people")
    def get(self, request: Request) -> Response:
        """Everything you asked, the latest first."""
        user = person(request)
        return paged(own_requests(user), OwnRequestRow, request, seen=seen_of(user))


class OwnRequestView(APIView):
    """One of one's own requests."""

    @extend_schema(operation_id="withdraw_request", responses={204: None}, tags=["people"])
    def delete(self, request: Request, pk: int) -> Response:
        """Withdraw it, as long as nobody answered."""
        found = own_requests(person(request)).filter(pk=pk).first()
        if found is None:
            raise Http404("There is no such request of yours.")
        if not participation.withdraw(found):
            raise InputError([_ended(found)])
        return Response(status=204)


def _ended(request: ParticipationRequest) -> Problem:
    by = f" by {request.answered_by.get_username()}" if request.answered_by else ""
    return Problem("request-ended", "request", f"one that is {request.state}{by}", "an open request", "Nothing to do.")

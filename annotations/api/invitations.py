"""Links that invite people into a collection."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from annotations.api.fields import Answer, Person
from annotations.api.options import Options
from annotations.api.plain_json import fields_of
from annotations.models import Invitation, Role
from annotations.people_forms import Invite
from annotations.selectors.invitations import standing
from annotations.services import invitations


class InvitationRow(Answer[Invitation]):
    """An invitation. ``prefix`` is the beginning of its secret, which is nowhere to be had."""

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
        return str(standing(invitation))


class NewInvitation(InvitationRow):
    """An invitation just made; its link is shown this once."""

    link = serializers.SerializerMethodField()

    class Meta(InvitationRow.Meta):
        fields = (*InvitationRow.Meta.fields, "link")

    def get_link(self, _invitation: Invitation) -> str:
        return str(self.context["link"])


class InvitationOptions(Options):
    """What the link gives, and how long."""

    FORM = Invite
    HELP = {"note": "For whom; never sent."}

    role = serializers.ChoiceField(Role.choices)


class InvitationsView(APIView):
    """Invitations of a collection."""

    @extend_schema(operation_id="invitations", responses=InvitationRow(many=True), tags=["people"])
    def get(self, request: Request, slug: str) -> Response:
        """Every invitation, latest first."""
        rows = get_collection(request.user, slug, May.MANAGE).invitations.select_related("created_by")
        return Response(InvitationRow(rows, many=True).data)

    @extend_schema(operation_id="invite", request=InvitationOptions, responses={201: NewInvitation}, tags=["people"])
    def post(self, request: Request, slug: str) -> Response:
        """Make a link. No e-mail is sent: hand it over yourself."""
        collection = get_collection(request.user, slug, May.MANAGE)
        chosen: dict[str, Any] = InvitationOptions.of(fields_of(request))
        made, secret = invitations.invite(collection=collection, user=person(request), **chosen)
        link = request.build_absolute_uri(reverse("invitation", args=[secret]))
        return Response(NewInvitation(made, context={"link": link}).data, status=201)


class InvitationView(APIView):
    """One invitation."""

    @extend_schema(operation_id="revoke_invitation", responses={204: None}, tags=["people"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Make a link useless at once; who came by it stays."""
        row = get_collection(request.user, slug, May.MANAGE).invitations.filter(pk=pk).first()
        if row is None:
            raise Http404("There is no such invitation.")
        invitations.revoke(row)
        return Response(status=204)

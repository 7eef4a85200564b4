"""The keys of one's own programs."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.forms import NewToken
from accounts.models import ApiToken
from accounts.person import person
from accounts.scopes import Scope
from accounts.services import tokens
from annotations.api.fields import Answer
from annotations.api.options import Options
from annotations.api.plain_json import fields_of


class TokenRow(Answer[ApiToken]):
    """A token. ``prefix`` is the beginning of its secret, which is nowhere to be had."""

    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.values), source="scope_names")
    is_expired = serializers.BooleanField()

    class Meta:
        model = ApiToken
        fields: tuple[str, ...] = (
            *("id", "name", "prefix", "scopes", "created_at", "expires_at", "is_expired", "last_used_at"),
        )


class MadeToken(TokenRow):
    """A token just made; its secret is shown this once."""

    token = serializers.SerializerMethodField()

    class Meta(TokenRow.Meta):
        fields = (*TokenRow.Meta.fields, "token")

    def get_token(self, _token: ApiToken) -> str:
        return str(self.context["secret"])


class TokenOptions(Options):
    """What it is for, what it may do, and for how many days; 0: until it is revoked."""

    FORM = NewToken


class TokensView(APIView):
    """One's own tokens."""

    @extend_schema(operation_id="tokens", responses=TokenRow(many=True), tags=["people"])
    def get(self, request: Request) -> Response:
        """Every token of yours, latest first, with its last use and what it may do."""
        return Response(TokenRow(person(request).api_tokens.all(), many=True).data)

    @extend_schema(operation_id="make_token", request=TokenOptions, responses={201: MadeToken}, tags=["people"])
    def post(self, request: Request) -> Response:
        """Make a token. Only somebody who is signed in can: no token makes another."""
        chosen: dict[str, Any] = TokenOptions.of(fields_of(request))
        made, secret = tokens.create(person(request), **chosen)
        return Response(MadeToken(made, context={"secret": secret}).data, status=201)


class TokenView(APIView):
    """One token."""

    @extend_schema(operation_id="revoke_token", responses={204: None}, tags=["people"])
    def delete(self, request: Request, pk: int) -> Response:
        """Make a token of yours useless at once."""
        row = person(request).api_tokens.filter(pk=pk).first()
        if row is None:
            raise Http404("There is no such token.")
        tokens.revoke(row)
        return Response(status=204)

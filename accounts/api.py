"""A person's API tokens, the e-mails they want, and the audit log of their account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import mail
from accounts import mail as notices
from accounts.audit import Kind, address_for, of_account
from accounts.forms import NewToken
from accounts.models import ApiToken, AuditEntry, User
from accounts.notices import NOTICES
from accounts.person import person
from accounts.scopes import Scope
from accounts.services import tokens
from common.api.fields import Answer
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.pagination import paged
from common.api.schema import listing
from qc4.records import Record


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema names the token."""

    target_class = "accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from your account page. It is shown once; keep it like a password.",
        }


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


# --- E-mails ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NoticeRow(Record):
    """A kind of e-mail."""

    kind: str
    title: str
    when: str
    wanted: bool


@dataclass(frozen=True, slots=True)
class Notices(Record):
    """What is sent to you, and whether anything can be.

    Attributes:
        address: yours; empty: nothing can be sent to you.
        mail_goes_out: whether the operator has set up a mail server.
    """

    address: str
    mail_goes_out: bool
    notices: Sequence[NoticeRow]


class NoticeOptions(Options):
    """Kinds to turn on and off; those left out stay as they are."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {notice.key: serializers.BooleanField(required=False, help_text=notice.when) for notice in NOTICES}


class NoticesView(APIView):
    """E-mails to oneself."""

    @extend_schema(operation_id="notices", responses=Notices, tags=["people"])
    def get(self, request: Request) -> Response:
        """Every kind, and whether you want it."""
        return Response(_notices(person(request)).to_dict())

    @extend_schema(operation_id="choose_notices", request=NoticeOptions, responses=Notices, tags=["people"])
    def patch(self, request: Request) -> Response:
        """Turn kinds of e-mails on and off."""
        user = person(request)
        notices.turn(user, NoticeOptions.of(fields_of(request)))
        return Response(_notices(user).to_dict())


def _notices(user: User) -> Notices:
    rows = [NoticeRow(notice.key, notice.title, notice.when, wanted) for notice, wanted in notices.switches(user)]
    return Notices(user.email, mail.goes_out(), rows)


# --- The account's audit log ------------------------------------------------------------------------------------------


class CollectionLogRow(Answer[AuditEntry]):
    """What happened. ``by`` is empty for what nobody signed in did; ``account`` is whom it is about, or empty."""

    kind = serializers.ChoiceField(Kind.choices)
    by = serializers.CharField(source="actor_name")
    account = serializers.CharField(source="account_name")

    class Meta:
        model = AuditEntry
        fields: tuple[str, ...] = ("id", "at", "kind", "by", "account", "about")


class AccountLogRow(CollectionLogRow):
    """What happened with an account. ``address``: from where, of what one did oneself and of wrong passwords."""

    address = serializers.SerializerMethodField()

    class Meta(CollectionLogRow.Meta):
        fields = (*CollectionLogRow.Meta.fields, "address")

    def get_address(self, entry: AuditEntry) -> str:
        return address_for(self.context["user"], entry)


class AccountLogView(APIView):
    """The log of one's own account."""

    @listing("account_log", AccountLogRow, "people")
    def get(self, request: Request) -> Response:
        """What you did and what was done to your account, the latest first: signing in, tokens, roles, publications."""
        user = person(request)
        return paged(of_account(user), AccountLogRow, request, user=user)

"""The audit log of one's own account."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.audit import Kind, address_for, of_account
from accounts.models import AuditEntry
from accounts.person import person
from annotations.api.fields import Answer
from annotations.api.operations import listing
from annotations.api.pagination import paged


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

"""Which e-mails one wants."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from accounts.notices import NOTICES
from accounts.person import person
from accounts.services import mail, notices
from annotations.api.options import Options
from annotations.api.plain_json import fields_of


class NoticeRow(serializers.Serializer[Any]):
    """A kind of e-mail."""

    kind = serializers.CharField()
    title = serializers.CharField()
    when = serializers.CharField()
    wanted = serializers.BooleanField()


class NoticesShape(serializers.Serializer[Any]):
    """What is sent to you, and whether anything can be."""

    address = serializers.CharField(help_text="Yours; empty: nothing can be sent to you.")
    mail_goes_out = serializers.BooleanField(help_text="Whether the operator has set up a mail server.")
    notices = NoticeRow(many=True)


class NoticeOptions(Options):
    """Kinds to turn on and off; those left out stay as they are."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {notice.key: serializers.BooleanField(required=False, help_text=notice.when) for notice in NOTICES}


class NoticesView(APIView):
    """E-mails to oneself."""

    @extend_schema(operation_id="notices", responses=NoticesShape, tags=["people"])
    def get(self, request: Request) -> Response:
        """Every kind, and whether you want it."""
        return Response(_shape(person(request)))

    @extend_schema(operation_id="choose_notices", request=NoticeOptions, responses=NoticesShape, tags=["people"])
    def patch(self, request: Request) -> Response:
        """Turn kinds of e-mails on and off."""
        user = person(request)
        notices.turn(user, NoticeOptions.of(fields_of(request)))
        return Response(_shape(user))


def _shape(user: User) -> dict[str, Any]:
    rows = [
        {"kind": notice.key, "title": notice.title, "when": notice.when, "wanted": wanted}
        for notice, wanted in notices.switches(user)
    ]
    return {"address": user.email, "mail_goes_out": mail.goes_out(), "notices": rows}

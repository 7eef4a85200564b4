"""Which e-mails one wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
from qc4.records import Record


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

"""Agreement of two drafts, and adjudications: what is asked, how it was answered, and why."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import Person, person
from annotations.access import DraftAccess, May, get_query, reach_compared
from annotations.agreement import MINIMUM, About, Choice, Decision, Subject
from annotations.api.operations import KEY
from annotations.api.options import Options
from annotations.api.plain_json import fields_of
from annotations.api.throttles import DRAFT_WORK
from annotations.limits import KEY_CHARS, NOTE_CHARS
from annotations.models import Adjudication, AdjudicationDecision, Draft, Query
from annotations.selectors.adjudication.finding import reach_adjudication
from annotations.selectors.adjudication.outcomes import AdjudicationDetail
from annotations.selectors.adjudication.reading import read
from annotations.selectors.agreement import compared
from annotations.services import adjudication
from qc4.records import plain

TAG = ["agreement"]
REFUSED = OpenApiResponse(OpenApiTypes.OBJECT, "There is no such question or answer, or the draft does not allow it.")
CLASH = OpenApiResponse(OpenApiTypes.OBJECT, "Later changes of the draft get in the way; nothing was changed.")


class PairOptions(Options):
    """Two drafts of the query."""

    first = serializers.IntegerField(min_value=1, help_text="A draft's number.")
    second = serializers.IntegerField(min_value=1, help_text="Another one's.")
    minimum = serializers.FloatField(
        required=False,
        default=MINIMUM,
        min_value=0.01,
        max_value=1,
        help_text="The Jaccard coefficient from which topics of different names are the same.",
    )


class NewDecision(Options):
    """An answer to one question."""

    id = serializers.UUIDField(help_text="Made by you; sending it again decides nothing again.")
    about = serializers.ChoiceField(choices=[(about.value, about.name) for about in About])
    side = serializers.ChoiceField(choices=["first", "second"], default="first")
    key = serializers.CharField(max_length=KEY_CHARS, trim_whitespace=False, help_text="The id of the page or topic.")
    choice = serializers.ChoiceField(choices=[choice.value for choice in Choice if choice != Choice.REOPEN])
    other = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=KEY_CHARS,
        help_text="For `same`: the first side's topic.",
    )
    reason = serializers.ChoiceField(choices=AdjudicationDecision.Reason.values, required=False, default="")
    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=NOTE_CHARS)


class TakeBack(Options):
    """Taking an answer back."""

    id = serializers.UUIDField(help_text="Made by you; sending it again takes nothing more back.")


class AgreementView(APIView):
    """How far two drafts agree."""

    @extend_schema(
        operation_id="agreement",
        parameters=[KEY, PairOptions],
        responses=OpenApiResponse(OpenApiTypes.OBJECT, "Aligned topics, figures with intervals, and every page."),
        tags=TAG,
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        """Two drafts compared: aligned topics, QC4 either way, Omega and BCubed per level, kappa and AC1, the pages."""
        query = get_query(request.user, slug, key, May.CURATE)
        options = PairOptions.of(request.query_params)
        first, second = _pair(request.user, query, options)
        return Response(compared(first, second, options["minimum"]).agreement.to_dict())


class AdjudicationsView(APIView):
    """Make one draft of two."""

    @extend_schema(
        operation_id="start_adjudication",
        parameters=[KEY],
        request=PairOptions,
        responses={201: AdjudicationDetail},
        tags=TAG,
    )
    def post(self, request: Request, slug: str, key: str) -> Response:
        """Start adjudicating two submitted drafts; the adjudication there is, if somebody has started it."""
        query = get_query(request.user, slug, key, May.PUBLISH)
        options = PairOptions.of(fields_of(request))
        first, second = _pair(request.user, query, options)
        draft = adjudication.start(
            query=query, first=first, second=second, user=person(request), minimum=options["minimum"]
        )
        return Response(
            AdjudicationDetail(read(reach_adjudication(request.user, draft.pk)[1])).to_dict(),
            status=status.HTTP_201_CREATED,
        )


class AdjudicationView(APIView):
    """One adjudication."""

    @extend_schema(operation_id="adjudication", responses=AdjudicationDetail, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """What is asked and answered, and who placed each page and why."""
        return Response(_detail(request.user, pk))


class DecisionsView(APIView):
    """Decide."""

    throttle_classes = DRAFT_WORK

    @extend_schema(
        operation_id="decide",
        request=NewDecision,
        responses={200: AdjudicationDecision, 409: CLASH, 422: REFUSED},
        tags=TAG,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Answer one question, as one step of the draft; the same `id` again decides nothing again."""
        access, found = _decided(request.user, pk)
        given = NewDecision.of(fields_of(request))
        subject = Subject(About(given["about"]), given["key"], given["side"])
        decision = Decision(subject, Choice(given["choice"]), given["other"])
        answer = adjudication.Answer(given["id"], decision, given["reason"], given["note"])
        return Response(plain(adjudication.decide(found, access.person, answer).row))


class TakeBackView(APIView):
    """Take a decision back."""

    throttle_classes = DRAFT_WORK

    @extend_schema(
        operation_id="take_decision_back",
        request=TakeBack,
        responses={200: AdjudicationDecision, 409: CLASH, 422: REFUSED},
        tags=TAG,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Undo your latest decision that is not undone, and its step of the draft."""
        access, found = _decided(request.user, pk)
        given = TakeBack.of(fields_of(request))
        return Response(plain(adjudication.take_back(found, access.person, given["id"]).row))


def _decided(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """An adjudication this person may decide in."""
    access, found = reach_adjudication(person, pk)
    if not access.may_edit:
        raise PermissionDenied("Only who may publish adjudicates. You may read the outcome.")
    return access, found


def _pair(person: Person, query: Query, options: dict[str, Any]) -> list[Draft]:
    pair = [reach_compared(person, options[name]).draft for name in ("first", "second")]
    if any(draft.query_id != query.pk for draft in pair):
        raise Http404("There is no such draft of this query.")
    return pair


def _detail(person: Person, pk: int) -> dict[str, Any]:
    _, found = reach_adjudication(person, pk)
    return AdjudicationDetail(read(found)).to_dict()

"""Adjudications: questions, answers and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import Person, person
from annotations.access import May, get_query
from annotations.adjudication import services as adjudication
from annotations.adjudication.selectors.outcomes import AdjudicationDetail
from annotations.adjudication.selectors.reading import SeenState, read
from annotations.adjudication.session import Decision, Subject
from annotations.adjudication_choices import About, Choice
from annotations.agreement.api import REOPENED, TAG, _drafts
from annotations.agreement.statistics import MINIMUM, SIDES
from annotations.drafts.exposure import open_adjudication, open_adjudication_to_decide
from annotations.limits import COMPARED_DRAFTS, DECISIONS_AT_ONCE, NOTE_CHARS
from annotations.models import AdjudicationDecision
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.schema import KEY
from common.api.throttles import DRAFT_WORK
from common.limits import KEY_CHARS, LARGEST_ID

ANSWERS = [choice.value for choice in Choice if choice != Choice.REOPEN]
"""The possible answers. To reopen a question, the person undoes their answer."""


REASONS = list(AdjudicationDecision.Reason.values)


REFUSED = OpenApiResponse(
    OpenApiTypes.OBJECT, "There is no such question or answer, or the draft does not allow this answer."
)


CLASH = OpenApiResponse(
    OpenApiTypes.OBJECT,
    "Somebody else has answered since your `state` (`answered-meanwhile`; `clashes` says who and how), or later "
    "changes to the draft conflict with the answer. Nothing was changed.",
)


DECIDED: dict[int, Any] = {200: adjudication.StepResult, 409: CLASH, 422: REFUSED}


class ComparedOptions(Options):
    """Drafts of the query, in the order in which they are compared."""

    drafts = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_ID),
        min_length=2,
        max_length=COMPARED_DRAFTS,
        help_text="Ids of the drafts. The adjudication takes its topic ids from the first one.",
    )
    minimum = serializers.FloatField(
        required=False, default=MINIMUM, min_value=0.01, max_value=1, help_text="As for the agreement of two drafts."
    )


class OneAnswer(Options):
    """An answer to one question."""

    about = serializers.ChoiceField(choices=[(about.value, about.name) for about in About])
    side = serializers.ChoiceField(choices=SIDES, default="first")
    key = serializers.CharField(max_length=KEY_CHARS, trim_whitespace=False, help_text="The id of the page or topic.")
    choice = serializers.ChoiceField(choices=ANSWERS)
    other = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=KEY_CHARS,
        help_text="For `same`: the id of the equal topic in the draft. For `typed`: the name.",
    )


class Reasoned(Options):
    """Reason and bookkeeping of an answer."""

    id = serializers.UUIDField(help_text="An id that you choose. Sending the same id again has no effect.")
    state = serializers.RegexField(
        r"^\d{1,9}\.\d{1,9}$",
        help_text="The `state` of the adjudication that you saw. If somebody else has answered since, your answer is "
        "rejected (409), and both answers are shown.",
    )
    reason = serializers.ChoiceField(choices=REASONS, required=False, default="")
    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=NOTE_CHARS)


class NewDecision(OneAnswer, Reasoned):
    """An answer to one question, with a reason."""


class NewDecisions(Reasoned):
    """Answers to several questions, as one step."""

    answers = serializers.ListField(child=OneAnswer(), min_length=1, max_length=DECISIONS_AT_ONCE)


class OneStep(Options):
    """A request that needs only an id."""

    id = serializers.UUIDField(help_text="An id that you choose. Sending the same id again has no effect.")


class AdjudicationsView(APIView):
    """Adjudications of a query."""

    @extend_schema(
        operation_id="start_adjudication",
        parameters=[KEY],
        request=ComparedOptions,
        responses={201: AdjudicationDetail, 409: REOPENED},
        tags=TAG,
    )
    def post(self, request: Request, slug: str, key: str) -> Response:
        """Start to adjudicate submitted drafts. If there is an adjudication of exactly these drafts, return it."""
        query = get_query(request.user, slug, key, May.PUBLISH)
        options = ComparedOptions.of(fields_of(request))
        drafts = _drafts(request.user, query, options["drafts"])
        draft = adjudication.start(query=query, drafts=drafts, user=person(request), minimum=options["minimum"])
        return Response(
            AdjudicationDetail(read(open_adjudication(request.user, draft.pk)[1])).to_dict(),
            status=status.HTTP_201_CREATED,
        )


class AdjudicationView(APIView):
    """One adjudication."""

    @extend_schema(operation_id="adjudication", responses=AdjudicationDetail, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Return the questions and answers, and who placed each page and why."""
        return Response(_detail(request.user, pk))


class DecisionsView(APIView):
    """An answer to one question."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="decide", request=NewDecision, responses=DECIDED, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Answer one question, as one step of the draft. Sending the same `id` again has no effect."""
        access, found = open_adjudication_to_decide(request.user, pk)
        given = NewDecision.of(fields_of(request))
        answer = _answer(given, [given])
        return Response(adjudication.decide(found, access.person, answer).to_dict())


class SeveralDecisionsView(APIView):
    """Answers to several questions."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="decide_several", request=NewDecisions, responses=DECIDED, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Answer several questions, such as all names, as one step. Either all answers are applied or none."""
        access, found = open_adjudication_to_decide(request.user, pk)
        given = NewDecisions.of(fields_of(request))
        answer = _answer(given, given["answers"])
        return Response(adjudication.decide(found, access.person, answer).to_dict())


class ProposalsView(APIView):
    """The proposals of the majority."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="accept_proposals", request=OneStep, responses=DECIDED, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Answer every open question that has a `proposal` (the answer of more than half of three or more drafts), as
        one step."""
        access, found = open_adjudication_to_decide(request.user, pk)
        given = OneStep.of(fields_of(request))
        return Response(adjudication.accept_proposals(found, access.person, given["id"]).to_dict())


class TakeBackView(APIView):
    """Undo of a step."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="take_decision_back", request=OneStep, responses=DECIDED, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Undo your latest step, with its entry of the draft. Your later work in the workspace is undone first."""
        access, found = open_adjudication_to_decide(request.user, pk)
        given = OneStep.of(fields_of(request))
        return Response(adjudication.undo(found, access.person, given["id"]).to_dict())


class DoAgainView(APIView):
    """Redo of a step."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="decide_again", request=OneStep, responses=DECIDED, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Redo the step that you undid last."""
        access, found = open_adjudication_to_decide(request.user, pk)
        given = OneStep.of(fields_of(request))
        return Response(adjudication.redo(found, access.person, given["id"]).to_dict())


def _answer(given: dict[str, Any], answers: Sequence[dict[str, Any]]) -> adjudication.Answer:
    seen, decisions = SeenState.read(given["state"]), tuple(map(_decision, answers))
    return adjudication.Answer(given["id"], decisions, given["reason"], given["note"], seen)


def _decision(given: dict[str, Any]) -> Decision:
    subject = Subject(About(given["about"]), given["key"], given["side"])
    return Decision(subject, Choice(given["choice"]), given["other"].strip())


def _detail(person: Person, pk: int) -> dict[str, Any]:
    _, found = open_adjudication(person, pk)
    return AdjudicationDetail(read(found)).to_dict()

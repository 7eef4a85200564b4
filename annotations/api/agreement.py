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
from annotations.access import DraftAccess, May, get_draft, get_query
from annotations.agreement import MINIMUM, About, Choice, Decision, Question, Subject
from annotations.api.operations import KEY
from annotations.api.options import Options
from annotations.api.plain_json import StrictJSON, fields_of
from annotations.api.throttles import DRAFT_WORK
from annotations.limits import KEY_CHARS, NOTE_CHARS
from annotations.models import Adjudication, AdjudicationDecision, Draft, Query
from annotations.selectors.adjudication.decisions import address_of, decision_json
from annotations.selectors.adjudication.finding import reach_adjudication
from annotations.selectors.adjudication.outcomes import Outcomes
from annotations.selectors.adjudication.reading import read
from annotations.selectors.agreement import compared
from annotations.services import adjudication

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
    about = serializers.ChoiceField(choices=[about.value for about in About])
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


class DecisionShape(serializers.Serializer[Any]):
    """A decision, and the revision of the draft it became (null where nothing had to change)."""

    id = serializers.UUIDField()
    about = serializers.CharField()
    side = serializers.CharField()
    key = serializers.CharField()
    choice = serializers.CharField()
    other = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    note = serializers.CharField()
    revision = serializers.IntegerField(allow_null=True)
    undoes = serializers.UUIDField(allow_null=True)
    by = serializers.CharField()
    at = serializers.DateTimeField()


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

    parser_classes = [StrictJSON]

    @extend_schema(
        operation_id="start_adjudication",
        parameters=[KEY],
        request=PairOptions,
        responses={201: OpenApiResponse(OpenApiTypes.OBJECT, "As `GET /drafts/{id}/adjudication`.")},
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
        return Response(_json(*reach_adjudication(request.user, draft.pk)), status=status.HTTP_201_CREATED)


class AdjudicationView(APIView):
    """One adjudication."""

    @extend_schema(
        operation_id="adjudication",
        responses=OpenApiResponse(OpenApiTypes.OBJECT, "Questions, every decision with its reason, every page."),
        tags=TAG,
    )
    def get(self, request: Request, pk: int) -> Response:
        """What is asked and answered, and who placed each page and why."""
        return Response(_json(*reach_adjudication(request.user, pk)))


class DecisionsView(APIView):
    """Decide."""

    parser_classes = [StrictJSON]
    throttle_classes = DRAFT_WORK

    @extend_schema(
        operation_id="decide",
        request=NewDecision,
        responses={200: DecisionShape, 409: CLASH, 422: REFUSED},
        tags=TAG,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Answer one question, as one step of the draft; the same `id` again decides nothing again."""
        access, found = _decided(request.user, pk)
        given = NewDecision.of(fields_of(request))
        subject = Subject(About(given["about"]), given["key"], given["side"])
        decision = Decision(subject, Choice(given["choice"]), given["other"])
        answer = adjudication.Answer(given["id"], decision, given["reason"], given["note"])
        return Response(decision_json(adjudication.decide(found, access.person, answer).row))


class TakeBackView(APIView):
    """Take a decision back."""

    parser_classes = [StrictJSON]
    throttle_classes = DRAFT_WORK

    @extend_schema(
        operation_id="take_decision_back",
        request=TakeBack,
        responses={200: DecisionShape, 409: CLASH, 422: REFUSED},
        tags=TAG,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Undo your latest decision that is not undone, and its step of the draft."""
        access, found = _decided(request.user, pk)
        given = TakeBack.of(fields_of(request))
        return Response(decision_json(adjudication.take_back(found, access.person, given["id"]).row))


def _decided(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """An adjudication this person may decide in."""
    access, found = reach_adjudication(person, pk)
    if not access.may_edit:
        raise PermissionDenied("Only who may publish adjudicates. You may read the outcome.")
    return access, found


def _pair(person: Person, query: Query, options: dict[str, Any]) -> list[Draft]:
    pair = [get_draft(person, options[name]) for name in ("first", "second")]
    if any(draft.query_id != query.pk for draft in pair):
        raise Http404("There is no such draft of this query.")
    return pair


def _json(access: DraftAccess, found: Adjudication) -> dict[str, Any]:
    reading, draft = read(found), access.draft
    return {
        "draft": draft.pk,
        "status": draft.status,
        "revision": draft.revision,
        "first": {"draft": draft.first_id, "name": found.first_name},
        "second": {"draft": draft.second_id, "name": found.second_name},
        "minimum": found.minimum,
        "agreed_from_the_start": found.n_agreed,
        "questions": [_question_json(question) for question in reading.questions],
        "decisions": [decision_json(row) for row in reading.decisions],
        "pages": [row.to_dict() for row in Outcomes(reading).rows()],
    }


def _question_json(question: Question) -> dict[str, Any]:
    subject = question.subject
    return {
        "about": subject.about,
        "side": subject.side,
        "key": subject.key,
        "address": address_of(subject),
        "choices": list(question.choices),
        "decided": question.decided,
    }

"""Have submissions scored under chosen policies: all of a collection's, or one."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from common.api.json_bodies import fields_of
from common.api.options import Options
from evaluation.access import get_submission, own_submission
from evaluation.policy_forms import Score
from evaluation.selectors.evaluations import chosen_version
from evaluation.services import scoring
from evaluation.services.scoring import Scoring
from qc4.model.policies import CHOICES, Policies


class ScoreOptions(Options):
    """What is scored how: policies, gold version, measures."""

    FORM = Score

    measures = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Measures by key, or with parameters as in `alpha_ndcg@15`; by default all in the catalogue.",
    )

    @staticmethod
    def policies(chosen: dict[str, str]) -> Policies:
        """Those among checked options."""
        return Policies.parse({name: chosen[name] for name in CHOICES})


class EvaluationsView(APIView):
    """The evaluations of a collection's submissions."""

    @extend_schema(
        operation_id="score_all", request=ScoreOptions, responses={202: Scoring, 200: Scoring}, tags=["scores"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Score the latest submissions you may see under these policies.

        Those that are scored so, or wait for it, are left out. 200 where there is nothing left to do.
        """
        collection = get_collection(request.user, slug, May.COMPUTE)
        chosen = ScoreOptions.of(fields_of(request))
        version = chosen_version(collection, chosen.get("gold"))
        policies, measures = ScoreOptions.policies(chosen), chosen.get("measures") or None
        return _answer(scoring.score_latest(version, policies, user=person(request), measures=measures))


class SubmissionEvaluationsView(APIView):
    """The evaluations of a submission."""

    @extend_schema(
        operation_id="score_submission", request=ScoreOptions, responses={202: Scoring, 200: Scoring}, tags=["scores"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Score a submission of your own under these policies. 200 where it is scored so already, or waits for it."""
        found = own_submission(request.user, get_submission(request.user, pk))
        chosen = ScoreOptions.of(fields_of(request))
        version = chosen_version(found.collection, chosen.get("gold"))
        policies, measures = ScoreOptions.policies(chosen), chosen.get("measures") or None
        return _answer(scoring.score_submission(found, version, policies, user=person(request), measures=measures))


def _answer(done: Scoring) -> Response:
    return Response(done.to_dict(), status=status.HTTP_202_ACCEPTED if done.queued else status.HTTP_200_OK)

"""Run built-in baselines on a collection."""

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
from evaluation.access import require_organiser
from evaluation.baseline_runs import services as baselines
from evaluation.baseline_runs.forms import RunBaselines
from evaluation.baselines import BASELINES, BaselineSpec
from evaluation.limits import BASELINE_SPEC_CHARS, BASELINES_AT_ONCE
from evaluation.runs.api import run_response
from evaluation.runs.serializers import RunDetail
from qc4.problems import InputError


class OrderField(serializers.CharField):
    """A baseline with its parameters, as `BaselineSpec.parse` reads it."""

    def to_internal_value(self, data: str) -> str:
        text = super().to_internal_value(data)
        try:
            BaselineSpec.parse(text)
        except InputError as error:
            raise serializers.ValidationError([str(problem) for problem in error.problems]) from None
        return text


class BaselineOptions(Options):
    """The baselines to run, their parameters, the seed and the number of draws."""

    FORM = RunBaselines

    only = serializers.ListField(
        child=OrderField(max_length=BASELINE_SPEC_CHARS),
        required=False,
        max_length=BASELINES_AT_ONCE,
        help_text="Keys of baselines, with parameters as in `kmeans:k=8:restarts=3`; by default all that "
        f"have their inputs. Available baselines: {', '.join(BASELINES)}.",
    )


class BaselinesView(APIView):
    """Run baselines."""

    @extend_schema(
        operation_id="run_baselines", request=BaselineOptions, responses={202: RunDetail}, tags=["submissions"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Run built-in baselines on a collection, as a run; each becomes a published submission."""
        collection = get_collection(request.user, slug, May.COMPUTE)
        require_organiser(request.user, collection)
        chosen = BaselineOptions.of(fields_of(request))
        run = baselines.enqueue(
            collection=collection,
            keys=chosen.get("only") or None,
            seed=chosen["seed"],
            draws=chosen["draws"],
            user=person(request),
        )
        return run_response(run, request, status.HTTP_202_ACCEPTED)

"""Built-in baselines on a collection."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from annotations.api.options import Options
from evaluation.api.runs import answer
from evaluation.api.serializers import RunDetail
from evaluation.baselines.catalogue import BASELINES
from evaluation.limits import LARGEST_SEED
from evaluation.services import baselines


class BaselineOptions(Options):
    """Which baselines, and their seed."""

    only = serializers.ListField(
        child=serializers.ChoiceField(sorted(BASELINES)),
        required=False,
        help_text="By default all that have what they need.",
    )
    seed = serializers.IntegerField(default=0, min_value=0, max_value=LARGEST_SEED)


class BaselinesView(APIView):
    """Run baselines."""

    @extend_schema(
        operation_id="run_baselines", request=BaselineOptions, responses={202: RunDetail}, tags=["submissions"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Run built-in baselines on a collection, as a run; each becomes a published submission."""
        collection = get_collection(request.user, slug, May.SUBMIT)
        if not isinstance(request.data, dict):
            raise ParseError("A JSON object is expected.")
        chosen = BaselineOptions.of(request.data)
        run = baselines.enqueue(
            collection=collection,
            keys=chosen.get("only") or None,
            seed=chosen["seed"],
            user=person(request),
        )
        return answer(run, request, status.HTTP_202_ACCEPTED)

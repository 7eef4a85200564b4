"""Built-in baselines on a collection."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from annotations.api.options import Options
from annotations.api.plain_json import fields_of
from evaluation.api.runs import answer
from evaluation.api.serializers import RunDetail
from evaluation.forms import RunBaselines
from evaluation.services import baselines


class BaselineOptions(Options):
    """Which baselines, and their seed."""

    FORM = RunBaselines
    HELP = {"only": "By default all that have what they need."}


class BaselinesView(APIView):
    """Run baselines."""

    @extend_schema(
        operation_id="run_baselines", request=BaselineOptions, responses={202: RunDetail}, tags=["submissions"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Run built-in baselines on a collection, as a run; each becomes a published submission."""
        collection = get_collection(request.user, slug, May.SUBMIT)
        chosen = BaselineOptions.of(fields_of(request))
        run = baselines.enqueue(
            collection=collection,
            keys=chosen.get("only") or None,
            seed=chosen["seed"],
            user=person(request),
        )
        return answer(run, request, status.HTTP_202_ACCEPTED)

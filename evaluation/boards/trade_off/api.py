"""Quality against coverage and the paper's Fig. 1 in the API, as the page shows them."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from evaluation.boards.trade_off.selectors import WEIGHTS, TradeOff, trade_off_for_parameters
from evaluation.scoring.api_options import BoardOptionsSerializer


class TradeOffOptions(BoardOptionsSerializer):
    """Options of the charts, with the version of quality and coverage."""

    weights = serializers.ChoiceField(
        list(WEIGHTS), default=next(iter(WEIGHTS)), help_text="The version of quality and coverage."
    )


class TradeOffView(APIView):
    """Quality against coverage in a collection."""

    @extend_schema(operation_id="trade_off", parameters=[TradeOffOptions], responses=TradeOff, tags=["scores"])
    def get(self, request: Request, slug: str) -> Response:
        """Return mean quality and mean coverage of each algorithm, best first by QC4.

        `bars` are the bars of the QC4 paper's Fig. 1 (A: cluster quality, B: topic coverage, C: overall). Each is the
        mean of the means that `figures` names. `measures` and `sort` have no effect here.
        """
        collection = get_collection(request.user, slug)
        TradeOffOptions.of(request.query_params)
        return Response(trade_off_for_parameters(collection, request.user, request.query_params).to_dict())

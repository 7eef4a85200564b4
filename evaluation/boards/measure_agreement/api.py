"""Measures against measures, as the page shows them."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from evaluation.boards.measure_agreement.selectors import MeasuresCompared, compare_chosen_measures
from evaluation.scoring.api_options import ChoiceOptions


class MeasuresComparedView(APIView):
    """Measures against each other, on a collection's algorithms."""

    @extend_schema(
        operation_id="measures_compared", parameters=[ChoiceOptions], responses=MeasuresCompared, tags=["scores"]
    )
    def get(self, request: Request, slug: str) -> Response:
        """Do measures put algorithms in the same order: Kendall's tau-b of the means of every two with its interval,
        the pairs of algorithms on which they contradict each other, and how well each separates algorithms.

        By default the paper's measures and one of each kind that papers report.
        """
        collection = get_collection(request.user, slug)
        choice = ChoiceOptions.choice(request)
        return Response(compare_chosen_measures(collection, request.user, choice).to_dict())

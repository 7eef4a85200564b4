"""Measures against measures in the API, as the page shows them."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from evaluation.boards.measure_agreement.selectors import MeasuresCompared, compare_chosen_measures
from evaluation.scoring.api_options import BoardOptionsSerializer


class MeasuresComparedView(APIView):
    """Agreement of measures about a collection's algorithms."""

    @extend_schema(
        operation_id="measures_compared",
        parameters=[BoardOptionsSerializer],
        responses=MeasuresCompared,
        tags=["scores"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return how far measures agree about the order of algorithms.

        Every pair of measures has Kendall's tau-b of the means with its interval, and the pairs of algorithms about
        which the two measures contradict each other. Every measure has its discriminative power. The default measures
        are the paper's and one of each kind that papers report.
        """
        collection = get_collection(request.user, slug)
        choice = BoardOptionsSerializer.choice(request)
        return Response(compare_chosen_measures(collection, request.user, choice).to_dict())

"""The comparison of a few algorithms in the API, as the page shows it."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from common.limits import LARGEST_ID
from evaluation.boards.compare.comparison import AlgorithmComparison, ComparisonOptions
from evaluation.boards.compare.selectors import compare_algorithms
from evaluation.limits import COMPARED_ALGORITHMS, COMPARED_BY_DEFAULT
from evaluation.scoring.api_options import BoardOptionsSerializer


class CompareOptions(BoardOptionsSerializer):
    """Options of a comparison."""

    algorithms = serializers.CharField(
        default="",
        allow_blank=True,
        help_text=f"Ids of algorithms, separated by commas; by default the best {COMPARED_BY_DEFAULT}. "
        f"If you give more than {COMPARED_ALGORITHMS}, the best of them are compared.",
    )
    pair = serializers.CharField(
        default="",
        allow_blank=True,
        help_text="Ids of the two algorithms to compare query by query, such as `3,7`; by default the best "
        "two, or the best and the baseline.",
    )
    row = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_ID,
        help_text="Id of the algorithm that differences are shown from. It does not change the tests.",
    )


class CompareView(APIView):
    """Comparison of a collection's algorithms."""

    @extend_schema(operation_id="compare", parameters=[CompareOptions], responses=AlgorithmComparison, tags=["scores"])
    def get(self, request: Request, slug: str) -> Response:
        """Return which algorithms are better and how certain that is, with two of them query by query.

        All algorithms are compared on the same queries. Every p-value, interval, place and verdict comes from one
        family of pairs and one critical value. Identical algorithms, a single query and constant differences have no
        p-value or no interval; a note says why.
        """
        collection = get_collection(request.user, slug)
        CompareOptions.of(request.query_params)
        return Response(
            compare_algorithms(collection, request.user, ComparisonOptions.read(request.query_params)).to_dict()
        )

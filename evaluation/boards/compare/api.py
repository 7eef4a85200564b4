"""A few algorithms compared, as the page shows them."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from common.limits import LARGEST_ID
from evaluation.boards.compare.comparison import Asked, Compared
from evaluation.boards.compare.selectors import compared
from evaluation.limits import COMPARED_ALGORITHMS, COMPARED_UNASKED
from evaluation.scoring.api_options import ChoiceOptions


class CompareOptions(ChoiceOptions):
    """What is compared, and how."""

    algorithms = serializers.CharField(
        default="",
        allow_blank=True,
        help_text=f"Ids of algorithms separated by commas; by default the best {COMPARED_UNASKED}. "
        f"Of more than {COMPARED_ALGORITHMS} the best are compared.",
    )
    pair = serializers.CharField(
        default="",
        allow_blank=True,
        help_text="Ids of the two that are looked at query by query, such as `3,7`; by default the best "
        "two, or the best and the baseline.",
    )
    row = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_ID,
        help_text="Id of the algorithm that the page draws differences from. It changes no test.",
    )


class CompareView(APIView):
    """Some algorithms of a collection, compared."""

    @extend_schema(operation_id="compare", parameters=[CompareOptions], responses=Compared, tags=["scores"])
    def get(self, request: Request, slug: str) -> Response:
        """Who is better than whom, and how sure that is: every figure, the same in words, and two query by query.

        All are compared on the same queries. One family of pairs and one critical value give every p, interval, place
        and verdict. Identical algorithms, a single query and constant differences have no p or no interval, and say
        why.
        """
        collection = get_collection(request.user, slug)
        CompareOptions.of(request.query_params)
        return Response(compared(collection, request.user, Asked.read(request.query_params)).to_dict())

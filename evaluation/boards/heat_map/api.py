"""The heat map in the API, as the page shows it."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from evaluation.boards.heat_map.selectors import ROWS, HeatMap, heat_map_for_parameters
from evaluation.scoring.api_options import BoardOptionsSerializer


class HeatMapOptions(BoardOptionsSerializer):
    """Options of the heat map, with the order of the queries."""

    rows = serializers.ChoiceField(list(ROWS), default=next(iter(ROWS)), help_text="The order of the queries.")


class HeatMapView(APIView):
    """The heat map of a collection."""

    @extend_schema(operation_id="heat_map", parameters=[HeatMapOptions], responses=HeatMap, tags=["scores"])
    def get(self, request: Request, slug: str) -> Response:
        """Return the score of every algorithm on every query: which queries are hard, and where algorithms differ.

        `sort` names the measure. `values` has a list per query with a value per algorithm, in the order of `queries`
        and `algorithms`; `gaps` says why a value is null. An algorithm's mean is that of the leaderboard.
        """
        collection = get_collection(request.user, slug)
        HeatMapOptions.of(request.query_params)
        return Response(heat_map_for_parameters(collection, request.user, request.query_params).to_dict())

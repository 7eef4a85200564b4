"""The leaderboard, as the page shows it."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from annotations.api.options import Options
from annotations.limits import LARGEST_VERSION
from evaluation.selectors.board import MISSING_RULES, Board
from evaluation.selectors.leaderboard import leaderboard


class BoardOptions(Options):
    """What the board shows."""

    measures = serializers.CharField(
        default="", allow_blank=True, help_text="Keys separated by commas; by default quality, coverage, qc4_f."
    )
    sort = serializers.CharField(default="", allow_blank=True, help_text="The measure that ranks.")
    level = serializers.CharField(default="", allow_blank=True, help_text="A level's number, or `all`.")
    gold = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_VERSION,
        help_text="A gold version's number; by default the latest.",
    )
    missing = serializers.ChoiceField(
        sorted(MISSING_RULES),
        default="zero",
        help_text="What a query without a clustering counts: 0, or nothing at all.",
    )


class LeaderboardView(APIView):
    """The leaderboard of a collection."""

    @extend_schema(
        operation_id="leaderboard",
        parameters=[BoardOptions],
        responses=Board,
        tags=["scores"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Who is better: the mean of each chosen measure over the queries, best first, undefined last."""
        collection = get_collection(request.user, slug)
        chosen = BoardOptions.of(request.query_params)
        keys = [key for key in chosen.pop("measures").split(",") if key]
        return Response(leaderboard(collection, request.user, measures=keys, **chosen).to_dict())

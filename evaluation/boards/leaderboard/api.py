"""The leaderboard in the API, as the page shows it."""

from __future__ import annotations

from django.http import HttpResponseBase, StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from evaluation.boards.leaderboard.files import board_json
from evaluation.ranking.board import Board
from evaluation.scoring.api_options import BoardOptionsSerializer


class LeaderboardView(APIView):
    """The leaderboard of a collection."""

    @extend_schema(
        operation_id="leaderboard",
        parameters=[BoardOptionsSerializer],
        responses=Board,
        tags=["scores"],
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Return the mean of each chosen measure over the queries: best algorithm first, undefined means last.

        Algorithms are compared on the queries for which all of them have a value. All pairs are tested together.
        `rank_low` and `rank_high` are the range of places that an algorithm may have. `could_be_best` is true if no
        other algorithm is significantly better. `behind_low` to `behind_high` is how far it may be behind the best.
        With a `baseline`, only the pairs with it are tested, and these fields are null.
        """
        collection = get_collection(request.user, slug)
        found = board_json(collection, request.user, BoardOptionsSerializer.choice(request))
        if isinstance(found, Board):
            return Response(found.to_dict())
        return StreamingHttpResponse(found, content_type="application/json")

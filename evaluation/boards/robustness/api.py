"""Would the winner change, in the API, as the page shows it."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from evaluation.boards.robustness.selectors import RobustnessFound, check_robustness
from evaluation.scoring.api_options import BoardOptionsSerializer


class RobustnessView(APIView):
    """Comparison of two algorithms under every available table of scores."""

    @extend_schema(
        operation_id="robustness", parameters=[BoardOptionsSerializer], responses=RobustnessFound, tags=["scores"]
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return whether one algorithm stays ahead of another under other conditions.

        Scores are compared by other measures of the group, and under other levels, scoring options and gold versions.
        Curators' drafts that you can see count as gold standards. Queries are resampled, and the most influential one
        is left out. `algorithms` names the pair; by default it is the leader and the second by `sort`.
        """
        collection = get_collection(request.user, slug)
        choice = BoardOptionsSerializer.of_one_measure(request)
        return Response(check_robustness(collection, request.user, choice).to_dict())

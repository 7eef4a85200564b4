"""Would the winner change, as the page shows it."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from evaluation.boards.robustness.selectors import RobustnessFound, look_for_changes
from evaluation.scoring.api_options import ChoiceOptions


class RobustnessView(APIView):
    """The leader, or a chosen pair, under every table of scores there is."""

    @extend_schema(operation_id="robustness", parameters=[ChoiceOptions], responses=RobustnessFound, tags=["scores"])
    def get(self, request: Request, slug: str) -> Response:
        """Does A stay ahead of B: under every measure of its group, level, policy and gold version that has scores,
        with curators' own drafts as gold standards (those you may see), without the most telling query, and in
        which share of resampled sets of queries.

        `algorithms` names the pair; by default it is the leader and the second by `sort`.
        """
        collection = get_collection(request.user, slug)
        choice = ChoiceOptions.of_one_measure(request)
        return Response(look_for_changes(collection, request.user, choice).to_dict())

"""Ranks before and after a gold version in the API, as the page shows them."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_gold_version
from common.limits import LARGEST_VERSION
from evaluation.boards.gold_ranks.selectors import GoldRanks, compare_versions
from evaluation.scoring.api_options import BoardOptionsSerializer


class GoldRankOptions(BoardOptionsSerializer):
    """Options of the ranks before and after; the URL names the version after."""

    before = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_VERSION,
        help_text="Number of the other gold version; by default the previous one.",
    )

    def get_fields(self) -> dict[str, serializers.Field[object, object, object, object]]:
        """Return the fields without ``gold``, which the URL names."""
        return {name: field for name, field in super().get_fields().items() if name != "gold"}


class GoldRanksView(APIView):
    """Effect of a gold version on the ranks of algorithms."""

    @extend_schema(operation_id="gold_ranks", parameters=[GoldRankOptions], responses=GoldRanks, tags=["gold versions"])
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Return means and places of the algorithms with scores against both versions, and the changed queries."""
        version = get_gold_version(request.user, slug, number)
        choice = GoldRankOptions.of_one_measure(request)
        before = request.query_params.get("before")
        found = compare_versions(version, request.user, choice, int(before) if before else None)
        return Response(found.to_dict())

"""Topic coverage in the API, as the page shows it."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from evaluation.boards.topic_coverage.selectors import TopicsFound, find_topics
from evaluation.scoring.api_options import BoardOptionsSerializer


class TopicCoverageView(APIView):
    """Topics that algorithms cover, merge, split or miss."""

    @extend_schema(
        operation_id="topic_coverage",
        parameters=[BoardOptionsSerializer],
        responses=TopicsFound,
        tags=["scores"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return how many topics each algorithm covers, merges, splits or misses: total, by level, size and query."""
        collection = get_collection(request.user, slug)
        choice = BoardOptionsSerializer.of_one_measure(request)
        return Response(find_topics(collection, request.user, choice).to_dict())

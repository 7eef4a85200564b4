"""Topic coverage, as the page shows it."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from evaluation.boards.topic_coverage.selectors import TopicsFound, find_topics
from evaluation.scoring.api_options import ChoiceOptions


class TopicCoverageView(APIView):
    """What becomes of topics in the clusters of algorithms."""

    @extend_schema(
        operation_id="topic_coverage",
        parameters=[ChoiceOptions],
        responses=TopicsFound,
        tags=["scores"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """How many topics each algorithm covers, merges with others, splits or misses: all, by level, size, query."""
        collection = get_collection(request.user, slug)
        choice = ChoiceOptions.of_one_measure(request)
        return Response(find_topics(collection, request.user, choice).to_dict())

"""What the placed pages of a draft say about the others."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.api import workspace_shapes as shapes
from annotations.api.drafts import TAG
from annotations.api.throttles import DRAFT_WORK
from annotations.selectors.drafts.predictions import DraftPredictions, PageGroups, page_groups, predictions
from annotations.services.sights import open_draft


class PredictionsView(APIView):
    """Where pages probably belong."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_predictions", responses=DraftPredictions, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Where pages without a place probably belong, by the placed ones, and which teach most. Nothing is stored."""
        return Response(predictions(open_draft(request.user, pk).draft).to_dict())


class GroupsView(APIView):
    """Pages in groups."""

    throttle_classes = DRAFT_WORK

    @extend_schema(operation_id="draft_groups", parameters=[shapes.WithinTopic], responses=PageGroups, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """The pages of a topic that are in none of its subtopics (or in no topic), those that are alike together."""
        draft = open_draft(request.user, pk).draft
        return Response(page_groups(draft, shapes.WithinTopic.of(request.query_params).get("topic")).to_dict())

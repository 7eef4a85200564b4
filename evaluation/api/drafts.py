"""Drafts that start from an algorithm's clusters."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_query
from annotations.drafts.api import TAG, ClusteringDraft, created
from annotations.drafts.selectors.listing import DraftDetail
from common.api.json_bodies import fields_of
from common.api.schema import KEY
from evaluation.access import get_submission
from evaluation.models import Submission
from evaluation.services.drafts import from_clustering
from qc4.problems import InputError, Problem


class FromClusteringView(APIView):
    """Start from clusters."""

    @extend_schema(
        operation_id="start_draft_from_clustering",
        parameters=[KEY],
        request=ClusteringDraft,
        responses={201: DraftDetail},
        tags=TAG,
    )
    def post(self, request: Request, slug: str, key: str) -> Response:
        """Start a draft from a submission: its clusters become suggested topics, to be accepted or rejected."""
        query = get_query(request.user, slug, key, May.CURATE)
        options = ClusteringDraft.of(fields_of(request))
        draft = from_clustering(
            submission=_submission(request, query.collection_id, options["submission"]),
            query=query,
            user=person(request),
            name=options["name"],
            kind=options["kind"],
        )
        return created(request, draft)


def _submission(request: Request, collection: int, pk: int) -> Submission:
    try:
        submission = get_submission(request.user, pk)
    except Http404:
        submission = None
    if submission is None or submission.collection_id != collection:
        found, expected = f"submission {pk}", "a submission to this collection which you may see"
        raise InputError([Problem("unknown-submission", "submission", found, expected)])
    return submission

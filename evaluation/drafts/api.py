"""Start a draft from an algorithm's clusters, and publish or preview a draft."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_query
from annotations.drafts.api import TAG, ClusteringDraft, created
from annotations.drafts.exposure import open_draft
from annotations.drafts.selectors.listing import DraftDetail
from annotations.gold.api import GoldVersionDetail
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.schema import KEY
from evaluation.access import get_submission
from evaluation.drafts.forms import PublishDraft
from evaluation.drafts.selectors import Publication, publication
from evaluation.drafts.services import Published, from_clustering, publish_draft
from evaluation.models import Submission
from qc4.problems import InputError, Problem
from qc4.records import Record


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
        found, expected = f"submission {pk}", "a submission to this collection that you can see"
        raise InputError([Problem("unknown-submission", "submission", found, expected)])
    return submission


# --- Publish a draft through the API, or preview the effects ---


class PublishDraftOptions(Options):
    """Options of publishing a draft."""

    FORM = PublishDraft
    HELP = {"revision": "The revision you read; rejected if it is not the latest.", "note": "What changed, and why."}

    dry_run = serializers.BooleanField(default=False, help_text="Only report the effects; publish nothing.")


@dataclass(frozen=True, slots=True)
class PublishedDraft(Record):
    """The effects of publishing a draft.

    Attributes:
        problems: broken rules and warnings.
        difference: the difference from the latest version, if there is one.
        suggestions: number of suggested memberships that nobody accepted; they are omitted.
        open_pages: pages to check again; publishing is allowed nevertheless.
        submissions: number of submissions that a new version scores again.
        queued: number of runs that a new version queues for this.
    """

    KEYS = (
        "gold_version runs revision=found.revision problems=found.sorted_problems difference=found.difference "
        "suggestions=found.suggestions open_pages=found.open_pages submissions=found.rescoring.submissions "
        "queued=found.rescoring.runs"
    )

    found: Publication
    done: Published | None = None

    @property
    def gold_version(self) -> Annotated[dict[str, Any], GoldVersionDetail] | None:
        if self.done is None:
            return None
        context = {"person": self.done.version.published_by}  # the publisher can see what they published
        return GoldVersionDetail(self.done.version, context=context).data

    @property
    def runs(self) -> list[int]:
        return [run.pk for run in self.done.runs] if self.done else []


class PublishDraftView(APIView):
    """A draft, frozen as a gold standard."""

    @extend_schema(
        operation_id="publish_draft",
        request=PublishDraftOptions,
        responses={201: PublishedDraft, 200: PublishedDraft, 400: OpenApiTypes.OBJECT},
        tags=["drafts"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Publish a draft as the next gold version of its query; other queries keep theirs, and their scores.

        Returns 201 with the new version. Returns 200 if nothing changes, or with `dry_run`, which reports the effects
        without publishing.
        """
        draft = open_draft(request.user, pk, May.PUBLISH).draft
        options = PublishDraftOptions.of(fields_of(request))
        if options["dry_run"]:
            return Response(PublishedDraft(publication(draft)).to_dict())
        done = publish_draft(draft=draft, revision=options["revision"], user=person(request), note=options["note"])
        body = PublishedDraft(done.found, done).to_dict()
        if not done.is_new:
            return Response(body)
        address = reverse("api:gold-version", args=[draft.query.collection.slug, done.version.number])
        headers = {"Location": request.build_absolute_uri(address)}
        return Response(body, status=status.HTTP_201_CREATED, headers=headers)

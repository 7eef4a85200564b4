"""Publish a draft through the API, or ask first what it would do."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_draft
from annotations.api.options import Options
from annotations.api.plain_json import StrictJSON, fields_of
from annotations.api.serializers import GoldVersionDetail
from annotations.limits import NOTE_CHARS
from evaluation.selectors.publication import Publication, publication
from evaluation.services.draft_publishing import Published, publish_draft


class PublishDraftOptions(Options):
    """What is published, and why."""

    revision = serializers.IntegerField(min_value=0, help_text="The revision you looked at; refused if it is older.")
    note = serializers.CharField(
        default="", allow_blank=True, max_length=NOTE_CHARS, help_text="What changed, and why."
    )
    dry_run = serializers.BooleanField(default=False, help_text="Only say what it would do.")


PUBLISHED = inline_serializer(
    "PublishedDraft",
    {
        "gold_version": GoldVersionDetail(allow_null=True),
        "runs": serializers.ListField(child=serializers.IntegerField()),
        "revision": serializers.IntegerField(),
        "problems": serializers.ListField(child=serializers.DictField(), help_text="Broken rules and warnings."),
        "difference": serializers.DictField(allow_null=True, help_text="To the latest version, if any."),
        "suggestions": serializers.IntegerField(help_text="Suggestions nobody accepted; they are left out."),
        "open_pages": inline_serializer(
            "OpenPages",
            {
                name: serializers.ListField(child=serializers.CharField(), help_text=f"Ids of pages {words}.")
                for name, words in (
                    ("flagged", "marked for later"),
                    ("stale", "in a topic that changed after a person last looked at them"),
                    ("suggested", "with a suggestion nobody decided about"),
                )
            },
            help_text="Worth a look; publishing allows it.",
        ),
        "submissions": serializers.IntegerField(help_text="Submissions that a new version scores anew."),
        "queued": serializers.IntegerField(help_text="Runs that a new version queues for it."),
    },
)


class PublishDraftView(APIView):
    """A draft, frozen as a gold standard."""

    parser_classes = [StrictJSON]

    @extend_schema(
        operation_id="publish_draft",
        request=PublishDraftOptions,
        responses={201: PUBLISHED, 200: PUBLISHED, 400: OpenApiTypes.OBJECT},
        tags=["drafts"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Publish a draft as the next gold version of its query; other queries keep theirs, and their scores.

        201 with the new version. 200 where nothing is new, or with `dry_run`: what it would do, and nothing is done.
        """
        draft = get_draft(request.user, pk, May.PUBLISH)
        options = PublishDraftOptions.of(fields_of(request))
        if options["dry_run"]:
            return Response(_body(publication(draft), None))
        done = publish_draft(draft=draft, revision=options["revision"], user=person(request), note=options["note"])
        if not done.is_new:
            return Response(_body(done.found, done))
        address = reverse("api:gold-version", args=[draft.query.collection.slug, done.version.number])
        headers = {"Location": request.build_absolute_uri(address)}
        return Response(_body(done.found, done), status=status.HTTP_201_CREATED, headers=headers)


def _body(found: Publication, done: Published | None) -> dict[str, object]:
    return {
        "gold_version": GoldVersionDetail(done.version).data if done else None,
        "runs": [run.pk for run in done.runs] if done else [],
        "revision": found.revision,
        "problems": [problem.to_dict() for problem in (*found.errors, *found.warnings)],
        "difference": None if found.difference is None else found.difference.to_dict(),
        "suggestions": found.suggestions,
        "open_pages": found.open_pages.to_dict(),
        "submissions": found.rescoring.submissions,
        "queued": found.rescoring.runs,
    }

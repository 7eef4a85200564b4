"""List, check, submit, show, publish and delete submissions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery
from django.http import StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from accounts.person import Person, person
from annotations.access import May, get_collection
from common.api.options import Options, option
from common.api.pagination import ListOptions, paged
from common.api.schema import listing
from common.api.throttles import PER_UPLOAD
from common.api.uploads import FILE_PARSERS, FileOptions, file_request, received
from common.downloads import attachment_headers
from common.limits import LARGEST_ID, REQUEST_LIMITS
from evaluation.access import Found, get_submission, own_submission, visible_submissions
from evaluation.algorithms.forms import DescribeAlgorithm
from evaluation.deletion.services import delete_one
from evaluation.models import Algorithm, Run, Submission
from evaluation.runs.serializers import RunId
from evaluation.scoring.forms import ChoosePolicies
from evaluation.submissions import services as submissions
from evaluation.submissions.all_scores import TABLES, last_run, whole_scores
from evaluation.submissions.forms import ReadLabels, Submit, SubmitClusterings
from evaluation.submissions.reports import Report
from evaluation.submissions.serializers import SubmissionDetail, SubmissionRow
from evaluation.submissions.services import Provenance, check
from evaluation.uploads import services as uploads
from qc4.io.limits import Budget
from qc4.io.strict_json import parse_json_text
from qc4.model.noise import USUAL, noise_option
from qc4.model.policies import CHOICES, Policies
from qc4.records import Record
from qc4.tables import csv_lines
from qc4.text import comparison_key


class PushedSubmission(serializers.Serializer[Any]):
    """A new submission, and the run that scores it (null while no gold standard is published)."""

    submission = SubmissionDetail()
    run = RunId(allow_null=True)


@dataclass(frozen=True, slots=True)
class CheckedSubmission(Record):
    """The checker's report on a file.

    Attributes:
        accepted: whether the file could be submitted unchanged.
        queries: how each clustering was understood.
        missing: queries without a clustering.
        noise, label_separator: how labels were read; ``noise`` is null for the usual labels.
    """

    KEYS = (
        "accepted algorithm problems=report.kept_problems n_problems=report.n_problems queries=report.queries "
        "missing=report.missing noise=report.noise label_separator=report.label_separator"
    )

    report: Report

    @property
    def accepted(self) -> bool:
        return self.report.document is not None

    @property
    def algorithm(self) -> str:
        return self.report.document.algorithm if self.report.document else ""


class SubmissionFilter(ListOptions):
    """Filters of the list of submissions."""

    algorithm = serializers.CharField(required=False, help_text="The algorithm's name; case does not matter.")
    published = serializers.BooleanField(required=False, allow_null=True, default=None)


class CheckOptions(FileOptions):
    """Options of checking a submission."""

    algorithm = option(Submit.base_fields["algorithm"], "The algorithm's name; by default the name in the file.")


class NoiseOptions(Options):
    """The labels that mean "in no cluster"."""

    noise = option(
        ReadLabels.base_fields["noise"],
        "Labels that mean 'in no cluster', separated by commas, or a JSON list; [] if every label is a cluster. "
        f"If omitted or empty: {USUAL}.",
    )

    def validate_noise(self, text: str) -> list[Any] | None:
        return noise_option(text)


class ReadingOptions(NoiseOptions):
    """How page labels are read."""

    label_separator = option(
        ReadLabels.base_fields["label_separator"],
        "The text between several labels of one page, such as #. If omitted or empty, each page has one label.",
    )


class CheckedOptions(ReadingOptions, CheckOptions):
    """Options of checking a submission of clusterings."""


class PublishedOptions(CheckOptions):
    """Options of a submission of any kind."""

    published = option(
        Submit.base_fields["published"],
        "Whether everyone who can see the collection can see the submission; you can change that later. In a "
        "challenge, the effective submission takes part in the final results in either case.",
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add the fields that describe the algorithm."""
        return super().get_fields() | {name: option(field) for name, field in DescribeAlgorithm.base_fields.items()}


def provenance_in(options: Mapping[str, Any], user: User) -> Provenance:
    """The provenance of an API submission: submitter, visibility and details of the algorithm."""
    about = {name: options[name] for name in Algorithm.ABOUT if name in options}
    return Provenance(user, Submission.Origin.API, published=options["published"], about=about)


class SubmissionOptions(ReadingOptions, PublishedOptions):
    """Options of a submission of clusterings."""

    FORM = ChoosePolicies
    parameters = serializers.CharField(
        required=False, help_text="The algorithm's parameters as a JSON object; by default those in the file."
    )
    seed = serializers.IntegerField(required=False, min_value=-LARGEST_ID - 1, max_value=LARGEST_ID)
    repeat = option(
        SubmitClusterings.base_fields["repeat"],
        "Distinguishes this run from the algorithm's other runs; repeats count together on the leaderboard.",
    )

    def validate_parameters(self, text: str) -> dict[str, Any]:
        value = parse_json_text(text, "parameters", Budget(REQUEST_LIMITS))
        if not isinstance(value, dict):
            raise serializers.ValidationError("a JSON object", code="wrong-type")
        return dict(value)


class ScoresOptions(Options):
    """The scoring options, and the table to return."""

    FORM = ChoosePolicies
    table = serializers.ChoiceField(
        list(TABLES), default="scores", help_text="; ".join(f"`{k}`: {v}" for k, v in TABLES.items()) + "."
    )


class SubmissionsView(APIView):
    """The submissions of a collection."""

    parser_classes = FILE_PARSERS
    throttle_classes = PER_UPLOAD

    @listing("submissions", SubmissionRow, "submissions", options=SubmissionFilter)
    def get(self, request: Request, slug: str) -> Response:
        """List the submissions you can see, the latest first."""
        chosen = SubmissionFilter.of(request.query_params)
        rows = visible_submissions(request.user, get_collection(request.user, slug))
        if "algorithm" in chosen:
            rows = rows.filter(algorithm__name__iexact=comparison_key(chosen["algorithm"]))
        if chosen["published"] is not None:
            rows = rows.filter(published=chosen["published"])
        runs = Run.objects.filter(submission=OuterRef("pk"), kind=Run.Kind.EVALUATION)
        rows = rows.select_related("collection", "algorithm", "created_by")
        rows = rows.annotate(latest_run=Subquery(runs.order_by("-pk").values("pk")[:1]))
        return paged(rows.order_by("-pk"), SubmissionRow, request)

    @extend_schema(
        operation_id="submit",
        parameters=[SubmissionOptions],
        request=file_request(SubmissionOptions, "A submission in any format, and its options."),
        responses={201: PushedSubmission},
        tags=["submissions"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Submit clusterings in any submission format and queue their evaluation.

        They are scored under the default scoring options and also under those you give.

        If the body is the bare file, put the options in the query string; if it is a form, put them in its fields.
        """
        collection = get_collection(request.user, slug, May.SUBMIT)
        user = person(request)
        file = received(request, SubmissionOptions)
        with uploads.deleted_on_error(uploads.store(file.source, file.name, user)) as upload:
            report = check(
                collection,
                uploads.path_of(upload),
                filename=upload.name,
                algorithm=file.options.get("algorithm"),
                parameters=file.options.get("parameters"),
                user=user,
                noise=file.options["noise"],
                label_separator=file.options["label_separator"],
            )
            submission, run = submissions.submit(
                collection,
                report,
                provenance_in(file.options, user),
                upload=upload,
                seed=file.options.get("seed"),
                repeat=file.options.get("repeat", ""),
                policies=Policies.parse({name: file.options[name] for name in CHOICES}),
            )
        body = PushedSubmission({"submission": submission, "run": run}, context={"person": user}).data
        address = request.build_absolute_uri(reverse("api:submission", args=[submission.pk]))
        return Response(body, status=status.HTTP_201_CREATED, headers={"Location": address})


class CheckView(APIView):
    """The submission checker."""

    parser_classes = FILE_PARSERS
    throttle_classes = PER_UPLOAD

    @extend_schema(
        operation_id="check_submission",
        parameters=[CheckedOptions],
        request=file_request(CheckedOptions, "A submission in any format."),
        responses=CheckedSubmission,
        tags=["submissions"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Check a submission: return every problem and how each clustering was understood. Stores nothing."""
        collection = get_collection(request.user, slug, May.SUBMIT)
        file = received(request, CheckedOptions)
        user = person(request)
        with uploads.deleted_on_error(uploads.store(file.source, file.name, user)) as upload:
            report = check(
                collection,
                uploads.path_of(upload),
                filename=upload.name,
                algorithm=file.options.get("algorithm"),
                user=user,
                noise=file.options["noise"],
                label_separator=file.options["label_separator"],
            )
        uploads.delete_unused(upload)
        return Response(CheckedSubmission(report).to_dict())


class SubmissionView(APIView):
    """One submission."""

    @extend_schema(operation_id="submission", responses=SubmissionDetail, tags=["submissions"])
    def get(self, request: Request, pk: int) -> Response:
        """Return a submission: its checker report, the sizes of its clusterings, and its runs."""
        return Response(SubmissionDetail(get_submission(request.user, pk), context={"person": request.user}).data)

    @extend_schema(operation_id="delete_submission", responses={204: None}, tags=["submissions"])
    def delete(self, request: Request, pk: int) -> Response:
        """Delete your own submission with its runs and scores, permanently. 400 while a worker is writing for it."""
        delete_one(own_submission(request.user, get_submission(request.user, pk)))
        return Response(status=status.HTTP_204_NO_CONTENT)


class WideScoresView(APIView):
    """The scores of one submission as a table."""

    @extend_schema(
        operation_id="submission_scores",
        parameters=[ScoresOptions],
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, "A row per query, or a row per mean.")},
        tags=["submissions"],
    )
    def get(self, request: Request, pk: int) -> StreamingHttpResponse:
        """Return all scores of a submission as CSV: a row per query, a column per measure and level.

        The scores are those against the newest gold version it is scored against, under the given scoring options. With
        `table=means`, the table has a row per measure and level instead: the mean, and the number of queries behind it.
        In the means, a query without a clustering counts as the worst value.
        """
        found = get_submission(request.user, pk)
        chosen = ScoresOptions.of(request.query_params)
        run = last_run(found, Policies.parse({name: chosen[name] for name in CHOICES}))
        whole = whole_scores(run, request.user)
        lines = csv_lines(whole.table(chosen["table"]))
        headers = attachment_headers(f"submission-{pk}-{chosen['table']}.csv")
        return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)


def publishing(
    kind: str, tag: str, get: Callable[[Person, int], Found], detail: type[serializers.ModelSerializer[Found]]
) -> tuple[type[APIView], type[APIView]]:
    """The views that publish and unpublish submissions of one kind, responding with ``detail``."""

    def changed(request: Request, pk: int, published: bool) -> Response:
        found = own_submission(request.user, get(request.user, pk))
        submissions.publish(found, published)
        return Response(detail(found, context={"person": request.user}).data)

    class PublishView(APIView):
        @extend_schema(operation_id=f"publish_{kind}", request=None, responses=detail, tags=[tag])
        def post(self, request: Request, pk: int) -> Response:
            """Show your own submission to everyone who can see the collection."""
            return changed(request, pk, True)

    class UnpublishView(APIView):
        @extend_schema(operation_id=f"unpublish_{kind}", request=None, responses=detail, tags=[tag])
        def post(self, request: Request, pk: int) -> Response:
            """Show your own submission only to yourself and the collection's owners."""
            return changed(request, pk, False)

    return PublishView, UnpublishView


PublishView, UnpublishView = publishing("submission", "submissions", get_submission, SubmissionDetail)

"""Submissions: list, check, push, look at, publish."""

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
from evaluation.algorithms.forms import AboutAlgorithm
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
    """A new submission, and the run that scores it; null while no gold standard is published."""

    submission = SubmissionDetail()
    run = RunId(allow_null=True)


@dataclass(frozen=True, slots=True)
class CheckedSubmission(Record):
    """What the checker says of a file.

    Attributes:
        accepted: whether it could be submitted as it is.
        queries: what was understood of each clustering.
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
    """Which submissions to list."""

    algorithm = serializers.CharField(required=False, help_text="The algorithm's name; case does not matter.")
    published = serializers.BooleanField(required=False, allow_null=True, default=None)


class CheckOptions(FileOptions):
    """What may be said about a submission that is only checked."""

    algorithm = option(Submit.base_fields["algorithm"], "Whose answer it is; by default what the file says.")


class NoiseOptions(Options):
    """Which labels mean "in no cluster"."""

    noise = option(
        ReadLabels.base_fields["noise"],
        "Labels that mean 'in no cluster', separated by commas, or a JSON list; [] if every label is a cluster. "
        f"Left out or empty: {USUAL}.",
    )

    def validate_noise(self, text: str) -> list[Any] | None:
        return noise_option(text)


class ReadingOptions(NoiseOptions):
    """How labels of pages are read."""

    label_separator = option(
        ReadLabels.base_fields["label_separator"],
        "What separates several labels of one page, such as #. Left out or empty, every label is one.",
    )


class CheckedOptions(ReadingOptions, CheckOptions):
    """What may be said about a submission of clusterings that is only checked."""


class PublishedOptions(CheckOptions):
    """What may be said about a submission of any kind."""

    published = option(
        Submit.base_fields["published"],
        "Whether everybody who sees the collection sees it; you can change that later. In a challenge the submission "
        "that counts takes part in the final results in either case.",
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Also what is said of the algorithm."""
        return super().get_fields() | {name: option(field) for name, field in AboutAlgorithm.base_fields.items()}


def provenance_in(options: Mapping[str, Any], user: User) -> Provenance:
    """Who submits by the API, who is to see it, and what is said of the algorithm."""
    about = {name: options[name] for name in Algorithm.ABOUT if name in options}
    return Provenance(user, Submission.Origin.API, published=options["published"], about=about)


class SubmissionOptions(ReadingOptions, PublishedOptions):
    """What may be said about a submission."""

    FORM = ChoosePolicies
    parameters = serializers.CharField(
        required=False, help_text="The algorithm's parameters as a JSON object; by default the file's."
    )
    seed = serializers.IntegerField(required=False, min_value=-LARGEST_ID - 1, max_value=LARGEST_ID)
    repeat = option(
        SubmitClusterings.base_fields["repeat"],
        "What tells this run of the algorithm from its others: repeats count together on the board.",
    )

    def validate_parameters(self, text: str) -> dict[str, Any]:
        value = parse_json_text(text, "parameters", Budget(REQUEST_LIMITS))
        if not isinstance(value, dict):
            raise serializers.ValidationError("a JSON object", code="wrong-type")
        return dict(value)


class ScoresOptions(Options):
    """Under which policies, and which table."""

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
        """The submissions you may see, the latest first."""
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
        request=file_request(SubmissionOptions, "A submission in any format, and what is said about it."),
        responses={201: PushedSubmission},
        tags=["submissions"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Submit clusterings in any submission format; their evaluation is queued at once.

        They are scored under the default policies, and under those that are given, too.

        With a bare body the options stand in the query string, with a form among its fields.
        """
        collection = get_collection(request.user, slug, May.SUBMIT)
        user = person(request)
        file = received(request, SubmissionOptions)
        with uploads.kept(uploads.store(file.source, file.name, user)) as upload:
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
    """The checker."""

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
        """Check a submission: every problem, and what was understood of each clustering. Nothing is stored."""
        collection = get_collection(request.user, slug, May.SUBMIT)
        file = received(request, CheckedOptions)
        user = person(request)
        with uploads.kept(uploads.store(file.source, file.name, user)) as upload:
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
        """A submission: what the checker said of it, its clusterings in numbers, its runs."""
        return Response(SubmissionDetail(get_submission(request.user, pk), context={"person": request.user}).data)

    @extend_schema(operation_id="delete_submission", responses={204: None}, tags=["submissions"])
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a submission of your own with its runs and scores, for good. 400 while a worker is writing for it."""
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
        """All scores of a submission as CSV: a row per query, a column per measure and level.

        Against the newest gold version it is scored against, under the given policies. With `table=means` the answer
        has a row per measure and level instead: the mean, and over how many of the queries it is. In the means a query
        without a clustering counts as the worst value.
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
    """The views that publish submissions of a kind and take them back, answering with ``detail``."""

    def changed(request: Request, pk: int, published: bool) -> Response:
        found = own_submission(request.user, get(request.user, pk))
        submissions.publish(found, published)
        return Response(detail(found, context={"person": request.user}).data)

    class PublishView(APIView):
        @extend_schema(operation_id=f"publish_{kind}", request=None, responses=detail, tags=[tag])
        def post(self, request: Request, pk: int) -> Response:
            """Show a submission of your own to everybody who sees the collection."""
            return changed(request, pk, True)

    class UnpublishView(APIView):
        @extend_schema(operation_id=f"unpublish_{kind}", request=None, responses=detail, tags=[tag])
        def post(self, request: Request, pk: int) -> Response:
            """Show a submission of your own to yourself and the collection's owners only."""
            return changed(request, pk, False)

    return PublishView, UnpublishView


PublishView, UnpublishView = publishing("submission", "submissions", get_submission, SubmissionDetail)

"""API of runs: list, status, log, cancel and re-run."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import administers, person
from common.api.pagination import ListOptions, paged
from common.api.schema import listing
from common.limits import LARGEST_ID
from evaluation.access import get_own_run, get_run, visible_runs
from evaluation.models import Run
from evaluation.runs import services as runs
from evaluation.runs.selectors import status as status_of
from evaluation.runs.serializers import RunDetail, RunEventRow, RunRow


class Conflict(APIException):
    """409: the request is valid, but not in the current state."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


class RunFilter(ListOptions):
    """Filters of the list of runs."""

    collection = serializers.CharField(required=False, help_text="The collection's slug.")
    submission = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    stream_submission = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    kind = serializers.ChoiceField(Run.Kind.choices, required=False)
    state = serializers.ChoiceField(Run.State.choices, required=False)


def run_response(run: Run, request: Request, code: int = status.HTTP_200_OK) -> Response:
    """Return a run in detail; if it was just created, with its URL in the Location header."""
    headers = {}
    if code != status.HTTP_200_OK:
        headers["Location"] = request.build_absolute_uri(reverse("api:run", args=[run.pk]))
    return Response(RunDetail(run, context={"status": status_of(run)}).data, status=code, headers=headers)


class RunsView(APIView):
    """All runs."""

    @listing("runs", RunRow, "runs", options=RunFilter)
    def get(self, request: Request) -> Response:
        """List the runs that you can see, latest first."""
        chosen = RunFilter.of(request.query_params)
        rows = visible_runs(request.user).select_related("collection", "gold_version", "stream", "created_by")
        names = {
            "collection": "collection__slug",
            "submission": "submission_id",
            "stream_submission": "stream_submission_id",
            "kind": "kind",
            "state": "state",
        }
        wanted = {column: chosen[name] for name, column in names.items() if name in chosen}
        return paged(rows.filter(**wanted).order_by("-pk"), RunRow, request)


class RunView(APIView):
    """One run."""

    @extend_schema(operation_id="run", responses=RunDetail, tags=["runs"])
    def get(self, request: Request, pk: int) -> Response:
        """Return a run: state, queue position, progress, error and provenance. Poll it until `has_ended` is true."""
        return run_response(get_run(request.user, pk), request)


class RunEventsView(APIView):
    """A run's log."""

    @listing("run_events", RunEventRow, "runs")
    def get(self, request: Request, pk: int) -> Response:
        """List the events of a run, oldest first."""
        return paged(
            get_run(request.user, pk).events.order_by("pk"), RunEventRow, request, operates=administers(request.user)
        )


class CancelView(APIView):
    """Cancel a run."""

    @extend_schema(operation_id="cancel_run", request=None, responses=RunDetail, tags=["runs"])
    def post(self, request: Request, pk: int) -> Response:
        """Cancel a queued or running run of your own; finished parts are stored. 409 if it has ended."""
        run = get_own_run(request.user, pk)
        if not runs.cancel(run, person(request)):
            raise Conflict(f"Run {pk} has already ended: it is {run.state}.")
        return run_response(run, request)


class RerunView(APIView):
    """Repeat a run."""

    @extend_schema(operation_id="rerun", request=None, responses={201: RunDetail}, tags=["runs"])
    def post(self, request: Request, pk: int) -> Response:
        """Repeat an ended run of your own, as a new run with the current engine. 409 if it has not ended."""
        run = get_own_run(request.user, pk)
        if not run.has_ended:
            raise Conflict(f"Run {pk} is still {run.state}: cancel it first, or wait.")
        return run_response(runs.rerun(run, person(request)), request, status.HTTP_201_CREATED)

"""Model selection in the API, as the page shows it, and the endpoint that runs sweeps."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from common.api.json_bodies import fields_of
from common.api.options import Options
from evaluation.access import require_organiser
from evaluation.limits import SWEEP_CLUSTERS, SWEEP_SUBMISSIONS
from evaluation.runs.api import run_response
from evaluation.runs.serializers import RunDetail
from evaluation.selection import services as sweeps
from evaluation.selection.forms import RunSweep
from evaluation.selection.selectors import DELTAS, OVERLAPS, JudgedSweep, judge, read_choices
from qc4.model.structure import MAX_LEVELS
from qc4.selection import FRACTIONS, LANGUAGES, SAMPLINGS


class SelectionOptions(Options):
    """Options of model selection."""

    query = serializers.CharField(default="", allow_blank=True, help_text="Key of a query; by default all queries.")
    level = serializers.IntegerField(
        default=1, min_value=1, max_value=MAX_LEVELS, help_text="Level whose topics are the labels."
    )
    fraction = serializers.ChoiceField([f"{fraction:g}" for fraction in FRACTIONS], default="0.5")
    language = serializers.ChoiceField(
        LANGUAGES, default="init", help_text="Language of the bounds in the figure `clusters`."
    )
    delta = serializers.ChoiceField([f"{delta:g}" for delta in DELTAS], default="0.1")
    sampling = serializers.ChoiceField(
        SAMPLINGS,
        default="uniform",
        help_text="How train pages are drawn; bounds are guaranteed only for `uniform`.",
    )
    overlap = serializers.ChoiceField(
        OVERLAPS,
        required=False,
        help_text="How pages in several topics count; by default `refuse`, or `first` if that leaves no query.",
    )


class SweepOptions(Options):
    """Options of a sweep: baselines and settings."""

    FORM = RunSweep

    clusters = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=SWEEP_CLUSTERS),
        default=list(sweeps.DEFAULT_CLUSTERS),
        max_length=SWEEP_SUBMISSIONS,
    )


class ModelSelectionView(APIView):
    """Model selection of a collection."""

    @extend_schema(
        operation_id="model_selection",
        parameters=[SelectionOptions],
        responses=JudgedSweep,
        tags=["scores"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return which algorithm, number of clusters and initialisation PAC-MDL selects."""
        collection = get_collection(request.user, slug)
        chosen = SelectionOptions.of(request.query_params)
        return Response(
            judge(
                collection, request.user, read_choices({name: str(value) for name, value in chosen.items()})
            ).to_dict()
        )


class SweepsView(APIView):
    """Sweeps of a collection."""

    @extend_schema(operation_id="run_sweep", request=SweepOptions, responses={202: RunDetail}, tags=["submissions"])
    def post(self, request: Request, slug: str) -> Response:
        """Run baselines with many numbers of clusters and initialisations, as one run, for model selection."""
        collection = get_collection(request.user, slug, May.COMPUTE)
        require_organiser(request.user, collection)
        run = sweeps.enqueue(collection=collection, user=person(request), **SweepOptions.of(fields_of(request)))
        return run_response(run, request, status.HTTP_202_ACCEPTED)

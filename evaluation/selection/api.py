"""Model selection as the page shows it, and the sweeps it chooses among."""

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
from evaluation.runs.api import answer
from evaluation.runs.serializers import RunDetail
from evaluation.selection import services as sweeps
from evaluation.selection.forms import RunSweep
from evaluation.selection.selectors import DELTAS, OVERLAPS, Judged, judge, read_choices
from qc4.model.structure import MAX_LEVELS
from qc4.selection import FRACTIONS, LANGUAGES, SAMPLINGS


class SelectionOptions(Options):
    """What to judge, and how."""

    query = serializers.CharField(default="", allow_blank=True, help_text="A query's key; by default all of them.")
    level = serializers.IntegerField(
        default=1, min_value=1, max_value=MAX_LEVELS, help_text="Whose topics are the labels."
    )
    fraction = serializers.ChoiceField([f"{fraction:g}" for fraction in FRACTIONS], default="0.5")
    language = serializers.ChoiceField(LANGUAGES, default="init", help_text="Of the bounds in the figure `clusters`.")
    delta = serializers.ChoiceField([f"{delta:g}" for delta in DELTAS], default="0.1")
    sampling = serializers.ChoiceField(
        SAMPLINGS, default="uniform", help_text="How train pages are drawn; bounds are promised for `uniform` alone."
    )
    overlap = serializers.ChoiceField(
        OVERLAPS,
        required=False,
        help_text="What to do with pages in several topics; by default `refuse`, or `first` where that leaves none.",
    )


class SweepOptions(Options):
    """Which baselines, with which settings."""

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
        responses=Judged,
        tags=["scores"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Which algorithm, how many clusters, which start: judged by PAC-MDL."""
        collection = get_collection(request.user, slug)
        chosen = SelectionOptions.of(request.query_params)
        return Response(
            judge(
                collection, request.user, read_choices({name: str(value) for name, value in chosen.items()})
            ).to_dict()
        )


class SweepsView(APIView):
    """Run sweeps."""

    @extend_schema(operation_id="run_sweep", request=SweepOptions, responses={202: RunDetail}, tags=["submissions"])
    def post(self, request: Request, slug: str) -> Response:
        """Run baselines with many numbers of clusters and starts, as one run, for model selection."""
        collection = get_collection(request.user, slug, May.COMPUTE)
        require_organiser(request.user, collection)
        run = sweeps.enqueue(collection=collection, user=person(request), **SweepOptions.of(fields_of(request)))
        return answer(run, request, status.HTTP_202_ACCEPTED)

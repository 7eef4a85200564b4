"""Model selection as the page shows it, and the sweeps it chooses among."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from annotations.api.options import Options
from evaluation.api.runs import answer
from evaluation.api.serializers import RunDetail
from evaluation.limits import LARGEST_SEED, SWEEP_CLUSTERS, SWEEP_SUBMISSIONS
from evaluation.selectors.model_figures import to_dict
from evaluation.selectors.model_selection import DELTAS, OVERLAPS, judge, read_choices
from evaluation.services import sweeps
from qc4.model_selection import FRACTIONS, LANGUAGES


class SelectionOptions(Options):
    """What to judge, and how."""

    query = serializers.CharField(default="", allow_blank=True, help_text="A query's key; by default all of them.")
    level = serializers.IntegerField(default=1, min_value=1, max_value=99, help_text="Whose topics are the labels.")
    fraction = serializers.ChoiceField([f"{fraction:g}" for fraction in FRACTIONS], default="0.5")
    language = serializers.ChoiceField(LANGUAGES, default="init", help_text="Of the bounds in the figure `clusters`.")
    delta = serializers.ChoiceField([f"{delta:g}" for delta in DELTAS], default="0.1")
    overlap = serializers.ChoiceField(OVERLAPS, default="refuse", help_text="What to do with pages in several topics.")


class SettingShape(serializers.Serializer[Any]):
    """One clustering's place in the sweep."""

    submission = serializers.IntegerField()
    algorithm = serializers.CharField()
    clusters = serializers.IntegerField()
    initialisation = serializers.IntegerField()


class FigureRowShape(serializers.Serializer[Any]):
    """One mark of a figure; what differs from query to query is null. Errors are shares of the test pages."""

    language = serializers.ChoiceField(LANGUAGES)
    fraction = serializers.FloatField()
    algorithm = serializers.CharField(allow_null=True)
    clusters = serializers.IntegerField(allow_null=True)
    initialisation = serializers.IntegerField(allow_null=True)
    bound = serializers.FloatField()
    test_error = serializers.FloatField()
    constant_error = serializers.FloatField()
    ties = serializers.FloatField()
    unlabelled = serializers.FloatField()
    queries = serializers.IntegerField()


class LanguageRateShape(serializers.Serializer[Any]):
    """A language and its mean bound."""

    language = serializers.ChoiceField(LANGUAGES)
    bound = serializers.FloatField()


class FiguresShape(serializers.Serializer[Any]):
    """Fig. 1 (runs), 2 (clusters), 3 (algorithms), 4 and 5 (fractions), 6 (languages) of the paper."""

    runs = FigureRowShape(many=True)
    clusters = FigureRowShape(many=True)
    algorithms = FigureRowShape(many=True)
    fractions = FigureRowShape(many=True)
    languages = LanguageRateShape(many=True)
    sentences = serializers.ListField(child=serializers.CharField())


class SelectionShape(serializers.Serializer[Any]):
    """Model selection of a query or a collection."""

    choices = serializers.DictField()
    complete = serializers.BooleanField(help_text="Whether every query is judged; if not, ask again.")
    pending = serializers.IntegerField()
    queries = serializers.ListField(child=serializers.CharField(), help_text="Those that have a selection.")
    settings = SettingShape(many=True)
    undefined = serializers.DictField(child=serializers.CharField(), help_text="Query key to reason.")
    left_out = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    figures = FiguresShape(allow_null=True)


class SweepOptions(Options):
    """Which baselines, with which settings."""

    algorithms = serializers.ListField(
        child=serializers.ChoiceField([baseline.key for baseline in sweeps.SWEEPABLE]),
        default=list(sweeps.DEFAULT_ALGORITHMS),
    )
    clusters = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=SWEEP_CLUSTERS),
        default=list(sweeps.DEFAULT_CLUSTERS),
        max_length=SWEEP_SUBMISSIONS,
    )
    initialisations = serializers.IntegerField(
        default=sweeps.DEFAULT_INITIALISATIONS, min_value=1, max_value=SWEEP_SUBMISSIONS
    )
    seed = serializers.IntegerField(default=0, min_value=0, max_value=LARGEST_SEED)


class ModelSelectionView(APIView):
    """Model selection of a collection."""

    @extend_schema(
        operation_id="model_selection",
        parameters=[SelectionOptions],
        responses={200: SelectionShape, 202: SelectionShape},
        tags=["scores"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Which algorithm, how many clusters, which start: judged by PAC-MDL. 202 while queries are still to judge."""
        collection = get_collection(request.user, slug)
        chosen = SelectionOptions.of(request.query_params)
        judged = judge(collection, request.user, read_choices({name: str(value) for name, value in chosen.items()}))
        if not judged.pending:
            return Response(to_dict(judged))
        return Response(to_dict(judged), status=status.HTTP_202_ACCEPTED, headers={"Retry-After": "1"})


class SweepsView(APIView):
    """Run sweeps."""

    @extend_schema(operation_id="run_sweep", request=SweepOptions, responses={202: RunDetail}, tags=["submissions"])
    def post(self, request: Request, slug: str) -> Response:
        """Run baselines with many numbers of clusters and starts, as one run, for model selection."""
        collection = get_collection(request.user, slug, May.SUBMIT)
        if not isinstance(request.data, dict):
            raise ParseError("A JSON object is expected.")
        run = sweeps.enqueue(collection=collection, user=person(request), **SweepOptions.of(request.data))
        return answer(run, request, status.HTTP_202_ACCEPTED)

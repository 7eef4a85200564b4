"""API of the catalogue of measures."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation.problems import LISTINGS
from qc4.measures.registry import REGISTRY, Catalogue, Measure
from qc4.problems import InputError
from qc4.version import ENGINE_VERSION


class MeasuresView(APIView):
    """The catalogue of measures."""

    @extend_schema(operation_id="measures", responses=Catalogue, tags=["measures"])
    def get(self, request: Request) -> Response:
        """List all measures with meaning, formula, source, range, direction and accepted inputs."""
        return Response(Catalogue(ENGINE_VERSION, REGISTRY.families(), REGISTRY.all()).to_dict())


class MeasureView(APIView):
    """One measure."""

    @extend_schema(operation_id="measure", responses=Measure, tags=["measures"])
    def get(self, request: Request, key: str) -> Response:
        """Return one measure by its permanent key."""
        try:
            return Response(REGISTRY.get(key).to_dict())
        except InputError as error:
            raise Http404(f"There is no measure {key!r}. {error.problems[0].told(LISTINGS).fix}".strip()) from None

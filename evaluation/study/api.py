"""The complete behaviour study as JSON."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from evaluation.study.selectors import as_json
from studies.behaviour import StudyResult


class StudyView(APIView):
    """The behaviour study."""

    @extend_schema(operation_id="study", responses=StudyResult, tags=["measures"])
    def get(self, request: Request) -> HttpResponse:
        """Return cases with a known correct order, the verdict of every measure on them, and the QC4 paper's verdicts.

        The same object as `python -m studies behaviour --format json`. It changes only with the engine.
        """
        return HttpResponse(as_json(), content_type="application/json")

"""The behaviour study, whole."""

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
        """Cases whose right order is known, what every measure makes of them, and what the QC4 paper prints.

        The same object as `python -m studies behaviour --format json`; it changes with the engine only.
        """
        return HttpResponse(as_json(), content_type="application/json")

"""How far drafts of a query agree."""

from __future__ import annotations

from collections.abc import Sequence

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import Person
from annotations.access import May, get_query
from annotations.agreement.selectors import compared, of_all
from annotations.agreement.statistics import MINIMUM
from annotations.drafts.access import compared_draft
from annotations.drafts.exposure import note_seen
from annotations.limits import COMPARED_DRAFTS
from annotations.models import Draft, OthersSeen, Query
from common.api.options import Options
from common.api.schema import KEY
from common.limits import LARGEST_ID
from qc4.problems import InputError, Problem

TAG = ["agreement"]
REOPENED = OpenApiResponse(OpenApiTypes.OBJECT, "A draft was opened again: `draft-reopened`, by whom and when.")


class PairOptions(Options):
    """Two drafts of the query."""

    first = serializers.IntegerField(min_value=1, max_value=LARGEST_ID, help_text="A draft's number.")
    second = serializers.IntegerField(min_value=1, max_value=LARGEST_ID, help_text="Another one's.")
    minimum = serializers.FloatField(
        required=False,
        default=MINIMUM,
        min_value=0.01,
        max_value=1,
        help_text="The Jaccard coefficient from which topics of different names are the same.",
    )


class AllOptions(Options):
    """Drafts of the query."""

    drafts = serializers.RegexField(
        rf"^\d{{1,18}}(,\d{{1,18}}){{1,{COMPARED_DRAFTS - 1}}}$",
        help_text=f"The numbers of 2 to {COMPARED_DRAFTS} drafts, with commas between them: `12,15,18`.",
    )
    minimum = serializers.FloatField(
        required=False, default=MINIMUM, min_value=0.01, max_value=1, help_text="As for the agreement of two."
    )


class AgreementView(APIView):
    """How far two drafts agree."""

    @extend_schema(
        operation_id="agreement",
        parameters=[KEY, PairOptions],
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "Aligned topics, figures with intervals, and every page."),
            409: REOPENED,
        },
        tags=TAG,
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        """Two drafts compared: aligned topics, QC4 either way, Omega and BCubed per level, kappa and AC1, the pages."""
        query = get_query(request.user, slug, key, May.CURATE)
        options = PairOptions.of(request.query_params)
        first, second = _shown(request.user, query, [options["first"], options["second"]])
        return Response(compared(first, second, options["minimum"]).to_dict())


class AllAgreementView(APIView):
    """How far several drafts agree."""

    @extend_schema(
        operation_id="agreement_of_all",
        parameters=[KEY, AllOptions],
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "Krippendorff's alpha, and which topics are the same."),
            409: REOPENED,
        },
        tags=TAG,
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        """All drafts compared: Krippendorff's alpha of the placements per level (MASI, Jaccard, same or not) and of the
        outliers."""
        query = get_query(request.user, slug, key, May.CURATE)
        options = AllOptions.of(request.query_params)
        drafts = _shown(request.user, query, options["drafts"].split(","))
        return Response(of_all(drafts, options["minimum"]).to_dict())


def _drafts(person: Person, query: Query, numbers: Sequence[int | str]) -> list[Draft]:
    """The drafts of these numbers, each once: nobody counts twice."""
    chosen = list(dict.fromkeys(map(int, numbers)))
    if len(chosen) < 2:
        raise InputError([Problem("no-pair", "drafts", "one draft", "two different drafts of this query or more")])
    return [compared_draft(person, query, number) for number in chosen]


def _shown(person: Person, query: Query, numbers: Sequence[int | str]) -> list[Draft]:
    """The same, for whoever is shown how they differ."""
    drafts = _drafts(person, query, numbers)
    note_seen(person, OthersSeen.What.AGREEMENT, drafts)
    return drafts

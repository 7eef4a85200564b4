"""Agreement between drafts of a query."""

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
from annotations.agreement.selectors import compare_group, compare_pair
from annotations.agreement.statistics import MINIMUM
from annotations.drafts.access import compared_draft
from annotations.drafts.exposure import record_exposure_to_drafts
from annotations.limits import COMPARED_DRAFTS
from annotations.models import Draft, OthersSeen, Query
from common.api.options import Options
from common.api.schema import KEY
from common.limits import LARGEST_ID
from qc4.problems import InputError, Problem

TAG = ["agreement"]
REOPENED = OpenApiResponse(OpenApiTypes.OBJECT, "A draft was reopened: `draft-reopened`, with the person and the time.")


class PairOptions(Options):
    """Two drafts of the query."""

    first = serializers.IntegerField(min_value=1, max_value=LARGEST_ID, help_text="Id of a draft.")
    second = serializers.IntegerField(min_value=1, max_value=LARGEST_ID, help_text="Id of another draft.")
    minimum = serializers.FloatField(
        required=False,
        default=MINIMUM,
        min_value=0.01,
        max_value=1,
        help_text="The smallest Jaccard coefficient at which topics with different names are aligned.",
    )


class AllOptions(Options):
    """Drafts of the query."""

    drafts = serializers.RegexField(
        rf"^\d{{1,18}}(,\d{{1,18}}){{1,{COMPARED_DRAFTS - 1}}}$",
        help_text=f"Ids of 2 to {COMPARED_DRAFTS} drafts, separated by commas: `12,15,18`.",
    )
    minimum = serializers.FloatField(
        required=False, default=MINIMUM, min_value=0.01, max_value=1, help_text="As for the agreement of two drafts."
    )


class AgreementView(APIView):
    """Agreement between two drafts."""

    @extend_schema(
        operation_id="agreement",
        parameters=[KEY, PairOptions],
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "Aligned topics, statistics with intervals, and all pages."),
            409: REOPENED,
        },
        tags=TAG,
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        """Compare two drafts: aligned topics, QC4 in both directions, Omega and BCubed per level, kappa, AC1 and all
        pages."""
        query = get_query(request.user, slug, key, May.CURATE)
        options = PairOptions.of(request.query_params)
        first, second = _shown(request.user, query, [options["first"], options["second"]])
        return Response(compare_pair(first, second, options["minimum"]).to_dict())


class AllAgreementView(APIView):
    """Agreement between several drafts."""

    @extend_schema(
        operation_id="agreement_of_all",
        parameters=[KEY, AllOptions],
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "Krippendorff's alpha, and the aligned topics."),
            409: REOPENED,
        },
        tags=TAG,
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        """Compare several drafts: Krippendorff's alpha of the placements per level (MASI, Jaccard and nominal
        distance), and of the outliers."""
        query = get_query(request.user, slug, key, May.CURATE)
        options = AllOptions.of(request.query_params)
        drafts = _shown(request.user, query, options["drafts"].split(","))
        return Response(compare_group(drafts, options["minimum"]).to_dict())


def _drafts(person: Person, query: Query, numbers: Sequence[int | str]) -> list[Draft]:
    """Return the drafts with these ids, without duplicates."""
    chosen = list(dict.fromkeys(map(int, numbers)))
    if len(chosen) < 2:
        raise InputError([Problem("no-pair", "drafts", "one draft", "at least two different drafts of this query")])
    return [compared_draft(person, query, number) for number in chosen]


def _shown(person: Person, query: Query, numbers: Sequence[int | str]) -> list[Draft]:
    """Return the drafts with these ids, and record that the person is shown how they differ."""
    drafts = _drafts(person, query, numbers)
    record_exposure_to_drafts(person, OthersSeen.What.AGREEMENT, drafts)
    return drafts

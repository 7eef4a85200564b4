"""A team at work, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from annotations.api.fields import Person
from annotations.api.operations import listing
from annotations.api.pagination import KnownRows, paged
from annotations.selectors.curation.dependents import DependentPairs
from annotations.selectors.curation.overview import Overview
from annotations.selectors.curation.pairs import TeamAgreement, team_agreement
from annotations.selectors.curation.sides import sides_of
from annotations.selectors.curation.times import CuratorTime, times_of
from annotations.selectors.curation.totals import Total, Wait
from annotations.services.timing import catch_up
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class Team(Record):
    """Everybody who curates: what they did, how long it took (`times`), who waits for whom, and how far they agree."""

    KEYS = "curators timing times waits agreement"

    curators: Sequence[Total]
    timing: str
    times: Sequence[CuratorTime]
    waits: Sequence[Wait]
    agreement: TeamAgreement


class DependentPairRow(serializers.Serializer[Any]):
    """Two curators' drafts of a query, whose agreement is no independent one."""

    query = serializers.CharField(source="query.key")
    first = Person()
    second = Person()
    why = serializers.CharField()


class TeamView(APIView):
    """A team at work."""

    @extend_schema(operation_id="team", responses=Team, tags=["curation"])
    def get(self, request: Request, slug: str) -> Response:
        """Totals, times and agreement of a collection's curators."""
        collection = get_collection(request.user, slug, May.CURATE)
        catch_up(collection)
        seen = Overview(collection, person(request))
        agreement = team_agreement(seen)
        return Response(Team(seen.totals, collection.timing, times_of(seen), seen.waits, agreement).to_dict())


class DependentPairsView(APIView):
    """Why agreement of some curators means less."""

    @listing("dependent_pairs", DependentPairRow, "curation")
    def get(self, request: Request, slug: str) -> Response:
        """The comparisons that are not independent, in the order of the queries."""
        collection = get_collection(request.user, slug, May.CURATE)
        seen = Overview(collection, person(request))
        pairs = DependentPairs(seen, sides_of(collection, seen.alone))
        return paged(KnownRows(pairs.places(), lambda place: f"{place.drafts}"), DependentPairRow, request, pairs.rows)

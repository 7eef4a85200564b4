"""One answer to one query: the clusters as a file, and why they score what they score."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.person import Person
from annotations.access import require_gold
from annotations.api.operations import KEY
from annotations.api.options import Options
from annotations.limits import LARGEST_VERSION
from annotations.models import Gold, GoldVersionEntry
from annotations.services.sights import note_gold
from evaluation.access import get_clustering, get_submission
from evaluation.api.choices import MEASURES
from evaluation.models import Clustering
from evaluation.questions import policies_of
from evaluation.selectors.explained_scores import SCORES, explained_scores
from qc4.measures.parameters import split_measures
from qc4.measures.result import ScoreResult
from qc4.records import Record
from qc4.views.policies import CHOICES, MEANINGS


class GoldOption(Options):
    """Against which gold standard."""

    gold = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_VERSION,
        help_text="A gold version's number; by default the latest.",
    )


class PolicyOptions(Options):
    """What policies settle."""

    outliers = serializers.ChoiceField(CHOICES["outliers"], required=False, help_text=MEANINGS["outliers"])
    unclustered = serializers.ChoiceField(CHOICES["unclustered"], required=False, help_text=MEANINGS["unclustered"])
    overlap = serializers.ChoiceField(CHOICES["overlap"], required=False, help_text=MEANINGS["overlap"])
    recall = serializers.ChoiceField(CHOICES["recall"], required=False, help_text=MEANINGS["recall"])
    unit = serializers.ChoiceField(CHOICES["unit"], required=False, help_text=MEANINGS["unit"])


class ExplainOptions(GoldOption, PolicyOptions):
    """Against which gold standard, and with which measures beside QC4's."""

    measures = serializers.CharField(required=False, help_text=f"{MEASURES}; by default those of the QC4 family.")


@dataclass(frozen=True, slots=True)
class Explanation(Record):
    """As ``python -m qc4 score --explain --format json``, and which gold standard it is against.

    Attributes:
        vectors: where the vectors come from, if a measure that looks at them was asked for.
    """

    KEYS = (
        "gold_version gold_sha256 engine=result.engine query=result.query pages=result.pages policies=result.policies "
        "removed_clusters=result.removed_clusters scores=result.scores vectors?=result.vectors "
        "clusters?=result.clusters topics?=result.topics classic?=result.classic page_coverage?=result.page_coverage"
    )

    gold_version: int
    gold_sha256: str
    result: ScoreResult


class ClusteringView(APIView):
    """One clustering."""

    @extend_schema(
        operation_id="clustering",
        parameters=[KEY],
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "A `qc4-clustering/1` file.")},
        tags=["submissions"],
    )
    def get(self, request: Request, pk: int, key: str) -> HttpResponse:
        """A submission's clusters of one query, as a file that can be submitted again."""
        row = _clustering(request.user, pk, key)
        return HttpResponse(row.file.content, content_type="application/json")


class ExplainView(APIView):
    """Why a clustering scores what it scores."""

    @extend_schema(
        operation_id="explain", parameters=[KEY, ExplainOptions], responses={200: Explanation}, tags=["scores"]
    )
    def get(self, request: Request, pk: int, key: str) -> HttpResponse:
        """Per cluster: level, best topic, entropy, recall and random scaling, quality; per topic and page: coverage.

        For each level on which `measures` has classic measures, the terms whose means they are.
        """
        chosen = ExplainOptions.of(request.query_params)
        row, number, gold = clustering_and_gold(request.user, pk, key, chosen.get("gold"))
        keys = split_measures(chosen.get("measures", ""))
        asked = explained_scores(row, gold, keys, policies_of(chosen))
        found = SCORES.get(asked)
        head = {"gold_version": number, "gold_sha256": gold.sha256, **found.head}
        return whole(head, {field: SCORES.as_json(asked, found, field) for field in SCORES.parts})


def whole(head: Mapping[str, Any], lists: Mapping[str, bytes]) -> HttpResponse:
    """An answer of the API whose lists are JSON already, as there may be 100,000 rows."""
    start = json.dumps(head).encode()[:-1]
    rest = (b", " + json.dumps(field).encode() + b": " + text for field, text in lists.items())
    return HttpResponse(start + b"".join(rest) + b"}", content_type="application/json")


def clustering_and_gold(person: Person, pk: int, key: str, number: int | None) -> tuple[Clustering, int, Gold]:
    """A clustering this person may see, with the number of a gold version and its gold standard.

    Raises:
        Http404: there is no such clustering, or no such version that holds the query.
        PermissionDenied: its gold standard is hidden from this person.
    """
    row = _clustering(person, pk, key)
    entry = _entry(person, row, number)
    return row, entry.version.number, entry.gold


def _clustering(person: Person, pk: int, key: str) -> Clustering:
    return get_clustering(person, get_submission(person, pk), key)


def _entry(person: Person, row: Clustering, number: int | None) -> GoldVersionEntry:
    require_gold(person, row.query)
    entries = row.query.gold_entries.select_related("gold", "version").order_by("-version__number")
    entry = (entries if number is None else entries.filter(version__number=number)).first()
    if entry is None:
        raise Http404("There is no such gold version that holds a gold standard of this query.")
    note_gold(person, row.submission.collection, [entry.gold])
    return entry

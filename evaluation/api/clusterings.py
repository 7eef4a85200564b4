"""One answer to one query: the clusters as a file, and why they score what they score."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import Person
from annotations.access import require_gold
from annotations.api.operations import KEY
from annotations.api.options import Options
from annotations.limits import LARGEST_VERSION
from annotations.models import Gold
from annotations.selectors.vectors import read
from annotations.services.sights import note_gold
from evaluation import cases
from evaluation.access import get_submission, visible_clusterings
from evaluation.models import Clustering, Submission
from evaluation.questions import looks_at_vectors, policies_of
from evaluation.selectors.why_size import refuse_what_is_too_large
from qc4.gold.standard import GoldStandard
from qc4.measures.registry import REGISTRY
from qc4.measures.result import ScoreResult
from qc4.measures.scoring import score
from qc4.records import Record
from qc4.views.policies import CHOICES, MEANINGS

QC4_FAMILY = "qc4"


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

    measures = serializers.CharField(
        required=False, help_text="Keys separated by commas; by default those of the QC4 family."
    )


@dataclass(frozen=True, slots=True)
class Explanation(Record):
    """As ``python -m qc4 score --explain --format json``, and which gold standard it is against.

    Attributes:
        vectors: where the vectors come from, if a measure that looks at them was asked for.
    """

    KEYS = (
        "gold_version gold_sha256 engine=result.engine query=result.query pages=result.pages policies=result.policies "
        "removed_clusters=result.removed_clusters scores=result.scores vectors?=result.vectors "
        "clusters?=result.clusters topics?=result.topics page_coverage?=result.page_coverage"
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

    @extend_schema(operation_id="explain", parameters=[KEY, ExplainOptions], responses=Explanation, tags=["scores"])
    def get(self, request: Request, pk: int, key: str) -> Response:
        """Per cluster: level, best topic, entropy, recall and random scaling, quality; per topic: coverage, recall.

        Per page of each topic its coverage.
        """
        chosen = ExplainOptions.of(request.query_params)
        row = _clustering(request.user, pk, key)
        number, gold = _gold(request.user, row, chosen.get("gold"))
        refuse_what_is_too_large(row, cases.gold_standard(gold))
        keys = [name for name in chosen.get("measures", "").split(",") if name]
        held = row.query.vector_sets.order_by("-pk").first() if any(map(looks_at_vectors, keys)) else None
        result = score(
            cases.gold_standard(gold),
            cases.clustering(row),
            measures=keys or [measure.key for measure in REGISTRY.family(QC4_FAMILY)],
            policies=policies_of(chosen),
            explain=True,
            vectors=None if held is None else read(held),
        )
        return Response(Explanation(number, gold.sha256, result).to_dict())


def clustering_and_gold(
    person: Person, pk: int, key: str, number: int | None
) -> tuple[Clustering, int, Gold, GoldStandard]:
    """A clustering this person may see, with the number of a gold version and its gold standard, prepared.

    Raises:
        Http404: there is no such clustering, or no such version that holds the query.
        PermissionDenied: its gold standard is hidden from this person.
    """
    row = _clustering(person, pk, key)
    found, gold = _gold(person, row, number)
    return row, found, gold, cases.gold_standard(gold)


def _clustering(person: Person, pk: int, key: str) -> Clustering:
    return clustering_of(person, get_submission(person, pk), key)


def clustering_of(person: Person, submission: Submission, key: str) -> Clustering:
    """A submission's clustering of a query.

    Raises:
        Http404: it has none that this person may see.
    """
    row = visible_clusterings(person, submission).select_related("query", "submission").filter(query__key=key).first()
    if row is None:
        raise Http404("This submission has no clustering of such a query.")
    return row


def _gold(person: Person, row: Clustering, number: int | None) -> tuple[int, Gold]:
    require_gold(person, row.query)
    versions = row.submission.collection.gold_versions.filter(entries__query=row.query).order_by("-number")
    version = versions.first() if number is None else versions.filter(number=number).first()
    if version is None:
        raise Http404("There is no such gold version that holds a gold standard of this query.")
    gold = version.entries.select_related("gold").get(query=row.query).gold
    note_gold(person, row.submission.collection, [gold])
    return version.number, gold

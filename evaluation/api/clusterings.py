"""One answer to one query: the clusters as a file, and why they score what they score."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import Person
from annotations.access import require_gold
from annotations.api.operations import KEY
from annotations.api.options import Options
from annotations.limits import LARGEST_VERSION
from annotations.models import Gold, GoldVersionEntry
from annotations.selectors.vectors import read
from annotations.services.sights import note_gold
from evaluation import cases
from evaluation.access import get_clustering, get_submission
from evaluation.api.choices import MEASURES
from evaluation.api.runs import answer
from evaluation.api.serializers import RunDetail
from evaluation.models import Clustering
from evaluation.questions import Question, looks_at_vectors, policies_of
from evaluation.runs.errors import RunError
from evaluation.selectors.stored_explanations import as_json, stored_explanation
from evaluation.selectors.why_size import is_too_large, refuse_what_is_too_large
from evaluation.services.explanations import ask_for
from qc4.measures.parameters import split_measures
from qc4.measures.registry import REGISTRY
from qc4.measures.result import ScoreResult
from qc4.measures.scoring import score
from qc4.records import Record
from qc4.views.policies import CHOICES, MEANINGS, Policies

QC4_FAMILY = "qc4"
RETRY_SECONDS = 5


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
        operation_id="explain",
        parameters=[KEY, ExplainOptions],
        responses={200: Explanation, 202: RunDetail},
        tags=["scores"],
    )
    def get(self, request: Request, pk: int, key: str) -> HttpResponseBase:
        """Per cluster: level, best topic, entropy, recall and random scaling, quality; per topic and page: coverage.

        For each level on which `measures` has classic measures, the terms whose means they are. 202 while a worker
        explains what is too large for a request; `Location` is its run. Ask again after `Retry-After` seconds. A caller
        who is not signed in gets an explanation only if it is stored already.
        """
        chosen = ExplainOptions.of(request.query_params)
        row = _clustering(request.user, pk, key)
        entry = _entry(request.user, row, chosen.get("gold"))
        gold, keys = entry.gold, split_measures(chosen.get("measures", ""))
        REGISTRY.select(keys)  # refuses unknown measures before anything is read
        if is_too_large(row, gold) and not keys:
            return _by_a_worker(request, row, entry, policies_of(chosen))
        refuse_what_is_too_large(row, gold)
        held = row.query.vector_sets.order_by("-pk").first() if any(map(looks_at_vectors, keys)) else None
        result = score(
            cases.gold_standard(gold),
            cases.clustering(row),
            measures=keys or [measure.key for measure in REGISTRY.family(QC4_FAMILY)],
            policies=policies_of(chosen),
            explain=True,
            vectors=None if held is None else read(held),
        )
        return Response(Explanation(entry.version.number, gold.sha256, result).to_dict())


def _by_a_worker(request: Request, row: Clustering, entry: GoldVersionEntry, policies: Policies) -> HttpResponseBase:
    """What a worker said of it, or the run in which one is to."""
    question = Question(row.sha256, entry.gold.sha256, policies)
    found = stored_explanation(question)
    if found is not None:
        which = {"gold_version": entry.version.number, "gold_sha256": entry.gold.sha256}
        return StreamingHttpResponse(as_json(found, which), content_type="application/json")
    if not request.user.is_authenticated:
        raise PermissionDenied
    run = ask_for(question, row, entry.version, request.user)
    if run.error:
        raise RunError(**{name: run.error[name] for name in ("code", "sentence", "where", "fix")})
    told = answer(run, request, status.HTTP_202_ACCEPTED)
    told["Retry-After"] = str(RETRY_SECONDS)
    return told


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

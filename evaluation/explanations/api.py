"""One clustering of a query in the API: its clusters, the explanation of its score, and "what if" changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import Person
from annotations.challenges.access import require_visible_gold
from annotations.gold.services import record_gold_exposure
from annotations.models import Gold, GoldVersionEntry
from common.api.options import Options
from common.api.schema import KEY
from common.limits import LARGEST_ID, LARGEST_VERSION
from evaluation.access import get_clustering, get_submission
from evaluation.explanations.matrix import MATRIX, Matrix, MatrixInputs, check_size
from evaluation.explanations.pair import ExplanationInputs
from evaluation.explanations.similarity import alike
from evaluation.explanations.terms import SCORES, scores_inputs
from evaluation.explanations.what_if import (
    CHANCE,
    CHANGES,
    ONE_AT_A_TIME,
    WHAT_IF,
    ChanceInputs,
    ExplanationOptions,
    WhatIfInputs,
    changes_of,
    check_chance_size,
    is_too_many,
)
from evaluation.limits import CHANCE_DRAWS, LARGEST_SEED
from evaluation.models import Clustering
from evaluation.scoring import cases
from evaluation.scoring.api_options import MEASURES
from evaluation.scoring.cells import policies_of
from qc4.measures.parameters import split_measures
from qc4.model.policies import CHOICES, MEANINGS
from qc4.records import Record
from qc4.scoring.calibration import DRAWS, LEAST_DRAWS, Calibration
from qc4.scoring.results import ScoreResult
from qc4.scoring.two_clusterings import ClusteringComparison
from qc4.scoring.what_if import DropEffect, WhatIf


class GoldOption(Options):
    """Option for the gold version to score against."""

    gold = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_VERSION,
        help_text="Number of a gold version; by default the latest.",
    )


class PolicyOptions(Options):
    """The scoring options."""

    outliers = serializers.ChoiceField(CHOICES["outliers"], required=False, help_text=MEANINGS["outliers"])
    unclustered = serializers.ChoiceField(CHOICES["unclustered"], required=False, help_text=MEANINGS["unclustered"])
    overlap = serializers.ChoiceField(CHOICES["overlap"], required=False, help_text=MEANINGS["overlap"])
    recall = serializers.ChoiceField(CHOICES["recall"], required=False, help_text=MEANINGS["recall"])
    unit = serializers.ChoiceField(CHOICES["unit"], required=False, help_text=MEANINGS["unit"])


class ExplainOptions(GoldOption, PolicyOptions):
    """Options of an explanation: gold version, scoring options and measures."""

    measures = serializers.CharField(required=False, help_text=f"{MEASURES}; by default those of the QC4 family.")


@dataclass(frozen=True, slots=True)
class Explanation(Record):
    """The output of ``python -m qc4 score --explain --format json``, with the gold standard it is based on.

    Attributes:
        vectors: source of the vectors, if a requested measure uses them.
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
    """A submission's clustering of one query."""

    @extend_schema(
        operation_id="clustering",
        parameters=[KEY],
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "A `qc4-clustering/1` file.")},
        tags=["submissions"],
    )
    def get(self, request: Request, pk: int, key: str) -> HttpResponse:
        """Return a submission's clustering of one query, as a file that can be submitted again."""
        row = _clustering(request.user, pk, key)
        return HttpResponse(row.file.content, content_type="application/json")


class ExplainView(APIView):
    """Explanation of a clustering's scores."""

    @extend_schema(
        operation_id="explain", parameters=[KEY, ExplainOptions], responses={200: Explanation}, tags=["scores"]
    )
    def get(self, request: Request, pk: int, key: str) -> HttpResponse:
        """Return the terms behind the scores of a clustering.

        Each cluster has its level, best topic, entropy, recall and random scaling, and quality. Each topic and page
        has its coverage. If `measures` has classic measures, their terms are listed for each level.
        """
        chosen = ExplainOptions.of(request.query_params)
        row, number, gold = clustering_and_gold(request.user, pk, key, chosen.get("gold"))
        keys = split_measures(chosen.get("measures", ""))
        asked = scores_inputs(row, gold, keys, policies_of(chosen))
        found = SCORES.get(asked)
        head = {"gold_version": number, "gold_sha256": gold.sha256, **found.head}
        return json_response(head, {field: SCORES.as_json(asked, found, field) for field in SCORES.parts})


def json_response(head: Mapping[str, Any], lists: Mapping[str, bytes]) -> HttpResponse:
    """Return an API response from lists that are already JSON, because there may be 100,000 rows."""
    start = json.dumps(head).encode()[:-1]
    rest = (b", " + json.dumps(field).encode() + b": " + text for field, text in lists.items())
    return HttpResponse(start + b"".join(rest) + b"}", content_type="application/json")


def clustering_and_gold(person: Person, pk: int, key: str, number: int | None) -> tuple[Clustering, int, Gold]:
    """Return a clustering that this person may see, the number of a gold version, and its gold standard of the query.

    Raises:
        Http404: if there is no such clustering, or no such gold version with the query.
        PermissionDenied: if the gold standard is hidden from this person.
    """
    row = _clustering(person, pk, key)
    entry = _gold_entry(person, row, number)
    return row, entry.version.number, entry.gold


def _clustering(person: Person, pk: int, key: str) -> Clustering:
    return get_clustering(person, get_submission(person, pk), key)


def _gold_entry(person: Person, row: Clustering, number: int | None) -> GoldVersionEntry:
    require_visible_gold(person, row.query)
    entries = row.query.gold_entries.select_related("gold", "version").order_by("-version__number")
    entry = (entries if number is None else entries.filter(version__number=number)).first()
    if entry is None:
        raise Http404("No such gold version has a gold standard of this query.")
    record_gold_exposure(person, row.submission.collection, [entry.gold])
    return entry


# --- "What if" changes, comparison with chance, matrix, and similarity to another clustering ---

CLUSTER_IDS = "Ids of clusters, repeated or separated by commas"


class ScoringOptions(GoldOption, PolicyOptions):
    """Options of scoring: measures, level, gold version and scoring options."""

    measures = serializers.CharField(
        required=False,
        help_text=f"{MEASURES}; by default quality, coverage and QC4-F; for changes also F, BCubed F and ARI.",
    )
    level = serializers.CharField(required=False, help_text="Number of a level, or `all`.")


class WhatIfOptions(ScoringOptions):
    """The changes to clusters."""

    drop = serializers.CharField(required=False, help_text=f"{CLUSTER_IDS}. They are removed.")
    merge = serializers.CharField(required=False, help_text=f"{CLUSTER_IDS}. They become one cluster.")
    complete = serializers.CharField(
        required=False, help_text=f"{CLUSTER_IDS}. The missing pages of their best topic are added."
    )
    clean = serializers.CharField(
        required=False, help_text=f"{CLUSTER_IDS}. Their pages outside their best topic are removed."
    )


class ChanceOptions(ScoringOptions):
    """Options of the comparison with chance."""

    draws = serializers.IntegerField(
        default=DRAWS, min_value=LEAST_DRAWS, max_value=CHANCE_DRAWS, help_text="Number of shuffles of the pages."
    )
    seed = serializers.IntegerField(default=0, min_value=0, max_value=LARGEST_SEED, help_text="Seed of the shuffles.")


class SimilarityOptions(Options):
    """Options of the comparison of two clusterings."""

    against = serializers.IntegerField(
        min_value=1, max_value=LARGEST_ID, help_text="Id of the submission with the other clustering."
    )
    measures = serializers.CharField(
        required=False, help_text=f"{MEASURES}; only symmetric ones, and by default all of them."
    )
    unclustered = serializers.ChoiceField(CHOICES["unclustered"], required=False, help_text=MEANINGS["unclustered"])
    overlap = serializers.ChoiceField(CHOICES["overlap"], required=False, help_text=MEANINGS["overlap"])
    unit = serializers.ChoiceField(CHOICES["unit"], required=False, help_text=MEANINGS["unit"])


@dataclass(frozen=True, slots=True)
class WhatIfResponse(Record):
    """The output of ``python -m qc4 what-if --format json``, with the gold standard it is based on.

    Attributes:
        one_at_a_time: the effect of dropping each cluster alone, if no change was requested; omitted if there are too
            many clusters.
    """

    KEYS = (
        "gold_version gold_sha256 engine=result.engine query=result.query policies=result.policies "
        "changes=result.changes sentence=result.sentence scores=result.scores clusters=result.clusters "
        "topics=result.topics one_at_a_time?"
    )

    gold_version: int
    gold_sha256: str
    result: WhatIf
    one_at_a_time: tuple[DropEffect, ...] | None


@dataclass(frozen=True, slots=True)
class ChanceResponse(Record):
    """The output of ``python -m qc4 calibrate --format json``, with the gold standard it is based on."""

    KEYS = (
        "gold_version gold_sha256 engine=result.engine query=result.query pages=result.pages policies=result.policies "
        "draws=result.draws seed=result.seed levels=result.levels"
    )

    gold_version: int
    gold_sha256: str
    result: Calibration


@dataclass(frozen=True, slots=True)
class MatrixResponse(Record):
    """Topics in the order of the tree, clusters sorted by their best topic, and every cell with common pages."""

    KEYS = "gold_version gold_sha256 topics=result.topics clusters=result.clusters cells=result.cells"

    gold_version: int
    gold_sha256: str
    result: Matrix


class WhatIfView(APIView):
    """Scores of a changed clustering."""

    @extend_schema(operation_id="what_if", parameters=[KEY, WhatIfOptions], responses=WhatIfResponse, tags=["scores"])
    def get(self, request: Request, pk: int, key: str) -> HttpResponse:
        """Return the scores before and after clusters are dropped, merged, completed or cleaned.

        If no change is requested, the response also has the effect of dropping each cluster alone on QC4, unless there
        are too many clusters.
        """
        of, choices, which = _read_request(request, pk, key, WhatIfOptions.of(request.query_params))
        given: QueryDict = request.query_params
        row = Clustering._default_manager.select_related("file").get(pk=of.clustering)
        asked = WhatIfInputs(of, choices.places, changes_of(given.getlist, cases.cluster_names(row)))
        found, lists = WHAT_IF.get(asked), {}
        if not asked.changes and not is_too_many(of):
            alone = ONE_AT_A_TIME.get(of)
            rows = ONE_AT_A_TIME.records(of, alone, "rows", 0, alone.n_rows)
            lists = {"one_at_a_time": json.dumps([one._asdict() for one in rows]).encode()}
        lists |= {field: WHAT_IF.as_json(asked, found, field) for field in WHAT_IF.parts}
        return json_response(which | found.head, lists)


class ChanceView(APIView):
    """Comparison of a clustering with chance."""

    @extend_schema(operation_id="chance", parameters=[KEY, ChanceOptions], responses=ChanceResponse, tags=["scores"])
    def get(self, request: Request, pk: int, key: str) -> Response:
        """Return the scores and those of the same clusters with shuffled pages."""
        chosen = ChanceOptions.of(request.query_params)
        of, choices, which = _read_request(request, pk, key, chosen)
        asked = ChanceInputs(of, choices.leading, chosen["draws"], chosen["seed"])
        check_chance_size(asked)
        found = dict(CHANCE.get(asked))
        del found["titles"]
        return Response(which | found)


class MatrixView(APIView):
    """Matrix of topics and clusters."""

    @extend_schema(operation_id="matrix", parameters=[KEY, GoldOption], responses=MatrixResponse, tags=["scores"])
    def get(self, request: Request, pk: int, key: str) -> HttpResponse:
        """Return the number of pages that each topic and each cluster have in common."""
        of, _, which = _read_request(request, pk, key, GoldOption.of(request.query_params))
        asked = MatrixInputs(of)
        found = MATRIX.get(asked)
        check_size(found)
        return json_response(which, {field: MATRIX.as_json(asked, found, field) for field in MATRIX.parts})


class SimilarityView(APIView):
    """Similarity of two clusterings."""

    @extend_schema(
        operation_id="alike", parameters=[KEY, SimilarityOptions], responses=ClusteringComparison, tags=["scores"]
    )
    def get(self, request: Request, pk: int, key: str) -> Response:
        """Compare two submissions' clusterings of a query by every symmetric measure, without a gold standard.

        The response is the output of ``python -m qc4 alike --format json``, on all pages of the query.
        """
        chosen = SimilarityOptions.of(request.query_params)
        row = get_clustering(request.user, get_submission(request.user, pk), key)
        other = get_submission(request.user, chosen["against"])
        if other.collection_id != row.submission.collection_id:
            raise Http404("The other submission belongs to another collection.")
        keys = split_measures(chosen.get("measures", "")) or None
        return Response(alike(row, get_clustering(request.user, other, key), policies_of(chosen), keys))


def _read_request(
    request: Request, pk: int, key: str, chosen: dict[str, Any]
) -> tuple[ExplanationInputs, ExplanationOptions, dict[str, Any]]:
    """Return the clustering and gold standard to explain, the options, and the gold fields of the response."""
    row, number, gold = clustering_and_gold(request.user, pk, key, chosen.get("gold"))
    texts = {name: value for name, value in chosen.items() if isinstance(value, str) and name not in CHANGES}
    choices = ExplanationOptions.of(texts, gold.n_levels)
    which = {"gold_version": number, "gold_sha256": gold.sha256}
    return ExplanationInputs.of(row, gold, choices.policies), choices, which

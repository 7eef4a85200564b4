"""One clustering of a query: its clusters, why it scores as it does, and what would change the score."""

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
from annotations.challenges.access import require_gold
from annotations.gold.services import note_gold
from annotations.models import Gold, GoldVersionEntry
from common.api.options import Options
from common.api.schema import KEY
from common.limits import LARGEST_ID, LARGEST_VERSION
from evaluation.access import get_clustering, get_submission
from evaluation.explanations.matrix import MATRIX, Matrix, MatrixAsked, refuse_too_many_cells
from evaluation.explanations.pair import Explained
from evaluation.explanations.similarity import alike
from evaluation.explanations.terms import SCORES, explained_scores
from evaluation.explanations.what_if import (
    CHANCE,
    CHANGES,
    ONE_AT_A_TIME,
    WHAT_IF,
    ChanceAsked,
    Choices,
    WhatIfAsked,
    changes_of,
    is_too_many,
    refuse_too_much,
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
from qc4.scoring.what_if import Alone, WhatIf


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


# Of one clustering: what if it were another, what chance reaches, where its pages lie, how like another it is.

IDS = "Ids of clusters, given several times or separated by commas"


class ScoringOptions(GoldOption, PolicyOptions):
    """Which measures, on which level, under which policies."""

    measures = serializers.CharField(
        required=False,
        help_text=f"{MEASURES}; by default quality, coverage and QC4-F, and for changes more.",
    )
    level = serializers.CharField(required=False, help_text="A level's number, or `all`.")


class WhatIfOptions(ScoringOptions):
    """Which clusters are to be others."""

    drop = serializers.CharField(required=False, help_text=f"{IDS}: these are left out.")
    merge = serializers.CharField(required=False, help_text=f"{IDS}: these become one.")
    complete = serializers.CharField(required=False, help_text=f"{IDS}: these get the rest of their best topic.")
    clean = serializers.CharField(required=False, help_text=f"{IDS}: these lose their foreign pages.")


class ChanceOptions(ScoringOptions):
    """How often to shuffle."""

    draws = serializers.IntegerField(
        default=DRAWS, min_value=LEAST_DRAWS, max_value=CHANCE_DRAWS, help_text="Shuffles of the pages."
    )
    seed = serializers.IntegerField(default=0, min_value=0, max_value=LARGEST_SEED, help_text="Of the shuffles.")


class AlikeOptions(Options):
    """With what, by which measures, under which policies."""

    against = serializers.IntegerField(
        min_value=1, max_value=LARGEST_ID, help_text="A submission's id: the other clustering is its."
    )
    measures = serializers.CharField(
        required=False, help_text=f"{MEASURES}; symmetric ones only, and by default all of these."
    )
    unclustered = serializers.ChoiceField(CHOICES["unclustered"], required=False, help_text=MEANINGS["unclustered"])
    overlap = serializers.ChoiceField(CHOICES["overlap"], required=False, help_text=MEANINGS["overlap"])
    unit = serializers.ChoiceField(CHOICES["unit"], required=False, help_text=MEANINGS["unit"])


@dataclass(frozen=True, slots=True)
class WhatIfAnswer(Record):
    """As ``python -m qc4 what-if --format json``, and which gold standard it is against.

    Attributes:
        one_at_a_time: where nothing is to be changed, what dropping each cluster alone would do; left out where there
            are too many of them.
    """

    KEYS = (
        "gold_version gold_sha256 engine=result.engine query=result.query policies=result.policies "
        "changes=result.changes sentence=result.sentence scores=result.scores clusters=result.clusters "
        "topics=result.topics one_at_a_time?"
    )

    gold_version: int
    gold_sha256: str
    result: WhatIf
    one_at_a_time: tuple[Alone, ...] | None


@dataclass(frozen=True, slots=True)
class ChanceAnswer(Record):
    """As ``python -m qc4 calibrate --format json``, and which gold standard it is against."""

    KEYS = (
        "gold_version gold_sha256 engine=result.engine query=result.query pages=result.pages policies=result.policies "
        "draws=result.draws seed=result.seed levels=result.levels"
    )

    gold_version: int
    gold_sha256: str
    result: Calibration


@dataclass(frozen=True, slots=True)
class MatrixAnswer(Record):
    """Topics in the order of the tree, clusters by their best topic, and every cell with pages in common."""

    KEYS = "gold_version gold_sha256 topics=result.topics clusters=result.clusters cells=result.cells"

    gold_version: int
    gold_sha256: str
    result: Matrix


class WhatIfView(APIView):
    """What a clustering would score if it were another."""

    @extend_schema(operation_id="what_if", parameters=[KEY, WhatIfOptions], responses=WhatIfAnswer, tags=["scores"])
    def get(self, request: Request, pk: int, key: str) -> HttpResponse:
        """Scores before and after clusters are dropped, merged, completed or cleaned.

        Without a change: what dropping each cluster alone would do to QC4, unless there are too many of them.
        """
        of, choices, which = _explained(request, pk, key, WhatIfOptions.of(request.query_params))
        given: QueryDict = request.query_params
        row = Clustering._default_manager.select_related("file").get(pk=of.clustering)
        asked = WhatIfAsked(of, choices.places, changes_of(given.getlist, cases.names(row)))
        found, lists = WHAT_IF.get(asked), {}
        if not asked.changes and not is_too_many(of):
            alone = ONE_AT_A_TIME.get(of)
            rows = ONE_AT_A_TIME.records(of, alone, "rows", 0, alone.n_rows)
            lists = {"one_at_a_time": json.dumps([one._asdict() for one in rows]).encode()}
        lists |= {field: WHAT_IF.as_json(asked, found, field) for field in WHAT_IF.parts}
        return whole(which | found.head, lists)


class ChanceView(APIView):
    """What chance reaches."""

    @extend_schema(operation_id="chance", parameters=[KEY, ChanceOptions], responses=ChanceAnswer, tags=["scores"])
    def get(self, request: Request, pk: int, key: str) -> Response:
        """Scores beside those of the same clusters with shuffled pages."""
        chosen = ChanceOptions.of(request.query_params)
        of, choices, which = _explained(request, pk, key, chosen)
        asked = ChanceAsked(of, choices.leading, chosen["draws"], chosen["seed"])
        refuse_too_much(asked)
        found = dict(CHANCE.get(asked))
        del found["titles"]
        return Response(which | found)


class MatrixView(APIView):
    """Topics and clusters side by side."""

    @extend_schema(operation_id="matrix", parameters=[KEY, GoldOption], responses=MatrixAnswer, tags=["scores"])
    def get(self, request: Request, pk: int, key: str) -> HttpResponse:
        """How many pages each topic and each cluster have in common."""
        of, _, which = _explained(request, pk, key, GoldOption.of(request.query_params))
        asked = MatrixAsked(of)
        found = MATRIX.get(asked)
        refuse_too_many_cells(found)
        return whole(which, {field: MATRIX.as_json(asked, found, field) for field in MATRIX.parts})


class AlikeView(APIView):
    """How alike two clusterings are."""

    @extend_schema(
        operation_id="alike", parameters=[KEY, AlikeOptions], responses=ClusteringComparison, tags=["scores"]
    )
    def get(self, request: Request, pk: int, key: str) -> Response:
        """Every symmetric measure of two submissions' clusterings of a query, none of which is the truth.

        As ``python -m qc4 alike --format json``, on all pages of the query. No gold standard is needed.
        """
        chosen = AlikeOptions.of(request.query_params)
        row = get_clustering(request.user, get_submission(request.user, pk), key)
        other = get_submission(request.user, chosen["against"])
        if other.collection_id != row.submission.collection_id:
            raise Http404("That submission is to another collection.")
        keys = split_measures(chosen.get("measures", "")) or None
        return Response(alike(row, get_clustering(request.user, other, key), policies_of(chosen), keys))


def _explained(
    request: Request, pk: int, key: str, chosen: dict[str, Any]
) -> tuple[Explained, Choices, dict[str, Any]]:
    """What is asked about, how, and which gold standard it is against, as answers name it."""
    row, number, gold = clustering_and_gold(request.user, pk, key, chosen.get("gold"))
    texts = {name: value for name, value in chosen.items() if isinstance(value, str) and name not in CHANGES}
    choices = Choices.of(texts, gold.n_levels)
    which = {"gold_version": number, "gold_sha256": gold.sha256}
    return Explained.of(row, gold, choices.policies), choices, which

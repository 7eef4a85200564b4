"""Of one clustering: what if it were another, what chance reaches, where its pages lie, how like another it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.api.operations import KEY
from annotations.api.options import Options
from annotations.limits import LARGEST_ID
from evaluation import cases
from evaluation.access import get_clustering, get_submission
from evaluation.api.choices import MEASURES
from evaluation.api.clusterings import GoldOption, PolicyOptions, clustering_and_gold, whole
from evaluation.limits import CHANCE_DRAWS, LARGEST_SEED
from evaluation.models import Clustering
from evaluation.questions import policies_of
from evaluation.selectors.why_alike import alike
from evaluation.selectors.why_asked import Explained
from evaluation.selectors.why_chance import CHANCE, ChanceAsked, refuse_too_much
from evaluation.selectors.why_changes import ONE_AT_A_TIME, WHAT_IF, WhatIfAsked, is_too_many
from evaluation.selectors.why_choices import CHANGES, Choices, changes_of
from evaluation.selectors.why_matrix import MATRIX, Matrix, MatrixAsked, refuse_too_many_cells
from qc4.measures.calibration import DRAWS, LEAST_DRAWS, Calibration
from qc4.measures.parameters import split_measures
from qc4.measures.two_clusterings import ClusteringComparison
from qc4.measures.what_if import Alone, WhatIf
from qc4.records import Record
from qc4.views.policies import CHOICES, MEANINGS

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

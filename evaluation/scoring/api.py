"""API of scores: score submissions with chosen scoring options, and list every score of a collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from annotations.collections.selectors import queries_named
from annotations.models import Collection
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.pagination import ListOptions, ListPagination, paged
from common.api.schema import listing
from common.limits import LARGEST_ID, LARGEST_VERSION, PAGE_ROWS
from evaluation.access import get_submission, own_submission, visible_submissions
from evaluation.models import Submission
from evaluation.scoring import services as scoring
from evaluation.scoring.api_options import MEASURES
from evaluation.scoring.cells import NO_VECTORS
from evaluation.scoring.effective import effective_run_ids
from evaluation.scoring.exports import MAX_RUN_QUERIES, ScoreList, ScoreQuery
from evaluation.scoring.forms import Score
from evaluation.scoring.selectors import chosen_version
from evaluation.scoring.services import Scoring
from qc4.measures.parameters import split_measures
from qc4.measures.registry import REGISTRY
from qc4.model.policies import CHOICES, Policies
from qc4.problems import ProblemList
from qc4.text import comparison_key


class ScoreOptions(Options):
    """Scoring options, gold version and measures with which to score."""

    FORM = Score

    measures = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Measures by key, or with parameters as in `alpha_ndcg@15`; by default all in the catalogue.",
    )

    @staticmethod
    def policies(chosen: dict[str, str]) -> Policies:
        """Return the scoring options among validated options."""
        return Policies.parse({name: chosen[name] for name in CHOICES})


class EvaluationsView(APIView):
    """Evaluations of a collection's submissions."""

    @extend_schema(
        operation_id="score_all", request=ScoreOptions, responses={202: Scoring, 200: Scoring}, tags=["scores"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Score the latest submissions that you can see, with these scoring options.

        Submissions that have such scores, or wait for them, are omitted. 200 if there is nothing left to do.
        """
        collection = get_collection(request.user, slug, May.COMPUTE)
        chosen = ScoreOptions.of(fields_of(request))
        version = chosen_version(collection, chosen.get("gold"))
        policies, measures = ScoreOptions.policies(chosen), chosen.get("measures") or None
        return _response(scoring.score_latest(version, policies, user=person(request), measures=measures))


class SubmissionEvaluationsView(APIView):
    """Evaluations of a submission."""

    @extend_schema(
        operation_id="score_submission", request=ScoreOptions, responses={202: Scoring, 200: Scoring}, tags=["scores"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Score a submission of your own with these scoring options. 200 if it has such scores, or waits for them."""
        found = own_submission(request.user, get_submission(request.user, pk))
        chosen = ScoreOptions.of(fields_of(request))
        version = chosen_version(found.collection, chosen.get("gold"))
        policies, measures = ScoreOptions.policies(chosen), chosen.get("measures") or None
        return _response(scoring.score_submission(found, version, policies, user=person(request), measures=measures))


def _response(done: Scoring) -> Response:
    return Response(done.to_dict(), status=status.HTTP_202_ACCEPTED if done.queued else status.HTTP_200_OK)


# --- Scores in responses ---

LEVEL = {
    "oneOf": [{"type": "integer", "minimum": 1}, {"type": "string", "enum": ["all"]}, {"type": "null"}],
    "description": "A level's number; `all` for all topics of all levels; null for measures of the whole hierarchy.",
}


class ScoreRow(serializers.Serializer[dict[str, Any]]):
    """One score with its provenance: a ``value``, or in ``undefined`` the reason why there is none."""

    algorithm = serializers.CharField()
    submission = serializers.IntegerField()
    counts = serializers.SerializerMethodField(
        help_text="Whether this is the algorithm's effective submission for this gold version and these policies."
    )
    run = serializers.IntegerField(source="run_id")
    query = serializers.CharField(source="key")
    query_text = serializers.CharField(help_text="The query's name on pages.")
    measure = serializers.CharField()
    measure_version = serializers.IntegerField()
    level = serializers.SerializerMethodField()
    depth = serializers.SerializerMethodField(
        help_text="Depth at which nested clusters are cut for this score, 1 for the outermost; null if nothing is cut."
    )
    deepest = serializers.SerializerMethodField(help_text="The depth of the finest cut; null if nothing is cut.")
    value = serializers.FloatField(allow_null=True)
    undefined = serializers.SerializerMethodField()
    flattened = serializers.BooleanField(
        help_text="True if `overlap = first` made pages count only for their first topic or cluster."
    )
    gold_version = serializers.IntegerField()
    engine = serializers.CharField()
    policies = serializers.DictField(child=serializers.CharField())
    vectors = serializers.SerializerMethodField(
        help_text="SHA-256 of the vectors that it was computed from; null for measures without vectors."
    )

    def get_counts(self, row: dict[str, Any]) -> bool:
        return row["run_id"] in self.context["counting"]

    @extend_schema_field(LEVEL)
    def get_level(self, row: dict[str, Any]) -> int | str | None:
        level: str = row["level"]
        return int(level) if level.isdigit() else level or None

    def get_depth(self, row: dict[str, Any]) -> int | None:
        return row["depth"] or None

    def get_deepest(self, row: dict[str, Any]) -> int | None:
        return row["deepest"] or None

    def get_undefined(self, row: dict[str, Any]) -> str | None:
        return row["undefined"] or None

    def get_vectors(self, row: dict[str, Any]) -> str | None:
        return None if row["vectors"] in {"", NO_VECTORS} else row["vectors"]


# --- Every score of a collection with its provenance, filtered by name ---


class ScoreFilter(ListOptions):
    """Filters of the list of scores. Only these names filter: none of them reaches the database as a field name."""

    algorithm = serializers.CharField(required=False, help_text="The algorithm's name; case does not matter.")
    submission = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    run = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    query = serializers.CharField(required=False, help_text="By key or text.")
    measure = serializers.CharField(required=False, help_text=f"{MEASURES}.")
    level = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="A level's number, `all`, or nothing for measures of the whole hierarchy.",
    )
    depth = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST_ID,
        help_text="Depth at which nested clusters are cut, 1 for the outermost; 0 for scores for which nothing is cut.",
    )
    gold = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_VERSION)
    undefined = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Only scores without a value, or only those with one."
    )


RUN_FILTERS = {
    "algorithm": "submission__algorithm__name__iexact",
    "submission": "submission",
    "run": "pk",
    "gold": "gold_version__number",
}


class ScorePagination(ListPagination):
    """Pages of queries of runs, each with about as many scores as a page should have.

    No index has millions of scores in the order of the list. But an index has the queries of runs in this order, and
    each of these has a few dozen scores.
    """

    def __init__(self, scores: ScoreList) -> None:
        self.scores = scores

    def get_page_size(self, request: Request) -> int:
        self.n_scores = super().get_page_size(request) or PAGE_ROWS
        return min(self.n_scores, MAX_RUN_QUERIES)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        answers = super().paginate_queryset(queryset, request, view)
        is_back = self.cursor is not None and self.cursor.reverse
        inwards = answers[::-1] if is_back else answers
        before = accumulate(self.scores.numbers(inwards), initial=0)
        kept = [answer for answer, n in zip(inwards, before, strict=False) if n < self.n_scores]
        if len(kept) < len(inwards):
            place = self.rows.place_of(inwards[len(kept)])
            if is_back:
                self.has_previous, self.previous_position = True, place
            else:
                self.has_next, self.next_position = True, place
        self.page = kept[::-1] if is_back else kept
        return self.page


class ScoresView(APIView):
    """The scores of a collection."""

    @listing("scores", ScoreRow, "scores", options=ScoreFilter)
    def get(self, request: Request, slug: str) -> Response:
        """List every score that you can see: a value or the reason why there is none, with its provenance.

        All scores of one query of a run are on the same page, which may be longer for it. If few scores match the
        filters, a page may be short or empty: there are more as long as `next` is not null.
        """
        collection = get_collection(request.user, slug)
        wanted = _score_query(collection, ScoreFilter.of(request.query_params))

        def counting(page: Sequence[dict[str, Any]]) -> frozenset[int]:
            shown = Submission.objects.filter(pk__in={row["submission"] for row in page}).values("algorithm")
            return effective_run_ids(visible_submissions(request.user, collection).filter(algorithm__in=shown))

        scores = ScoreList(collection, request.user, wanted)
        return paged(scores.answers, ScoreRow, request, scores.rows, ScorePagination(scores), counting=counting)


def _score_query(collection: Collection, chosen: Mapping[str, Any]) -> ScoreQuery:
    """Return the filters as a query; raise InputError if the collection has no such query."""
    answers: dict[str, Any] = {}
    if "query" in chosen:
        problems = ProblemList()
        answers["query__in"] = queries_named(collection, [chosen["query"]], "query", problems)
        problems.refuse_errors()
    scores = {name: chosen[name] for name in ("level", "depth") if name in chosen}
    if "measure" in chosen:
        scores["measure__in"] = [REGISTRY.key_of(one) for one in split_measures(chosen["measure"])]
    if chosen["undefined"] is not None:
        scores["value__isnull"] = chosen["undefined"]
    runs = {column: chosen[name] for name, column in RUN_FILTERS.items() if name in chosen}
    if "algorithm" in chosen:
        runs[RUN_FILTERS["algorithm"]] = comparison_key(chosen["algorithm"])
    return ScoreQuery(runs, answers, scores)

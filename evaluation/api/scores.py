"""Every score of a collection with its provenance, filtered by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from annotations.collections.selectors import queries_named
from annotations.models import Collection
from common.api.pagination import ListOptions, ListPagination, paged
from common.api.schema import listing
from common.limits import LARGEST_ID, LARGEST_VERSION, PAGE_ROWS
from evaluation.access import visible_submissions
from evaluation.api.choices import MEASURES
from evaluation.api.score_serializers import ScoreRow
from evaluation.models import Submission
from evaluation.selectors.latest import counting_runs
from evaluation.selectors.score_list import ANSWERS_READ, ScoreList, Wanted
from qc4.measures.parameters import split_measures
from qc4.measures.registry import REGISTRY
from qc4.problems import ProblemList
from qc4.text import comparison_key


class ScoreFilter(ListOptions):
    """Which scores to list. Only these names filter: none of them reaches the database as a field name."""

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
        help_text="Where nested clusters are cut for it, 1 for the outermost; 0 for scores for which nothing is cut.",
    )
    gold = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_VERSION)
    undefined = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Only scores without a value, or only those with one."
    )


OF_RUNS = {
    "algorithm": "submission__algorithm__name__iexact",
    "submission": "submission",
    "run": "pk",
    "gold": "gold_version__number",
}


class ScorePagination(ListPagination):
    """Pages of the queries of runs, as many as have a page of scores together.

    No index has millions of scores in the order of the list. One has the queries of runs in their order, and each of
    these has a few dozen scores.
    """

    def __init__(self, scores: ScoreList) -> None:
        self.scores = scores

    def get_page_size(self, request: Request) -> int:
        self.n_scores = super().get_page_size(request) or PAGE_ROWS
        return min(self.n_scores, ANSWERS_READ)

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
        """Every score you may see, each a value or the reason why there is none, with its provenance.

        All scores of a run's query stand on one page, which may be longer for it. Where few fit the options a page may
        be short or empty: there are more as long as there is a `next`.
        """
        collection = get_collection(request.user, slug)
        wanted = _wanted(collection, ScoreFilter.of(request.query_params))

        def counting(page: Sequence[dict[str, Any]]) -> frozenset[int]:
            shown = Submission.objects.filter(pk__in={row["submission"] for row in page}).values("algorithm")
            return counting_runs(visible_submissions(request.user, collection).filter(algorithm__in=shown))

        scores = ScoreList(collection, request.user, wanted)
        return paged(scores.answers, ScoreRow, request, scores.rows, ScorePagination(scores), counting=counting)


def _wanted(collection: Collection, chosen: Mapping[str, Any]) -> Wanted:
    """InputError: the collection has no such query."""
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
    runs = {column: chosen[name] for name, column in OF_RUNS.items() if name in chosen}
    if "algorithm" in chosen:
        runs[OF_RUNS["algorithm"]] = comparison_key(chosen["algorithm"])
    return Wanted(runs, answers, scores)

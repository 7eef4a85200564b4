"""URLs of the pages and API endpoints that compare algorithms."""

from __future__ import annotations

from common.routes import Cost, Help, endpoint, page
from evaluation.boards.compare import api as compare_api
from evaluation.boards.compare import views as compare
from evaluation.boards.gold_ranks import api as gold_ranks_api
from evaluation.boards.gold_ranks import views as gold_ranks
from evaluation.boards.heat_map import api as heat_map_api
from evaluation.boards.heat_map import views as heat_map
from evaluation.boards.leaderboard import api as leaderboard_api
from evaluation.boards.leaderboard import views as leaderboard
from evaluation.boards.measure_agreement import api as measure_agreement_api
from evaluation.boards.measure_agreement import views as measure_agreement
from evaluation.boards.robustness import api as robustness_api
from evaluation.boards.robustness import views as robustness
from evaluation.boards.topic_coverage import api as topic_coverage_api
from evaluation.boards.topic_coverage import views as topic_coverage
from evaluation.boards.trade_off import api as trade_off_api
from evaluation.boards.trade_off import views as trade_off

urlpatterns = [
    page(
        "c/<slug:slug>/gold/<int:number>/ranks/",
        gold_ranks.page,
        name="gold-ranks",
        help=Help("compare-page", "ranks-before-and-after", "How to read this page"),
        cost=Cost.ANSWERS,
    ),
    *gold_ranks.FILES.paths(),
    page(
        "c/<slug:slug>/leaderboard/",
        leaderboard.page,
        name="leaderboard",
        help=Help("leaderboard", "", "How to read the leaderboard"),
    ),
    *leaderboard.FILES.paths(),
    page(
        "c/<slug:slug>/compare/",
        compare.page,
        name="compare",
        help=Help("comparison", "", "How algorithms are compared"),
        cost=Cost.ANSWERS,
    ),
    *compare.FILES.paths(),
    page(
        "c/<slug:slug>/heat-map/",
        heat_map.page,
        name="heat-map",
        help=Help("charts", "heat-map", "How to read the heat map"),
        cost=Cost.COMPUTES,
    ),
    *heat_map.FILES.paths(),
    page(
        "c/<slug:slug>/measures/",
        measure_agreement.page,
        name="measures-compared",
        help=Help("compare-page", "measures-against-measures", "How to read this page"),
        cost=Cost.ANSWERS,
    ),
    *measure_agreement.FILES.paths(),
    page(
        "c/<slug:slug>/trade-off/",
        trade_off.page,
        name="trade-off",
        help=Help("charts", "quality-against-coverage", "How to read this chart"),
        cost=Cost.ANSWERS,
    ),
    *trade_off.FILES.paths(),
    page(
        "c/<slug:slug>/robustness/",
        robustness.page,
        name="robustness",
        help=Help("compare-page", "would-the-winner-change", "How to read this page"),
        cost=Cost.ANSWERS,
    ),
    *robustness.FILES.paths(),
    page(
        "c/<slug:slug>/topics/",
        topic_coverage.page,
        name="topic-coverage",
        help=Help("compare-page", "topic-coverage", "How to read this page"),
        cost=Cost.ANSWERS,
    ),
    *topic_coverage.FILES.paths(),
]

api_of_collection = [
    endpoint(
        "gold-versions/<int:number>/ranks", gold_ranks_api.GoldRanksView.as_view(), name="gold-ranks", cost=Cost.ANSWERS
    ),
    endpoint(
        "measures", measure_agreement_api.MeasuresComparedView.as_view(), name="measures-compared", cost=Cost.ANSWERS
    ),
    endpoint("robustness", robustness_api.RobustnessView.as_view(), name="robustness", cost=Cost.ANSWERS),
    endpoint("topics", topic_coverage_api.TopicCoverageView.as_view(), name="topic-coverage", cost=Cost.ANSWERS),
    endpoint("leaderboard", leaderboard_api.LeaderboardView.as_view(), name="leaderboard"),
    endpoint("compare", compare_api.CompareView.as_view(), name="compare", cost=Cost.ANSWERS),
    endpoint("heat-map", heat_map_api.HeatMapView.as_view(), name="heat-map", cost=Cost.COMPUTES),
    endpoint("trade-off", trade_off_api.TradeOffView.as_view(), name="trade-off", cost=Cost.ANSWERS),
]

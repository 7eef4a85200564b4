"""URLs of pages that compare algorithms."""

from __future__ import annotations

from django.urls import path

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
    path("c/<slug:slug>/gold/<int:number>/ranks/", gold_ranks.page, name="gold-ranks"),
    *gold_ranks.FILES.paths(),
    path("c/<slug:slug>/leaderboard/", leaderboard.page, name="leaderboard"),
    *leaderboard.FILES.paths(),
    path("c/<slug:slug>/compare/", compare.page, name="compare"),
    *compare.FILES.paths(),
    path("c/<slug:slug>/heat-map/", heat_map.page, name="heat-map"),
    *heat_map.FILES.paths(),
    path("c/<slug:slug>/measures/", measure_agreement.page, name="measures-compared"),
    *measure_agreement.FILES.paths(),
    path("c/<slug:slug>/trade-off/", trade_off.page, name="trade-off"),
    *trade_off.FILES.paths(),
    path("c/<slug:slug>/robustness/", robustness.page, name="robustness"),
    *robustness.FILES.paths(),
    path("c/<slug:slug>/topics/", topic_coverage.page, name="topic-coverage"),
    *topic_coverage.FILES.paths(),
]

api_of_collection = [
    path("gold-versions/<int:number>/ranks", gold_ranks_api.GoldRanksView.as_view(), name="gold-ranks"),
    path("measures", measure_agreement_api.MeasuresComparedView.as_view(), name="measures-compared"),
    path("robustness", robustness_api.RobustnessView.as_view(), name="robustness"),
    path("topics", topic_coverage_api.TopicCoverageView.as_view(), name="topic-coverage"),
    path("leaderboard", leaderboard_api.LeaderboardView.as_view(), name="leaderboard"),
    path("compare", compare_api.CompareView.as_view(), name="compare"),
    path("heat-map", heat_map_api.HeatMapView.as_view(), name="heat-map"),
    path("trade-off", trade_off_api.TradeOffView.as_view(), name="trade-off"),
]

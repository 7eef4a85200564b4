"""URLs of explanations of a score."""

from __future__ import annotations

from common.routes import Cost, Help, endpoint, page
from evaluation.explanations import api, views

urlpatterns = [
    page(
        "submissions/<int:pk>/why/<key:key>/",
        views.why,
        name="why",
        help=Help("why", "", "How to read this page"),
        cost=Cost.ANSWERS,
    ),
]

api_urlpatterns = [
    endpoint(
        "submissions/<int:pk>/queries/<key:key>", api.ClusteringView.as_view(), name="clustering", cost=Cost.COMPUTES
    ),
    endpoint(
        "submissions/<int:pk>/queries/<key:key>/explain", api.ExplainView.as_view(), name="explain", cost=Cost.ANSWERS
    ),
    endpoint(
        "submissions/<int:pk>/queries/<key:key>/what-if", api.WhatIfView.as_view(), name="what-if", cost=Cost.ANSWERS
    ),
    endpoint(
        "submissions/<int:pk>/queries/<key:key>/chance", api.ChanceView.as_view(), name="chance", cost=Cost.ANSWERS
    ),
    endpoint(
        "submissions/<int:pk>/queries/<key:key>/alike", api.SimilarityView.as_view(), name="alike", cost=Cost.ANSWERS
    ),
    endpoint(
        "submissions/<int:pk>/queries/<key:key>/matrix", api.MatrixView.as_view(), name="matrix", cost=Cost.ANSWERS
    ),
]

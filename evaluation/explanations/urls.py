"""URLs of explanations of a score."""

from __future__ import annotations

from django.urls import path

from evaluation.explanations import api, views

urlpatterns = [
    path("submissions/<int:pk>/why/<key:key>/", views.why, name="why"),
]

api_urlpatterns = [
    path("submissions/<int:pk>/queries/<key:key>", api.ClusteringView.as_view(), name="clustering"),
    path("submissions/<int:pk>/queries/<key:key>/explain", api.ExplainView.as_view(), name="explain"),
    path("submissions/<int:pk>/queries/<key:key>/what-if", api.WhatIfView.as_view(), name="what-if"),
    path("submissions/<int:pk>/queries/<key:key>/chance", api.ChanceView.as_view(), name="chance"),
    path("submissions/<int:pk>/queries/<key:key>/alike", api.AlikeView.as_view(), name="alike"),
    path("submissions/<int:pk>/queries/<key:key>/matrix", api.MatrixView.as_view(), name="matrix"),
]

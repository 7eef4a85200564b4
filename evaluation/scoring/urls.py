"""URLs of scores."""

from __future__ import annotations

from django.urls import path

from evaluation.scoring import api, views

urlpatterns = [
    path("c/<slug:slug>/score/", views.score_all, name="score"),
    path("c/<slug:slug>/score/progress/", views.progress, name="score-progress"),
    path("submissions/<int:pk>/score/", views.score_submission, name="submission-score"),
]

api_urlpatterns = [
    path("submissions/<int:pk>/evaluations", api.SubmissionEvaluationsView.as_view(), name="submission-evaluations"),
]

api_of_collection = [
    path("evaluations", api.EvaluationsView.as_view(), name="evaluations"),
    path("scores", api.ScoresView.as_view(), name="scores"),
]

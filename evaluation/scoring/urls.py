"""URLs of scores."""

from __future__ import annotations

from accounts.scopes import Scope
from common.routes import Cost, endpoint, page
from evaluation.scoring import api, views

urlpatterns = [
    page("c/<slug:slug>/score/", views.score_all, name="score"),
    page("c/<slug:slug>/score/progress/", views.progress, name="score-progress"),
    page("submissions/<int:pk>/score/", views.score_submission, name="submission-score"),
]

api_urlpatterns = [
    endpoint(
        "submissions/<int:pk>/evaluations",
        api.SubmissionEvaluationsView.as_view(),
        name="submission-evaluations",
        scope=Scope.SUBMIT,
    ),
]

api_of_collection = [
    endpoint("evaluations", api.EvaluationsView.as_view(), name="evaluations", scope=Scope.SUBMIT),
    endpoint("scores", api.ScoresView.as_view(), name="scores", cost=Cost.COMPUTES),
]

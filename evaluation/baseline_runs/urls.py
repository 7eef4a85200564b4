"""URLs of runs of the built-in baselines."""

from __future__ import annotations

from accounts.scopes import Scope
from common.routes import endpoint, page
from evaluation.baseline_runs import api, views

urlpatterns = [
    page("c/<slug:slug>/baselines/", views.run_baselines, name="baselines"),
]

api_of_collection = [
    endpoint("baselines", api.BaselinesView.as_view(), name="baselines", scope=Scope.SUBMIT),
]

"""URLs of runs of the built-in baselines."""

from __future__ import annotations

from django.urls import path

from evaluation.baseline_runs import api, views

urlpatterns = [
    path("c/<slug:slug>/baselines/", views.run_baselines, name="baselines"),
]

api_of_collection = [
    path("baselines", api.BaselinesView.as_view(), name="baselines"),
]

"""URLs of model selection."""

from __future__ import annotations

from django.urls import path

from evaluation.selection import api, views

urlpatterns = [
    path("c/<slug:slug>/model-selection/", views.page, name="model-selection"),
    *views.FILES.paths(),
    path("c/<slug:slug>/sweeps/", views.run_sweep, name="sweeps"),
]

api_of_collection = [
    path("sweeps", api.SweepsView.as_view(), name="sweeps"),
    path("model-selection", api.ModelSelectionView.as_view(), name="model-selection"),
]

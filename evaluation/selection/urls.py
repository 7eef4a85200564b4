"""URLs of model selection."""

from __future__ import annotations

from accounts.scopes import Scope
from common.routes import Cost, Help, endpoint, page
from evaluation.selection import api, views

urlpatterns = [
    page(
        "c/<slug:slug>/model-selection/",
        views.page,
        name="model-selection",
        help=Help("model-selection", "on-the-site", "How to select a model"),
        cost=Cost.ANSWERS,
    ),
    *views.FILES.paths(),
    page("c/<slug:slug>/sweeps/", views.run_sweep, name="sweeps"),
]

api_of_collection = [
    endpoint("sweeps", api.SweepsView.as_view(), name="sweeps", scope=Scope.SUBMIT),
    endpoint("model-selection", api.ModelSelectionView.as_view(), name="model-selection", cost=Cost.ANSWERS),
]

"""URLs of runs."""

from __future__ import annotations

from accounts.scopes import Scope
from common.routes import Help, endpoint, page
from evaluation.runs import api, views

_RUNS = Help("first-steps", "runs", "What a run is")

urlpatterns = [
    page("runs/", views.index, name="runs", help=_RUNS),
    page("runs/<int:pk>/", views.run, name="run", help=_RUNS),
    page("runs/<int:pk>/live/", views.live, name="run-live"),
    page("runs/<int:pk>/cancel/", views.cancel, name="run-cancel"),
    page("runs/<int:pk>/rerun/", views.rerun, name="run-rerun"),
]

api_urlpatterns = [
    endpoint("runs", api.RunsView.as_view(), name="runs"),
    endpoint("runs/<int:pk>", api.RunView.as_view(), name="run"),
    endpoint("runs/<int:pk>/events", api.RunEventsView.as_view(), name="run-events"),
    endpoint("runs/<int:pk>/cancel", api.CancelView.as_view(), name="run-cancel", scope=Scope.SUBMIT),
    endpoint("runs/<int:pk>/rerun", api.RerunView.as_view(), name="run-rerun", scope=Scope.SUBMIT),
]

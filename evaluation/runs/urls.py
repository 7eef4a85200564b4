"""URLs of runs."""

from __future__ import annotations

from django.urls import path

from evaluation.runs import api, views

urlpatterns = [
    path("runs/", views.index, name="runs"),
    path("runs/<int:pk>/", views.run, name="run"),
    path("runs/<int:pk>/live/", views.live, name="run-live"),
    path("runs/<int:pk>/cancel/", views.cancel, name="run-cancel"),
    path("runs/<int:pk>/rerun/", views.rerun, name="run-rerun"),
]

api_urlpatterns = [
    path("runs", api.RunsView.as_view(), name="runs"),
    path("runs/<int:pk>", api.RunView.as_view(), name="run"),
    path("runs/<int:pk>/events", api.RunEventsView.as_view(), name="run-events"),
    path("runs/<int:pk>/cancel", api.CancelView.as_view(), name="run-cancel"),
    path("runs/<int:pk>/rerun", api.RerunView.as_view(), name="run-rerun"),
]

"""URLs of assignments and the team."""

from __future__ import annotations

from django.urls import path

from annotations.team import api, views

urlpatterns = [
    path("c/<slug:slug>/curate/", views.curate, name="curate"),
    path("c/<slug:slug>/curate/team/", views.team, name="team"),
    path("c/<slug:slug>/curate/assign/", views.assign, name="assign"),
]

api_of_collection = [
    path("assignments", api.AssignmentsView.as_view(), name="assignments"),
    path("team", api.TeamView.as_view(), name="team"),
    path("team/dependent", api.DependentPairsView.as_view(), name="dependent-pairs"),
    path("curation", api.CurationView.as_view(), name="curation"),
]

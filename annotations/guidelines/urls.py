"""URLs of guidelines."""

from __future__ import annotations

from django.urls import path

from annotations.guidelines import api, views

urlpatterns = [
    path("c/<slug:slug>/guidelines/", views.read, name="guidelines"),
    path("c/<slug:slug>/guidelines/edit/", views.write, name="guidelines-edit"),
]

api_of_collection = [
    path("guidelines", api.GuidelinesView.as_view(), name="guidelines"),
    path("guidelines/changes", api.GuidelinesChangesView.as_view(), name="guidelines-changes"),
]

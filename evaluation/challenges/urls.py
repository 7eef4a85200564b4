"""URLs of challenges."""

from __future__ import annotations

from django.urls import path

from evaluation.challenges import api, views

urlpatterns = [
    path("c/<slug:slug>/challenge/", views.page, name="challenge"),
    *views.FILES.paths(),
    path("c/<slug:slug>/settings/challenge/", views.edit, name="challenge-settings"),
    path("c/<slug:slug>/settings/challenge/remove/", views.remove, name="challenge-remove"),
]

api_of_collection = [
    path("challenge", api.ChallengeView.as_view(), name="challenge"),
]

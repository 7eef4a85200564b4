"""URLs of gold versions."""

from __future__ import annotations

from django.urls import path

from evaluation.gold import api, views

urlpatterns = [
    path("c/<slug:slug>/gold/", views.publish, name="gold-publish"),
    path("c/<slug:slug>/gold/<int:number>/changes/", views.changes, name="gold-changes"),
]

api_of_collection = [
    path("gold-versions", api.GoldVersionsView.as_view(), name="gold-versions"),
]

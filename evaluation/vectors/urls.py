"""URLs of vectors of pages."""

from __future__ import annotations

from django.urls import path

from evaluation.vectors import api, views

urlpatterns = [
    path("c/<slug:slug>/vectors/", views.upload, name="vectors-upload"),
    path("c/<slug:slug>/vectors/from-text/", views.from_text, name="vectors-from-text"),
]

api_of_collection = [
    path("queries/<key:key>/vectors", api.QueryVectorsView.as_view(), name="query-vectors"),
    path("vectors", api.VectorsView.as_view(), name="vectors"),
    path("vectors/from-text", api.TextVectorsView.as_view(), name="vectors-from-text"),
]

"""URLs of the import of a collection."""

from __future__ import annotations

from django.urls import path

from evaluation.imports import views

urlpatterns = [
    path("new/", views.import_collection, name="import"),
]

"""Addresses of the documentation."""

from __future__ import annotations

from django.urls import path

from documentation import views

urlpatterns = [
    path("docs/", views.index, name="docs"),
    path("docs/search/", views.search, name="docs-search"),
    path("docs/examples/<str:name>", views.example, name="docs-example"),
    path("docs/<str:name>/", views.document, name="document"),
]

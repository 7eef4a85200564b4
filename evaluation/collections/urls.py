"""URLs of collections and queries."""

from __future__ import annotations

from django.urls import path

from evaluation.collections import api, query_views, views

urlpatterns = [
    path("", views.collections, name="collections"),
    path("c/<slug:slug>/", views.collection, name="collection"),
    path("c/<slug:slug>/q/<key:key>/", query_views.query, name="query"),
    path("c/<slug:slug>/q/<key:key>/scores/", query_views.scores, name="query-scores"),
    path("c/<slug:slug>/gold/<int:number>/", query_views.gold_download, name="gold-download"),
    path("c/<slug:slug>/settings/", views.edit, name="collection-settings"),
    path("c/<slug:slug>/delete/", views.delete, name="collection-delete"),
]

api_urlpatterns = [
    path("collections", api.CollectionsView.as_view(), name="collections"),
]

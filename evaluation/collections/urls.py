"""URLs of collections and queries."""

from __future__ import annotations

from accounts.scopes import Scope
from common.body_sizes import ONE_FILE
from common.routes import Cost, Help, endpoint, page
from evaluation.collections import api, query_views, views

urlpatterns = [
    page("", views.collections, name="collections", help=Help("first-steps", "", "Your first ten minutes")),
    page(
        "c/<slug:slug>/",
        views.collection,
        name="collection",
        help=Help("first-steps", "what-a-collection-is", "What a collection is"),
    ),
    page(
        "c/<slug:slug>/q/<key:key>/",
        query_views.query,
        name="query",
        help=Help("formats", "gold-standards-qc4-gold1", "What a gold standard is"),
    ),
    page("c/<slug:slug>/q/<key:key>/scores/", query_views.scores, name="query-scores"),
    page("c/<slug:slug>/gold/<int:number>/", query_views.gold_download, name="gold-download", cost=Cost.COMPUTES),
    page(
        "c/<slug:slug>/settings/",
        views.edit,
        name="collection-settings",
        help=Help("collections", "people", "Who may do what"),
    ),
    page("c/<slug:slug>/delete/", views.delete, name="collection-delete"),
]

api_urlpatterns = [
    endpoint("collections", api.CollectionsView.as_view(), name="collections", scope=Scope.MANAGE, body=ONE_FILE),
]

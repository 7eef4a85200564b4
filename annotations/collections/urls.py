"""URLs of collections, their queries and their storage."""

from __future__ import annotations

from django.urls import path

from annotations.collections import api, views

urlpatterns = [
    path("account/storage/", views.storage, name="storage"),
]

api_urlpatterns = [
    path("collections/<slug:slug>", api.CollectionView.as_view(), name="collection"),
    path("storage", api.OwnStorageView.as_view(), name="own-storage"),
]

api_of_collection = [
    path("queries", api.QueriesView.as_view(), name="queries"),
    path("queries/<key:key>", api.QueryView.as_view(), name="query"),
    path("storage", api.CollectionStorageView.as_view(), name="collection-storage"),
]

"""URLs of collections, their queries and their storage."""

from __future__ import annotations

from accounts.scopes import Scope
from annotations.collections import api, views
from common.routes import Help, endpoint, page

urlpatterns = [
    page(
        "account/storage/",
        views.storage,
        name="storage",
        help=Help("account", "what-you-store", "What counts, and how much you can store"),
    ),
]

api_urlpatterns = [
    endpoint("collections/<slug:slug>", api.CollectionView.as_view(), name="collection", scope=Scope.MANAGE),
    endpoint("storage", api.OwnStorageView.as_view(), name="own-storage"),
]

api_of_collection = [
    endpoint("queries", api.QueriesView.as_view(), name="queries"),
    endpoint("queries/<key:key>", api.QueryView.as_view(), name="query"),
    endpoint("storage", api.CollectionStorageView.as_view(), name="collection-storage"),
]

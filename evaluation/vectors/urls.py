"""URLs of vectors of pages."""

from __future__ import annotations

from accounts.scopes import Scope
from common.body_sizes import ONE_FILE
from common.routes import endpoint, page
from evaluation.vectors import api, views

urlpatterns = [
    page("c/<slug:slug>/vectors/", views.upload, name="vectors-upload", body=ONE_FILE),
    page("c/<slug:slug>/vectors/from-text/", views.from_text, name="vectors-from-text"),
]

api_of_collection = [
    endpoint(
        "queries/<key:key>/vectors",
        api.QueryVectorsView.as_view(),
        name="query-vectors",
        scope=Scope.CURATE,
        body=ONE_FILE,
    ),
    endpoint("vectors", api.VectorsView.as_view(), name="vectors", scope=Scope.CURATE, body=ONE_FILE),
    endpoint("vectors/from-text", api.TextVectorsView.as_view(), name="vectors-from-text", scope=Scope.CURATE),
]

"""Addresses of the API, below ``/api/``. They end without a slash, the documentation aside."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, re_path

from accounts import urls as account_urls
from annotations import api_urls as annotation_urls
from common.routes import endpoint
from evaluation import api_urls as evaluation
from qc4site.api import root as api_root
from qc4site.errors import api as errors

app_name = "api"

in_collection = [
    *annotation_urls.api_of_collection,
    *evaluation.api_of_collection,
]

of_draft = [
    *annotation_urls.api_of_draft,
    *evaluation.api_of_draft,
]

version_1: list[URLPattern | URLResolver] = [
    *evaluation.api_urlpatterns,
    endpoint("", api_root.RootView.as_view(), name="root"),
    endpoint("schema", api_root.SchemaView.as_view(), name="schema"),
    endpoint(
        "docs/",
        api_root.DocsView.as_view(),
        name="docs",
        help="it is documentation, and leads to the page about programs by itself",
    ),
    path("collections/<slug:slug>/", include(in_collection)),
    *annotation_urls.api_urlpatterns,
    *account_urls.api_urlpatterns,
    path("drafts/<int:pk>/", include(of_draft)),
]

urlpatterns = [
    path("v1/", include(version_1)),
    re_path(r"^(?P<rest>.*)$", errors.unknown_address, name="unknown"),
]

"""Addresses of the documentation."""

from __future__ import annotations

from common.routes import page
from documentation import views

urlpatterns = [
    page("docs/", views.index, name="docs", help="it is the documentation"),
    page("docs/search/", views.search, name="docs-search", help="it is the documentation"),
    page("docs/examples/<str:name>", views.example, name="docs-example"),
    page("docs/<str:name>/", views.document, name="document", help="it is the documentation"),
]

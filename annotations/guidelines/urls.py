"""URLs of guidelines."""

from __future__ import annotations

from accounts.scopes import Scope
from annotations.guidelines import api, views
from common.routes import Help, endpoint, page

_GUIDELINES = Help("curation", "guidelines", "What guidelines are for")

urlpatterns = [
    page("c/<slug:slug>/guidelines/", views.read, name="guidelines", help=_GUIDELINES),
    page("c/<slug:slug>/guidelines/edit/", views.write, name="guidelines-edit", help=_GUIDELINES),
]

api_of_collection = [
    endpoint("guidelines", api.GuidelinesView.as_view(), name="guidelines"),
    endpoint("guidelines/changes", api.GuidelinesChangesView.as_view(), name="guidelines-changes", scope=Scope.CURATE),
]

"""URLs of gold versions."""

from __future__ import annotations

from accounts.scopes import Scope
from common.body_sizes import ONE_FILE, SEVERAL_FILES
from common.routes import Cost, Help, endpoint, page
from evaluation.gold import api, views

_RULES_AND_PUBLISHING = Help("curation", "rules-and-publishing", "How publishing works")

urlpatterns = [
    page("c/<slug:slug>/gold/", views.publish, name="gold-publish", help=_RULES_AND_PUBLISHING, body=SEVERAL_FILES),
    page(
        "c/<slug:slug>/gold/<int:number>/changes/",
        views.changes,
        name="gold-changes",
        help=_RULES_AND_PUBLISHING,
        cost=Cost.COMPUTES,
    ),
]

api_of_collection = [
    endpoint("gold-versions", api.GoldVersionsView.as_view(), name="gold-versions", scope=Scope.CURATE, body=ONE_FILE),
]

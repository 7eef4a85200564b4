"""URLs of assignments and the team."""

from __future__ import annotations

from accounts.scopes import Scope
from annotations.team import api, views
from common.body_sizes import LARGE_JSON
from common.routes import Help, endpoint, page

urlpatterns = [
    page(
        "c/<slug:slug>/curate/", views.curate, name="curate", help=Help("curation", "", "How to build gold standards")
    ),
    page(
        "c/<slug:slug>/curate/team/",
        views.team,
        name="team",
        help=Help("curation", "the-team", "What these figures mean"),
    ),
    page("c/<slug:slug>/curate/assign/", views.assign, name="assign", body=LARGE_JSON),
]

api_of_collection = [
    endpoint("assignments", api.AssignmentsView.as_view(), name="assignments", scope=Scope.CURATE, body=LARGE_JSON),
    endpoint("team", api.TeamView.as_view(), name="team"),
    endpoint("team/dependent", api.DependentPairsView.as_view(), name="dependent-pairs"),
    endpoint("curation", api.CurationView.as_view(), name="curation"),
]

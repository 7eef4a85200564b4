"""URLs of adjudications."""

from __future__ import annotations

from accounts.scopes import Scope
from annotations.adjudication import api, views
from common.body_sizes import LARGE_JSON
from common.routes import Cost, Help, endpoint, page

urlpatterns = [
    page("c/<slug:slug>/q/<key:key>/agreement/adjudicate/", views.start, name="adjudication-start"),
    page(
        "drafts/<int:pk>/adjudicate/",
        views.adjudicate,
        name="adjudicate",
        help=Help("adjudicate", "", "How to adjudicate"),
        cost=Cost.COMPUTES_IN_BACKGROUND,
    ),
]

api_urlpatterns = [
    endpoint(
        "drafts/<int:pk>/adjudication",
        api.AdjudicationView.as_view(),
        name="draft-adjudication",
        cost=Cost.COMPUTES_IN_BACKGROUND,
    ),
    endpoint("drafts/<int:pk>/decisions", api.DecisionsView.as_view(), name="draft-decisions", scope=Scope.CURATE),
    endpoint(
        "drafts/<int:pk>/decisions/several",
        api.SeveralDecisionsView.as_view(),
        name="draft-decisions-several",
        scope=Scope.CURATE,
        body=LARGE_JSON,
    ),
    endpoint(
        "drafts/<int:pk>/decisions/proposals",
        api.ProposalsView.as_view(),
        name="draft-decisions-proposals",
        scope=Scope.CURATE,
    ),
    endpoint(
        "drafts/<int:pk>/decisions/undo", api.TakeBackView.as_view(), name="draft-decisions-undo", scope=Scope.CURATE
    ),
    endpoint(
        "drafts/<int:pk>/decisions/redo", api.DoAgainView.as_view(), name="draft-decisions-redo", scope=Scope.CURATE
    ),
]

api_of_collection = [
    endpoint(
        "queries/<key:key>/adjudications", api.AdjudicationsView.as_view(), name="adjudications", scope=Scope.CURATE
    ),
]

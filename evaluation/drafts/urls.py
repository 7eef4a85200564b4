"""URLs of drafts."""

from __future__ import annotations

from accounts.scopes import Scope
from common.body_sizes import ONE_FILE
from common.routes import Cost, Help, endpoint, page
from evaluation.drafts import api, views

urlpatterns = [
    page(
        "c/<slug:slug>/q/<key:key>/drafts/",
        views.drafts_of_query,
        name="drafts",
        help=Help("curation", "drafts", "How drafts work"),
        body=ONE_FILE,
    ),
    page(
        "drafts/<int:pk>/publish/",
        views.publish,
        name="draft-publish",
        help=Help("curation", "rules-and-publishing", "How publishing works"),
        cost=Cost.COMPUTES,
    ),
]

api_of_collection = [
    endpoint(
        "queries/<key:key>/drafts/from-clustering",
        api.FromClusteringView.as_view(),
        name="drafts-from-clustering",
        scope=Scope.CURATE,
    ),
]

api_of_draft = [
    endpoint("publish", api.PublishDraftView.as_view(), name="draft-publish", scope=Scope.CURATE, cost=Cost.COMPUTES),
]

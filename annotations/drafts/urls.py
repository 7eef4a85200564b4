"""URLs of drafts."""

from __future__ import annotations

from accounts.scopes import Scope
from annotations.drafts import api, views
from common.body_sizes import ONE_DOCUMENT
from common.routes import endpoint, page

urlpatterns = [
    page("c/<slug:slug>/q/<key:key>/drafts/start/", views.start, name="draft-start"),
    page("drafts/<int:pk>/submit/", views.submit, name="draft-submit"),
    page("drafts/<int:pk>/reopen/", views.reopen, name="draft-reopen"),
    page("drafts/<int:pk>/archive/", views.archive, name="draft-archive"),
    page("drafts/<int:pk>/restore/", views.restore, name="draft-restore"),
]

api_of_collection = [
    endpoint(
        "queries/<key:key>/drafts", api.DraftsView.as_view(), name="drafts", scope=Scope.CURATE, body=ONE_DOCUMENT
    ),
]

api_of_draft = [
    endpoint("restore", api.RestoreView.as_view(), name="draft-restore", scope=Scope.CURATE),
    endpoint("submit", api.SubmitView.as_view(), name="draft-submit", scope=Scope.CURATE),
    endpoint("reopen", api.ReopenView.as_view(), name="draft-reopen", scope=Scope.CURATE),
]

"""URLs of the workspace."""

from __future__ import annotations

from accounts.scopes import Scope
from annotations.workspace import api, views
from common.body_sizes import LARGE_JSON
from common.routes import Cost, Help, endpoint, page

urlpatterns = [
    page("drafts/<int:pk>/", views.draft, name="draft", help=Help("annotate", "the-workspace", "How to work here")),
]

api_urlpatterns = [
    endpoint("drafts/<int:pk>", api.DraftView.as_view(), name="draft", scope=Scope.CURATE),
]

api_of_draft = [
    endpoint("operations", api.OperationsView.as_view(), name="draft-operations", scope=Scope.CURATE, body=LARGE_JSON),
    endpoint("changes", api.ChangesView.as_view(), name="draft-changes"),
    endpoint("presence", api.PresenceView.as_view(), name="draft-presence", scope=Scope.CURATE),
    endpoint("page", api.PageView.as_view(), name="draft-page"),
    endpoint("losses", api.LossesView.as_view(), name="draft-losses", scope=Scope.CURATE),
    endpoint("pages", api.PagesView.as_view(), name="draft-pages"),
    endpoint("history", api.HistoryView.as_view(), name="draft-history"),
    endpoint("document", api.DocumentView.as_view(), name="draft-document", cost=Cost.COMPUTES),
    endpoint("check", api.CheckView.as_view(), name="draft-check"),
    endpoint("predictions", api.PredictionsView.as_view(), name="draft-predictions", cost=Cost.COMPUTES_IN_BACKGROUND),
    endpoint("groups", api.GroupsView.as_view(), name="draft-groups", cost=Cost.COMPUTES_IN_BACKGROUND),
    endpoint(
        "suggestions",
        api.SuggestionsView.as_view(),
        name="draft-suggestions",
        scope=Scope.CURATE,
        cost=Cost.COMPUTES_IN_BACKGROUND,
    ),
]

"""URLs of the workspace."""

from __future__ import annotations

from django.urls import path

from annotations.workspace import api, views

urlpatterns = [
    path("drafts/<int:pk>/", views.draft, name="draft"),
]

api_urlpatterns = [
    path("drafts/<int:pk>", api.DraftView.as_view(), name="draft"),
]

api_of_draft = [
    path("operations", api.OperationsView.as_view(), name="draft-operations"),
    path("changes", api.ChangesView.as_view(), name="draft-changes"),
    path("presence", api.PresenceView.as_view(), name="draft-presence"),
    path("page", api.PageView.as_view(), name="draft-page"),
    path("losses", api.LossesView.as_view(), name="draft-losses"),
    path("pages", api.PagesView.as_view(), name="draft-pages"),
    path("history", api.HistoryView.as_view(), name="draft-history"),
    path("document", api.DocumentView.as_view(), name="draft-document"),
    path("check", api.CheckView.as_view(), name="draft-check"),
    path("predictions", api.PredictionsView.as_view(), name="draft-predictions"),
    path("groups", api.GroupsView.as_view(), name="draft-groups"),
    path("suggestions", api.SuggestionsView.as_view(), name="draft-suggestions"),
]

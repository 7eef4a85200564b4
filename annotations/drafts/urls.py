"""URLs of drafts."""

from __future__ import annotations

from django.urls import path

from annotations.drafts import api, views

urlpatterns = [
    path("c/<slug:slug>/q/<key:key>/drafts/start/", views.start, name="draft-start"),
    path("drafts/<int:pk>/submit/", views.submit, name="draft-submit"),
    path("drafts/<int:pk>/reopen/", views.reopen, name="draft-reopen"),
    path("drafts/<int:pk>/archive/", views.archive, name="draft-archive"),
    path("drafts/<int:pk>/restore/", views.restore, name="draft-restore"),
]

api_of_collection = [
    path("queries/<key:key>/drafts", api.DraftsView.as_view(), name="drafts"),
]

api_of_draft = [
    path("restore", api.RestoreView.as_view(), name="draft-restore"),
    path("submit", api.SubmitView.as_view(), name="draft-submit"),
    path("reopen", api.ReopenView.as_view(), name="draft-reopen"),
]

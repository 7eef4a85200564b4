"""URLs of drafts."""

from __future__ import annotations

from django.urls import path

from evaluation.drafts import api, views

urlpatterns = [
    path("c/<slug:slug>/q/<key:key>/drafts/", views.drafts_of_query, name="drafts"),
    path("drafts/<int:pk>/publish/", views.publish, name="draft-publish"),
]

api_of_collection = [
    path(
        "queries/<key:key>/drafts/from-clustering",
        api.FromClusteringView.as_view(),
        name="drafts-from-clustering",
    ),
]

api_of_draft = [
    path("publish", api.PublishDraftView.as_view(), name="draft-publish"),
]

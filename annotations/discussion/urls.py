"""URLs of comments."""

from __future__ import annotations

from django.urls import path

from annotations.discussion import api, views

urlpatterns = [
    path("comments/", views.comments, name="comments"),
]

api_urlpatterns = [
    path("threads", api.OwnThreadsView.as_view(), name="own-threads"),
    path("threads/<int:pk>", api.ThreadView.as_view(), name="thread"),
    path("threads/<int:pk>/resolve", api.ResolveThreadView.as_view(), name="thread-resolve"),
    path("threads/<int:pk>/reopen", api.ReopenThreadView.as_view(), name="thread-reopen"),
    path("threads/<int:pk>/ask-lead", api.AskLeadView.as_view(), name="thread-ask-lead"),
    path("threads/<int:pk>/people", api.ThreadPeopleView.as_view(), name="thread-people"),
    path("threads/<int:pk>/read", api.ReadThreadView.as_view(), name="thread-read"),
    path("comments/<int:pk>", api.CommentView.as_view(), name="comment"),
]

api_of_draft = [
    path("threads", api.DraftThreadsView.as_view(), name="draft-threads"),
    path("people", api.DraftPeopleView.as_view(), name="draft-people"),
]

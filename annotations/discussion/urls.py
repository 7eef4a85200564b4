"""URLs of comments."""

from __future__ import annotations

from accounts.scopes import Scope
from annotations.discussion import api, views
from common.routes import Help, endpoint, page

urlpatterns = [
    page("comments/", views.comments, name="comments", help=Help("annotate", "comments", "How comments work")),
]

api_urlpatterns = [
    endpoint("threads", api.OwnThreadsView.as_view(), name="own-threads"),
    endpoint("threads/<int:pk>", api.ThreadView.as_view(), name="thread", scope=Scope.CURATE),
    endpoint("threads/<int:pk>/resolve", api.ResolveThreadView.as_view(), name="thread-resolve", scope=Scope.CURATE),
    endpoint("threads/<int:pk>/reopen", api.ReopenThreadView.as_view(), name="thread-reopen", scope=Scope.CURATE),
    endpoint("threads/<int:pk>/ask-lead", api.AskLeadView.as_view(), name="thread-ask-lead", scope=Scope.CURATE),
    endpoint("threads/<int:pk>/people", api.ThreadPeopleView.as_view(), name="thread-people"),
    endpoint("threads/<int:pk>/read", api.ReadThreadView.as_view(), name="thread-read", scope=Scope.CURATE),
    endpoint("comments/<int:pk>", api.CommentView.as_view(), name="comment", scope=Scope.CURATE),
]

api_of_draft = [
    endpoint("threads", api.DraftThreadsView.as_view(), name="draft-threads", scope=Scope.CURATE),
    endpoint("people", api.DraftPeopleView.as_view(), name="draft-people"),
]

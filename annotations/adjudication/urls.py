"""URLs of adjudications."""

from __future__ import annotations

from django.urls import path

from annotations.adjudication import api, views

urlpatterns = [
    path("c/<slug:slug>/q/<key:key>/agreement/adjudicate/", views.start, name="adjudication-start"),
    path("drafts/<int:pk>/adjudicate/", views.adjudicate, name="adjudicate"),
]

api_urlpatterns = [
    path("drafts/<int:pk>/adjudication", api.AdjudicationView.as_view(), name="draft-adjudication"),
    path("drafts/<int:pk>/decisions", api.DecisionsView.as_view(), name="draft-decisions"),
    path("drafts/<int:pk>/decisions/several", api.SeveralDecisionsView.as_view(), name="draft-decisions-several"),
    path("drafts/<int:pk>/decisions/proposals", api.ProposalsView.as_view(), name="draft-decisions-proposals"),
    path("drafts/<int:pk>/decisions/undo", api.TakeBackView.as_view(), name="draft-decisions-undo"),
    path("drafts/<int:pk>/decisions/redo", api.DoAgainView.as_view(), name="draft-decisions-redo"),
]

api_of_collection = [
    path("queries/<key:key>/adjudications", api.AdjudicationsView.as_view(), name="adjudications"),
]

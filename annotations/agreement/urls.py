"""URLs of the agreement of drafts."""

from __future__ import annotations

from django.urls import path

from annotations.agreement import api, views

urlpatterns = [
    path("c/<slug:slug>/q/<key:key>/agreement/", views.agreement, name="agreement"),
    *views.FILES.paths(),
]

api_of_collection = [
    path("queries/<key:key>/agreement", api.AgreementView.as_view(), name="agreement"),
    path("queries/<key:key>/agreement/all", api.AllAgreementView.as_view(), name="agreement-all"),
]

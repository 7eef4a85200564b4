"""URLs of the behaviour study."""

from __future__ import annotations

from django.urls import path

from evaluation.study import api, views

urlpatterns = [
    path("study/", views.study, name="study"),
    *views.FILES.paths(),
    path("study/<slug:group>/", views.group, name="study-group"),
    path("study/<slug:group>/<slug:case>/", views.case, name="study-case"),
]

api_urlpatterns = [
    path("study", api.StudyView.as_view(), name="study"),
]

"""URLs of algorithms."""

from __future__ import annotations

from django.urls import path

from evaluation.algorithms import api, views

urlpatterns = [
    path("algorithms/<int:pk>/", views.algorithm, name="algorithm"),
    path("algorithms/<int:pk>/edit/", views.edit, name="algorithm-edit"),
    path("algorithms/<int:pk>/counts/", views.counts, name="algorithm-counts"),
    path("algorithms/<int:pk>/merge/", views.merge, name="algorithm-merge"),
    path("algorithms/<int:pk>/delete/", views.delete, name="algorithm-delete"),
]

api_urlpatterns = [
    path("algorithms/<int:pk>", api.AlgorithmView.as_view(), name="algorithm"),
    path("algorithms/<int:pk>/merge", api.MergeView.as_view(), name="algorithm-merge"),
]

api_of_collection = [
    path("algorithms", api.AlgorithmsView.as_view(), name="algorithms"),
]

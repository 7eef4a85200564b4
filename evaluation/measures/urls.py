"""URLs of the catalogue of measures."""

from __future__ import annotations

from django.urls import path

from evaluation.measures import api, views

urlpatterns = [
    path("measures/", views.catalogue, name="measures"),
    path("measures/<str:key>/", views.measure, name="measure"),
    path("measures.bib", views.works, name="measures-bibtex"),
    path("CITATION.cff", views.citation, name="citation"),
]

api_urlpatterns = [
    path("measures", api.MeasuresView.as_view(), name="measures"),
    path("measures/<str:key>", api.MeasureView.as_view(), name="measure"),
]

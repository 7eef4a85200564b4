"""URLs of the catalogue of measures."""

from __future__ import annotations

from common.routes import Help, endpoint, page
from evaluation.measures import api, views

urlpatterns = [
    page("measures/", views.catalogue, name="measures", help=Help("policies", "", "What scoring options do")),
    page(
        "measures/<str:key>/",
        views.measure,
        name="measure",
        help=Help("command-line", "measures-with-parameters", "Measures with parameters"),
    ),
    page("measures.bib", views.works, name="measures-bibtex"),
    page("CITATION.cff", views.citation, name="citation"),
]

api_urlpatterns = [
    endpoint("measures", api.MeasuresView.as_view(), name="measures"),
    endpoint("measures/<str:key>", api.MeasureView.as_view(), name="measure"),
]

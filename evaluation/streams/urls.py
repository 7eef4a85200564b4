"""URLs of streams and clusterings of them."""

from __future__ import annotations

from django.urls import path

from evaluation.streams import api, views

urlpatterns = [
    path("c/<slug:slug>/streams/", views.index, name="streams"),
    path("c/<slug:slug>/streams/<key:key>/", views.stream, name="stream"),
    *views.FILES.paths(),
    path("c/<slug:slug>/streams/<key:key>/download/", views.download, name="stream-download"),
    path("c/<slug:slug>/streams/<key:key>/submit/", views.submit, name="stream-submit"),
    path("c/<slug:slug>/streams/<key:key>/baselines/", views.run_baselines, name="stream-baselines"),
    path("c/<slug:slug>/streams/<key:key>/delete/", views.delete, name="stream-delete"),
    path("stream-submissions/<int:pk>/", views.submission, name="stream-submission"),
    path(
        "stream-submissions/<int:pk>/download/",
        views.download_submission,
        name="stream-submission-download",
    ),
    path("stream-submissions/<int:pk>/measure/", views.measure, name="stream-submission-measure"),
]

api_urlpatterns = [
    path("stream-submissions/<int:pk>", api.StreamSubmissionView.as_view(), name="stream-submission"),
    path(
        "stream-submissions/<int:pk>/clusterings",
        api.StreamSubmissionFileView.as_view(),
        name="stream-submission-file",
    ),
    path(
        "stream-submissions/<int:pk>/measure",
        api.MeasureStreamSubmissionView.as_view(),
        name="stream-submission-measure",
    ),
    path(
        "stream-submissions/<int:pk>/publish",
        api.PublishStreamSubmissionView.as_view(),
        name="stream-submission-publish",
    ),
    path(
        "stream-submissions/<int:pk>/unpublish",
        api.UnpublishStreamSubmissionView.as_view(),
        name="stream-submission-unpublish",
    ),
]

api_of_collection = [
    path("streams", api.StreamsView.as_view(), name="streams"),
    path("streams/<key:key>", api.StreamView.as_view(), name="stream"),
    path("streams/<key:key>/series", api.StreamSeriesView.as_view(), name="stream-series"),
    path("streams/<key:key>/baselines", api.StreamBaselinesView.as_view(), name="stream-baselines"),
    path("streams/<key:key>/submissions", api.StreamSubmissionsView.as_view(), name="stream-submissions"),
]

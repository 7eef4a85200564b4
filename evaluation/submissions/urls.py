"""URLs of submissions."""

from __future__ import annotations

from django.urls import path

from evaluation.access import get_stream_submission, get_submission
from evaluation.submissions import api, views

OF_QUERIES, OF_STREAMS = {"get": get_submission}, {"get": get_stream_submission}

urlpatterns = [
    path("c/<slug:slug>/submit/", views.submit, name="submit"),
    path("c/<slug:slug>/pages.csv", views.pages_csv, name="pages-csv"),
    path("c/<slug:slug>/submit/example.jsonl", views.example_file, name="example-submission"),
    path("c/<slug:slug>/submit/reread/", views.reread, name="submit-reread"),
    path("c/<slug:slug>/submit/confirm/", views.confirm, name="submit-confirm"),
    path("stream-submissions/<int:pk>/publish/", views.publish, OF_STREAMS, name="stream-submission-publish"),
    path(
        "stream-submissions/<int:pk>/unpublish/",
        views.unpublish,
        OF_STREAMS,
        name="stream-submission-unpublish",
    ),
    path("stream-submissions/<int:pk>/delete/", views.delete, OF_STREAMS, name="stream-submission-delete"),
    path("submissions/", views.index, name="my-submissions"),
    path("submissions/delete/", views.delete_several, name="submissions-delete"),
    *views.FILES.paths(),
    path("submissions/<int:pk>/", views.submission, name="submission"),
    path("submissions/<int:pk>/compared/", views.compared, name="submission-compared"),
    path("submissions/<int:pk>/download/", views.download, name="submission-download"),
    path("submissions/<int:pk>/publish/", views.publish, OF_QUERIES, name="submission-publish"),
    path("submissions/<int:pk>/unpublish/", views.unpublish, OF_QUERIES, name="submission-unpublish"),
    path("submissions/<int:pk>/delete/", views.delete, OF_QUERIES, name="submission-delete"),
]

api_urlpatterns = [
    path("submissions/<int:pk>/scores.csv", api.WideScoresView.as_view(), name="submission-scores"),
    path("submissions/<int:pk>", api.SubmissionView.as_view(), name="submission"),
    path("submissions/<int:pk>/publish", api.PublishView.as_view(), name="submission-publish"),
    path("submissions/<int:pk>/unpublish", api.UnpublishView.as_view(), name="submission-unpublish"),
]

api_of_collection = [
    path("submissions", api.SubmissionsView.as_view(), name="submissions"),
    path("submissions/check", api.CheckView.as_view(), name="submission-check"),
]

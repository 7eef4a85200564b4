"""URLs of submissions."""

from __future__ import annotations

from accounts.scopes import Scope
from common.body_sizes import ONE_FILE
from common.routes import Cost, Help, endpoint, page
from evaluation.access import get_stream_submission, get_submission
from evaluation.submissions import api, views

OF_QUERIES, OF_STREAMS = {"get": get_submission}, {"get": get_stream_submission}

_DELETING_SUBMISSIONS = Help("algorithms", "deleting-submissions", "What is deleted with it")

urlpatterns = [
    page(
        "c/<slug:slug>/submit/",
        views.submit,
        name="submit",
        help=Help("formats", "submissions", "File formats, with examples"),
        body=ONE_FILE,
    ),
    page("c/<slug:slug>/pages.csv", views.pages_csv, name="pages-csv", cost=Cost.COMPUTES),
    page("c/<slug:slug>/submit/example.jsonl", views.example_file, name="example-submission", cost=Cost.COMPUTES),
    page("c/<slug:slug>/submit/reread/", views.reread, name="submit-reread"),
    page("c/<slug:slug>/submit/confirm/", views.confirm, name="submit-confirm"),
    page("stream-submissions/<int:pk>/publish/", views.publish, OF_STREAMS, name="stream-submission-publish"),
    page(
        "stream-submissions/<int:pk>/unpublish/",
        views.unpublish,
        OF_STREAMS,
        name="stream-submission-unpublish",
    ),
    page("stream-submissions/<int:pk>/delete/", views.delete, OF_STREAMS, name="stream-submission-delete"),
    page("submissions/", views.index, name="my-submissions", help=_DELETING_SUBMISSIONS),
    page("submissions/delete/", views.delete_several, name="submissions-delete", help=_DELETING_SUBMISSIONS),
    *views.FILES.paths(),
    page(
        "submissions/<int:pk>/",
        views.submission,
        name="submission",
        help=Help("first-steps", "after-the-upload", "What happens after the upload"),
    ),
    page("submissions/<int:pk>/compared/", views.compared, name="submission-compared"),
    page("submissions/<int:pk>/download/", views.download, name="submission-download", cost=Cost.COMPUTES),
    page("submissions/<int:pk>/publish/", views.publish, OF_QUERIES, name="submission-publish"),
    page("submissions/<int:pk>/unpublish/", views.unpublish, OF_QUERIES, name="submission-unpublish"),
    page("submissions/<int:pk>/delete/", views.delete, OF_QUERIES, name="submission-delete"),
]

api_urlpatterns = [
    endpoint(
        "submissions/<int:pk>/scores.csv", api.WideScoresView.as_view(), name="submission-scores", cost=Cost.COMPUTES
    ),
    endpoint("submissions/<int:pk>", api.SubmissionView.as_view(), name="submission", scope=Scope.MANAGE),
    endpoint("submissions/<int:pk>/publish", api.PublishView.as_view(), name="submission-publish", scope=Scope.SUBMIT),
    endpoint(
        "submissions/<int:pk>/unpublish", api.UnpublishView.as_view(), name="submission-unpublish", scope=Scope.SUBMIT
    ),
]

api_of_collection = [
    endpoint("submissions", api.SubmissionsView.as_view(), name="submissions", scope=Scope.SUBMIT, body=ONE_FILE),
    endpoint("submissions/check", api.CheckView.as_view(), name="submission-check", scope=Scope.SUBMIT, body=ONE_FILE),
]

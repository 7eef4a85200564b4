"""URLs of streams and clusterings of them."""

from __future__ import annotations

from accounts.scopes import Scope
from common.body_sizes import ONE_FILE
from common.routes import Cost, Help, endpoint, page
from evaluation.streams import api, views

_ON_THE_SITE = Help("cmm", "on-the-site", "How streams are measured")

urlpatterns = [
    page("c/<slug:slug>/streams/", views.index, name="streams", help=_ON_THE_SITE, body=ONE_FILE),
    page("c/<slug:slug>/streams/<key:key>/", views.stream, name="stream", help=_ON_THE_SITE, cost=Cost.COMPUTES),
    *views.FILES.paths(),
    page("c/<slug:slug>/streams/<key:key>/download/", views.download, name="stream-download", cost=Cost.COMPUTES),
    page(
        "c/<slug:slug>/streams/<key:key>/submit/",
        views.submit,
        name="stream-submit",
        help=Help("formats", "clusterings-of-a-stream-qc4-stream-clustering1", "File formats, with examples"),
        body=ONE_FILE,
    ),
    page("c/<slug:slug>/streams/<key:key>/baselines/", views.run_baselines, name="stream-baselines"),
    page("c/<slug:slug>/streams/<key:key>/delete/", views.delete, name="stream-delete"),
    page("stream-submissions/<int:pk>/", views.submission, name="stream-submission", help=_ON_THE_SITE),
    page(
        "stream-submissions/<int:pk>/download/",
        views.download_submission,
        name="stream-submission-download",
        cost=Cost.COMPUTES,
    ),
    page("stream-submissions/<int:pk>/measure/", views.measure, name="stream-submission-measure"),
]

api_urlpatterns = [
    endpoint(
        "stream-submissions/<int:pk>", api.StreamSubmissionView.as_view(), name="stream-submission", scope=Scope.MANAGE
    ),
    endpoint(
        "stream-submissions/<int:pk>/clusterings",
        api.StreamSubmissionFileView.as_view(),
        name="stream-submission-file",
        cost=Cost.COMPUTES,
    ),
    endpoint(
        "stream-submissions/<int:pk>/measure",
        api.MeasureStreamSubmissionView.as_view(),
        name="stream-submission-measure",
        scope=Scope.SUBMIT,
    ),
    endpoint(
        "stream-submissions/<int:pk>/publish",
        api.PublishStreamSubmissionView.as_view(),
        name="stream-submission-publish",
        scope=Scope.SUBMIT,
    ),
    endpoint(
        "stream-submissions/<int:pk>/unpublish",
        api.UnpublishStreamSubmissionView.as_view(),
        name="stream-submission-unpublish",
        scope=Scope.SUBMIT,
    ),
]

api_of_collection = [
    endpoint("streams", api.StreamsView.as_view(), name="streams", scope=Scope.CURATE, body=ONE_FILE),
    endpoint("streams/<key:key>", api.StreamView.as_view(), name="stream", scope=Scope.MANAGE),
    endpoint("streams/<key:key>/series", api.StreamSeriesView.as_view(), name="stream-series", cost=Cost.COMPUTES),
    endpoint(
        "streams/<key:key>/baselines", api.StreamBaselinesView.as_view(), name="stream-baselines", scope=Scope.SUBMIT
    ),
    endpoint(
        "streams/<key:key>/submissions",
        api.StreamSubmissionsView.as_view(),
        name="stream-submissions",
        scope=Scope.SUBMIT,
        body=ONE_FILE,
    ),
]

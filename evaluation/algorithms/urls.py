"""URLs of algorithms."""

from __future__ import annotations

from accounts.scopes import Scope
from common.routes import Help, endpoint, page
from evaluation.algorithms import api, views

_RENAMING_MERGING_DELETING = Help("algorithms", "renaming-merging-deleting", "What this does")

urlpatterns = [
    page(
        "algorithms/<int:pk>/",
        views.algorithm,
        name="algorithm",
        help=Help("algorithms", "", "How to manage algorithms"),
    ),
    page(
        "algorithms/<int:pk>/edit/",
        views.edit,
        name="algorithm-edit",
        help=Help("algorithms", "what-its-page-says", "What its page says"),
    ),
    page("algorithms/<int:pk>/counts/", views.counts, name="algorithm-counts"),
    page("algorithms/<int:pk>/merge/", views.merge, name="algorithm-merge", help=_RENAMING_MERGING_DELETING),
    page("algorithms/<int:pk>/delete/", views.delete, name="algorithm-delete", help=_RENAMING_MERGING_DELETING),
]

api_urlpatterns = [
    endpoint(
        "algorithms/<int:pk>",
        api.AlgorithmView.as_view(),
        name="algorithm",
        scope=Scope.SUBMIT,
        scopes={"DELETE": Scope.MANAGE},
    ),
    endpoint("algorithms/<int:pk>/merge", api.MergeView.as_view(), name="algorithm-merge", scope=Scope.MANAGE),
]

api_of_collection = [
    endpoint("algorithms", api.AlgorithmsView.as_view(), name="algorithms"),
]

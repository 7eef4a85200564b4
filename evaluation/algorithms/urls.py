"""URLs of algorithms."""

from __future__ import annotations

from accounts.scopes import Scope
from common.routes import Help, endpoint, page
from evaluation.algorithms import api, views

urlpatterns = [
    page(
        "algorithms/<int:pk>/",
        views.algorithm,
        name="algorithm",
        help=Help("algorithms", "", "What an algorithm's page says"),
    ),
    page(
        "algorithms/<int:pk>/edit/",
        views.edit,
        name="algorithm-edit",
        help=Help("algorithms", "what-its-page-says", "What is said where"),
    ),
    page("algorithms/<int:pk>/counts/", views.counts, name="algorithm-counts"),
    page(
        "algorithms/<int:pk>/merge/",
        views.merge,
        name="algorithm-merge",
        help=Help("algorithms", "renaming-merging-deleting", "What merging does"),
    ),
    page(
        "algorithms/<int:pk>/delete/",
        views.delete,
        name="algorithm-delete",
        help=Help("algorithms", "renaming-merging-deleting", "What deleting does"),
    ),
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

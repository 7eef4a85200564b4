"""URLs of challenges."""

from __future__ import annotations

from accounts.scopes import Scope
from common.routes import Cost, Help, endpoint, page
from evaluation.challenges import api, views

urlpatterns = [
    page(
        "c/<slug:slug>/challenge/",
        views.page,
        name="challenge",
        help=Help("challenges", "", "How challenges work"),
        cost=Cost.ANSWERS,
    ),
    *views.FILES.paths(),
    page(
        "c/<slug:slug>/settings/challenge/",
        views.edit,
        name="challenge-settings",
        help=Help("challenges", "what-is-hidden", "How challenges work"),
    ),
    page("c/<slug:slug>/settings/challenge/remove/", views.remove, name="challenge-remove"),
]

api_of_collection = [
    endpoint("challenge", api.ChallengeView.as_view(), name="challenge", scope=Scope.MANAGE, cost=Cost.ANSWERS),
]

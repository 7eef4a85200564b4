"""URLs of the behaviour study."""

from __future__ import annotations

from common.routes import Help, endpoint, page
from evaluation.study import api, views

_BEHAVIOUR_STUDY = Help("behaviour-study", "", "How measures are tested")

urlpatterns = [
    page("study/", views.study, name="study", help=_BEHAVIOUR_STUDY),
    *views.FILES.paths(),
    page("study/<slug:group>/", views.group, name="study-group", help=_BEHAVIOUR_STUDY),
    page(
        "study/<slug:group>/<slug:case>/",
        views.case,
        name="study-case",
        help=Help("behaviour-study", "how-a-case-is-judged", "How a case is judged"),
    ),
]

api_urlpatterns = [
    endpoint("study", api.StudyView.as_view(), name="study"),
]

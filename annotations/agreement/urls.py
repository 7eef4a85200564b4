"""URLs of the agreement of drafts."""

from __future__ import annotations

from annotations.agreement import api, views
from common.routes import Cost, Help, endpoint, page

urlpatterns = [
    page(
        "c/<slug:slug>/q/<key:key>/agreement/",
        views.agreement,
        name="agreement",
        help=Help("agreement", "what-is-compared", "How agreement is measured"),
        cost=Cost.ANSWERS,
    ),
    *views.FILES.paths(),
]

api_of_collection = [
    endpoint("queries/<key:key>/agreement", api.AgreementView.as_view(), name="agreement", cost=Cost.ANSWERS),
    endpoint(
        "queries/<key:key>/agreement/all", api.AllAgreementView.as_view(), name="agreement-all", cost=Cost.ANSWERS
    ),
]

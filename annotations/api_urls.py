"""API URLs of annotations, by feature: at the root, below a collection and below a draft."""

from __future__ import annotations

from annotations.adjudication import urls as adjudication
from annotations.agreement import urls as agreement
from annotations.collections import urls as collections
from annotations.discussion import urls as discussion
from annotations.drafts import urls as drafts
from annotations.gold import urls as gold
from annotations.guidelines import urls as guidelines
from annotations.people import urls as people
from annotations.team import urls as team
from annotations.workspace import urls as workspace

api_urlpatterns = [
    *people.api_urlpatterns,
    *collections.api_urlpatterns,
    *discussion.api_urlpatterns,
    *workspace.api_urlpatterns,
    *adjudication.api_urlpatterns,
]

api_of_collection = [
    *people.api_of_collection,
    *guidelines.api_of_collection,
    *collections.api_of_collection,
    *gold.api_of_collection,
    *drafts.api_of_collection,
    *agreement.api_of_collection,
    *adjudication.api_of_collection,
    *team.api_of_collection,
]

api_of_draft = [
    *drafts.api_of_draft,
    *discussion.api_of_draft,
    *workspace.api_of_draft,
]

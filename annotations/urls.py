"""Page URLs of annotations, by feature."""

from __future__ import annotations

from annotations.adjudication import urls as adjudication
from annotations.agreement import urls as agreement
from annotations.collections import urls as collections
from annotations.discussion import urls as discussion
from annotations.drafts import urls as drafts
from annotations.guidelines import urls as guidelines
from annotations.people import urls as people
from annotations.team import urls as team
from annotations.workspace import urls as workspace

urlpatterns = [
    *people.urlpatterns,
    *guidelines.urlpatterns,
    *collections.urlpatterns,
    *drafts.urlpatterns,
    *discussion.urlpatterns,
    *workspace.urlpatterns,
    *agreement.urlpatterns,
    *adjudication.urlpatterns,
    *team.urlpatterns,
]

"""API URLs of the evaluation app: below the API root, below a collection and below a draft."""

from __future__ import annotations

from evaluation.algorithms import urls as algorithms
from evaluation.baseline_runs import urls as baseline_runs
from evaluation.boards import urls as boards
from evaluation.challenges import urls as challenges
from evaluation.collections import urls as collections
from evaluation.drafts import urls as drafts
from evaluation.explanations import urls as explanations
from evaluation.gold import urls as gold
from evaluation.measures import urls as measures
from evaluation.runs import urls as runs
from evaluation.scoring import urls as scoring
from evaluation.selection import urls as selection
from evaluation.streams import urls as streams
from evaluation.study import urls as study
from evaluation.submissions import urls as submissions
from evaluation.vectors import urls as vectors

api_urlpatterns = [
    *runs.api_urlpatterns,
    *measures.api_urlpatterns,
    *scoring.api_urlpatterns,
    *algorithms.api_urlpatterns,
    *submissions.api_urlpatterns,
    *streams.api_urlpatterns,
    *explanations.api_urlpatterns,
    *study.api_urlpatterns,
    *collections.api_urlpatterns,
]

api_of_collection = [
    *scoring.api_of_collection,
    *challenges.api_of_collection,
    *algorithms.api_of_collection,
    *submissions.api_of_collection,
    *baseline_runs.api_of_collection,
    *vectors.api_of_collection,
    *streams.api_of_collection,
    *gold.api_of_collection,
    *drafts.api_of_collection,
    *boards.api_of_collection,
    *selection.api_of_collection,
]

api_of_draft = [
    *drafts.api_of_draft,
]

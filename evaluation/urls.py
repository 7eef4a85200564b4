"""URLs of the pages of the evaluation app, feature by feature."""

from __future__ import annotations

from evaluation.account_data import urls as account_data
from evaluation.algorithms import urls as algorithms
from evaluation.baseline_runs import urls as baseline_runs
from evaluation.boards import urls as boards
from evaluation.challenges import urls as challenges
from evaluation.collections import urls as collections
from evaluation.drafts import urls as drafts
from evaluation.explanations import urls as explanations
from evaluation.gold import urls as gold
from evaluation.imports import urls as imports
from evaluation.measures import urls as measures
from evaluation.runs import urls as runs
from evaluation.scoring import urls as scoring
from evaluation.selection import urls as selection
from evaluation.streams import urls as streams
from evaluation.study import urls as study
from evaluation.submissions import urls as submissions
from evaluation.vectors import urls as vectors

urlpatterns = [
    *runs.urlpatterns,
    *measures.urlpatterns,
    *scoring.urlpatterns,
    *challenges.urlpatterns,
    *algorithms.urlpatterns,
    *submissions.urlpatterns,
    *baseline_runs.urlpatterns,
    *vectors.urlpatterns,
    *streams.urlpatterns,
    *imports.urlpatterns,
    *gold.urlpatterns,
    *drafts.urlpatterns,
    *boards.urlpatterns,
    *explanations.urlpatterns,
    *selection.urlpatterns,
    *study.urlpatterns,
    *collections.urlpatterns,
    *account_data.urlpatterns,
]

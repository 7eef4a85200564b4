"""Addresses of collections, queries, submissions, runs and boards."""

from __future__ import annotations

from django.urls import path

from annotations.collections import query_keys as addresses
from evaluation.access import get_stream_submission, get_submission
from evaluation.account_data import views as leaving
from evaluation.algorithms import views as algorithms
from evaluation.baseline_runs import views as baselines
from evaluation.boards.compare import views as compare
from evaluation.boards.gold_ranks import views as gold_ranks
from evaluation.boards.heat_map import views as heat_map
from evaluation.boards.leaderboard import views as leaderboard
from evaluation.boards.measure_agreement import views as measure_agreement
from evaluation.boards.robustness import views as robustness
from evaluation.boards.topic_coverage import views as topic_coverage
from evaluation.boards.trade_off import views as trade_off
from evaluation.challenges import views as challenges
from evaluation.collections import query_views as queries
from evaluation.collections import views as collections
from evaluation.collections import views as settings
from evaluation.drafts import views as draft_publishing
from evaluation.drafts import views as drafts
from evaluation.explanations import views as why
from evaluation.gold import views as gold
from evaluation.imports import views as imports
from evaluation.measures import views as catalogue
from evaluation.runs import views as runs
from evaluation.scoring import views as scoring
from evaluation.selection import views as model_selection
from evaluation.streams import views as stream_submissions
from evaluation.streams import views as streams
from evaluation.study import views as study
from evaluation.submissions import (
    views as examples,
)
from evaluation.submissions import (
    views as many_submissions,
)
from evaluation.submissions import (
    views as own_submissions,
)
from evaluation.submissions import (
    views as submissions,
)
from evaluation.vectors import views as vectors

addresses.register()

OF_QUERIES, OF_STREAMS = {"get": get_submission}, {"get": get_stream_submission}

urlpatterns = [
    path("", collections.collections, name="collections"),
    path("account/export/", leaving.account_export, name="account-export"),
    path("account/delete/", leaving.account_delete, name="account-delete"),
    path("new/", imports.import_collection, name="import"),
    path("measures/", catalogue.catalogue, name="measures"),
    path("measures/<str:key>/", catalogue.measure, name="measure"),
    path("measures.bib", catalogue.works, name="measures-bibtex"),
    path("CITATION.cff", catalogue.citation, name="citation"),
    path("study/", study.study, name="study"),
    *study.FILES.paths(),
    path("study/<slug:group>/", study.group, name="study-group"),
    path("study/<slug:group>/<slug:case>/", study.case, name="study-case"),
    path("c/<slug:slug>/", collections.collection, name="collection"),
    path("c/<slug:slug>/q/<key:key>/", queries.query, name="query"),
    path("c/<slug:slug>/q/<key:key>/scores/", queries.scores, name="query-scores"),
    path("c/<slug:slug>/q/<key:key>/drafts/", drafts.drafts_of_query, name="drafts"),
    path("c/<slug:slug>/gold/", gold.publish, name="gold-publish"),
    path("drafts/<int:pk>/publish/", draft_publishing.publish, name="draft-publish"),
    path("c/<slug:slug>/gold/<int:number>/", queries.gold_download, name="gold-download"),
    path("c/<slug:slug>/gold/<int:number>/changes/", gold.changes, name="gold-changes"),
    path("c/<slug:slug>/gold/<int:number>/ranks/", gold_ranks.page, name="gold-ranks"),
    *gold_ranks.FILES.paths(),
    path("c/<slug:slug>/leaderboard/", leaderboard.page, name="leaderboard"),
    *leaderboard.FILES.paths(),
    path("c/<slug:slug>/compare/", compare.page, name="compare"),
    *compare.FILES.paths(),
    path("c/<slug:slug>/heat-map/", heat_map.page, name="heat-map"),
    *heat_map.FILES.paths(),
    path("c/<slug:slug>/measures/", measure_agreement.page, name="measures-compared"),
    *measure_agreement.FILES.paths(),
    path("c/<slug:slug>/trade-off/", trade_off.page, name="trade-off"),
    *trade_off.FILES.paths(),
    path("c/<slug:slug>/robustness/", robustness.page, name="robustness"),
    *robustness.FILES.paths(),
    path("c/<slug:slug>/topics/", topic_coverage.page, name="topic-coverage"),
    *topic_coverage.FILES.paths(),
    path("c/<slug:slug>/score/", scoring.score_all, name="score"),
    path("c/<slug:slug>/score/progress/", scoring.progress, name="score-progress"),
    path("c/<slug:slug>/model-selection/", model_selection.page, name="model-selection"),
    *model_selection.FILES.paths(),
    path("c/<slug:slug>/sweeps/", model_selection.run_sweep, name="sweeps"),
    path("c/<slug:slug>/submit/", submissions.submit, name="submit"),
    path("c/<slug:slug>/pages.csv", examples.pages_csv, name="pages-csv"),
    path("c/<slug:slug>/submit/example.jsonl", examples.example_file, name="example-submission"),
    path("c/<slug:slug>/submit/reread/", submissions.reread, name="submit-reread"),
    path("c/<slug:slug>/submit/confirm/", submissions.confirm, name="submit-confirm"),
    path("c/<slug:slug>/baselines/", baselines.run_baselines, name="baselines"),
    path("c/<slug:slug>/vectors/", vectors.upload, name="vectors-upload"),
    path("c/<slug:slug>/vectors/from-text/", vectors.from_text, name="vectors-from-text"),
    path("c/<slug:slug>/streams/", streams.index, name="streams"),
    path("c/<slug:slug>/streams/<key:key>/", streams.stream, name="stream"),
    *streams.FILES.paths(),
    path("c/<slug:slug>/streams/<key:key>/download/", streams.download, name="stream-download"),
    path("c/<slug:slug>/streams/<key:key>/submit/", stream_submissions.submit, name="stream-submit"),
    path("c/<slug:slug>/streams/<key:key>/baselines/", streams.run_baselines, name="stream-baselines"),
    path("c/<slug:slug>/streams/<key:key>/delete/", streams.delete, name="stream-delete"),
    path("stream-submissions/<int:pk>/", stream_submissions.submission, name="stream-submission"),
    path(
        "stream-submissions/<int:pk>/download/",
        stream_submissions.download_submission,
        name="stream-submission-download",
    ),
    path("stream-submissions/<int:pk>/measure/", stream_submissions.measure, name="stream-submission-measure"),
    path("stream-submissions/<int:pk>/publish/", own_submissions.publish, OF_STREAMS, name="stream-submission-publish"),
    path(
        "stream-submissions/<int:pk>/unpublish/",
        own_submissions.unpublish,
        OF_STREAMS,
        name="stream-submission-unpublish",
    ),
    path("stream-submissions/<int:pk>/delete/", own_submissions.delete, OF_STREAMS, name="stream-submission-delete"),
    path("c/<slug:slug>/challenge/", challenges.page, name="challenge"),
    *challenges.FILES.paths(),
    path("c/<slug:slug>/settings/challenge/", challenges.edit, name="challenge-settings"),
    path("c/<slug:slug>/settings/challenge/remove/", challenges.remove, name="challenge-remove"),
    path("c/<slug:slug>/settings/", settings.edit, name="collection-settings"),
    path("c/<slug:slug>/delete/", settings.delete, name="collection-delete"),
    path("algorithms/<int:pk>/", algorithms.algorithm, name="algorithm"),
    path("algorithms/<int:pk>/edit/", algorithms.edit, name="algorithm-edit"),
    path("algorithms/<int:pk>/counts/", algorithms.counts, name="algorithm-counts"),
    path("algorithms/<int:pk>/merge/", algorithms.merge, name="algorithm-merge"),
    path("algorithms/<int:pk>/delete/", algorithms.delete, name="algorithm-delete"),
    path("submissions/", many_submissions.index, name="my-submissions"),
    path("submissions/delete/", many_submissions.delete_several, name="submissions-delete"),
    *submissions.FILES.paths(),
    path("submissions/<int:pk>/", submissions.submission, name="submission"),
    path("submissions/<int:pk>/compared/", submissions.compared, name="submission-compared"),
    path("submissions/<int:pk>/download/", submissions.download, name="submission-download"),
    path("submissions/<int:pk>/score/", scoring.score_submission, name="submission-score"),
    path("submissions/<int:pk>/publish/", own_submissions.publish, OF_QUERIES, name="submission-publish"),
    path("submissions/<int:pk>/unpublish/", own_submissions.unpublish, OF_QUERIES, name="submission-unpublish"),
    path("submissions/<int:pk>/delete/", own_submissions.delete, OF_QUERIES, name="submission-delete"),
    path("submissions/<int:pk>/why/<key:key>/", why.why, name="why"),
    path("runs/", runs.index, name="runs"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/live/", runs.live, name="run-live"),
    path("runs/<int:pk>/cancel/", runs.cancel, name="run-cancel"),
    path("runs/<int:pk>/rerun/", runs.rerun, name="run-rerun"),
]

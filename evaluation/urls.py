"""Addresses of collections, queries, submissions, runs and boards."""

from __future__ import annotations

from django.urls import path

from annotations import addresses
from evaluation.views import (
    baselines,
    catalogue,
    collections,
    drafts,
    gold,
    imports,
    leaderboard,
    model_selection,
    queries,
    runs,
    settings,
    study,
    submissions,
    vectors,
    why,
)

addresses.register()

urlpatterns = [
    path("", collections.collections, name="collections"),
    path("new/", imports.import_collection, name="import"),
    path("measures/", catalogue.catalogue, name="measures"),
    path("measures/<str:key>/", catalogue.measure, name="measure"),
    path("study/", study.study, name="study"),
    path("study/study.csv", study.as_csv, name="study-csv"),
    path("study/study.json", study.as_json, name="study-json"),
    path("study/<slug:group>/", study.group, name="study-group"),
    path("study/<slug:group>/<slug:case>/", study.case, name="study-case"),
    path("c/<slug:slug>/", collections.collection, name="collection"),
    path("c/<slug:slug>/q/<key:key>/", queries.query, name="query"),
    path("c/<slug:slug>/q/<key:key>/drafts/", drafts.drafts_of_query, name="drafts"),
    path("c/<slug:slug>/gold/", gold.publish, name="gold-publish"),
    path("c/<slug:slug>/gold/<int:number>/", queries.gold_download, name="gold-download"),
    path("c/<slug:slug>/leaderboard/", leaderboard.page, name="leaderboard"),
    path("c/<slug:slug>/leaderboard.csv", leaderboard.as_csv, name="leaderboard-csv"),
    path("c/<slug:slug>/leaderboard.json", leaderboard.as_json, name="leaderboard-json"),
    path("c/<slug:slug>/model-selection/", model_selection.page, name="model-selection"),
    path("c/<slug:slug>/model-selection.csv", model_selection.as_csv, name="model-selection-csv"),
    path("c/<slug:slug>/model-selection.json", model_selection.as_json, name="model-selection-json"),
    path("c/<slug:slug>/sweeps/", model_selection.run_sweep, name="sweeps"),
    path("c/<slug:slug>/submit/", submissions.submit, name="submit"),
    path("c/<slug:slug>/submit/confirm/", submissions.confirm, name="submit-confirm"),
    path("c/<slug:slug>/baselines/", baselines.run_baselines, name="baselines"),
    path("c/<slug:slug>/vectors/", vectors.upload, name="vectors-upload"),
    path("c/<slug:slug>/vectors/from-text/", vectors.from_text, name="vectors-from-text"),
    path("c/<slug:slug>/settings/", settings.edit, name="collection-settings"),
    path("c/<slug:slug>/delete/", settings.delete, name="collection-delete"),
    path("submissions/<int:pk>/", submissions.submission, name="submission"),
    path("submissions/<int:pk>/download/", submissions.download, name="submission-download"),
    path("submissions/<int:pk>/publish/", submissions.publish, name="submission-publish"),
    path("submissions/<int:pk>/unpublish/", submissions.unpublish, name="submission-unpublish"),
    path("submissions/<int:pk>/delete/", submissions.delete, name="submission-delete"),
    path("submissions/<int:pk>/why/<key:key>/", why.why, name="why"),
    path("runs/", runs.index, name="runs"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/live/", runs.live, name="run-live"),
    path("runs/<int:pk>/cancel/", runs.cancel, name="run-cancel"),
    path("runs/<int:pk>/rerun/", runs.rerun, name="run-rerun"),
]

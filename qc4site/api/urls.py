"""Addresses of the API, below ``/api/``. They end without a slash, the documentation aside."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, re_path

from accounts import api as audit
from accounts import api as notices
from accounts import api as tokens
from annotations.adjudication import api as adjudication
from annotations.agreement import api as agreement
from annotations.collections import api as collections
from annotations.collections import api as storage
from annotations.collections import query_keys as addresses
from annotations.discussion import api as comments
from annotations.drafts import api as drafts
from annotations.gold import api as gold
from annotations.guidelines import api as guidelines
from annotations.people import api as collection_log
from annotations.people import api as invitations
from annotations.people import api as offers
from annotations.people import api as participation
from annotations.team import api as assignments
from annotations.team import api as team
from annotations.workspace import api as draft_predictions
from annotations.workspace import api as draft_work
from evaluation.algorithms import api as algorithms
from evaluation.baseline_runs import api as baselines
from evaluation.boards.compare import api as compare
from evaluation.boards.gold_ranks import api as gold_ranks
from evaluation.boards.heat_map import api as heat_map
from evaluation.boards.leaderboard import api as leaderboard
from evaluation.boards.measure_agreement import api as measure_agreement
from evaluation.boards.robustness import api as robustness
from evaluation.boards.topic_coverage import api as topic_coverage
from evaluation.boards.trade_off import api as trade_off
from evaluation.challenges import api as challenges
from evaluation.collections import api as all_collections
from evaluation.drafts import api as clustering_drafts
from evaluation.drafts import api as draft_publishing
from evaluation.explanations import api as clusterings
from evaluation.explanations import api as why
from evaluation.gold import api as gold_versions
from evaluation.measures import api as measures
from evaluation.runs import api as runs
from evaluation.scoring import api as scores
from evaluation.scoring import api as scoring
from evaluation.selection import api as model_selection
from evaluation.streams import api as stream_submissions
from evaluation.streams import api as streams
from evaluation.study import api as study
from evaluation.submissions import api as submissions
from evaluation.vectors import api as vectors
from qc4site.api import root as api_root
from qc4site.errors import api as errors

app_name = "api"
addresses.register()

in_collection = [
    path("challenge", challenges.ChallengeView.as_view(), name="challenge"),
    path("queries", collections.QueriesView.as_view(), name="queries"),
    path("queries/<key:key>", collections.QueryView.as_view(), name="query"),
    path("queries/<key:key>/agreement", agreement.AgreementView.as_view(), name="agreement"),
    path("queries/<key:key>/agreement/all", agreement.AllAgreementView.as_view(), name="agreement-all"),
    path("queries/<key:key>/adjudications", adjudication.AdjudicationsView.as_view(), name="adjudications"),
    path("queries/<key:key>/drafts", drafts.DraftsView.as_view(), name="drafts"),
    path(
        "queries/<key:key>/drafts/from-clustering",
        clustering_drafts.FromClusteringView.as_view(),
        name="drafts-from-clustering",
    ),
    path("queries/<key:key>/vectors", vectors.QueryVectorsView.as_view(), name="query-vectors"),
    path("vectors", vectors.VectorsView.as_view(), name="vectors"),
    path("vectors/from-text", vectors.TextVectorsView.as_view(), name="vectors-from-text"),
    path("gold-versions", gold_versions.GoldVersionsView.as_view(), name="gold-versions"),
    path("gold-versions/<int:number>", gold.GoldVersionView.as_view(), name="gold-version"),
    path("gold-versions/<int:number>/ranks", gold_ranks.GoldRanksView.as_view(), name="gold-ranks"),
    path("gold-versions/<int:number>/queries/<key:key>", gold.GoldView.as_view(), name="gold"),
    path("submissions", submissions.SubmissionsView.as_view(), name="submissions"),
    path("algorithms", algorithms.AlgorithmsView.as_view(), name="algorithms"),
    path("submissions/check", submissions.CheckView.as_view(), name="submission-check"),
    path("baselines", baselines.BaselinesView.as_view(), name="baselines"),
    path("streams", streams.StreamsView.as_view(), name="streams"),
    path("streams/<key:key>", streams.StreamView.as_view(), name="stream"),
    path("streams/<key:key>/series", streams.StreamSeriesView.as_view(), name="stream-series"),
    path("streams/<key:key>/baselines", streams.StreamBaselinesView.as_view(), name="stream-baselines"),
    path(
        "streams/<key:key>/submissions", stream_submissions.StreamSubmissionsView.as_view(), name="stream-submissions"
    ),
    path("evaluations", scoring.EvaluationsView.as_view(), name="evaluations"),
    path("scores", scores.ScoresView.as_view(), name="scores"),
    path("sweeps", model_selection.SweepsView.as_view(), name="sweeps"),
    path("model-selection", model_selection.ModelSelectionView.as_view(), name="model-selection"),
    path("measures", measure_agreement.MeasuresComparedView.as_view(), name="measures-compared"),
    path("robustness", robustness.RobustnessView.as_view(), name="robustness"),
    path("topics", topic_coverage.TopicCoverageView.as_view(), name="topic-coverage"),
    path("leaderboard", leaderboard.LeaderboardView.as_view(), name="leaderboard"),
    path("compare", compare.CompareView.as_view(), name="compare"),
    path("heat-map", heat_map.HeatMapView.as_view(), name="heat-map"),
    path("trade-off", trade_off.TradeOffView.as_view(), name="trade-off"),
    path("guidelines", guidelines.GuidelinesView.as_view(), name="guidelines"),
    path("guidelines/changes", guidelines.GuidelinesChangesView.as_view(), name="guidelines-changes"),
    path("assignments", assignments.AssignmentsView.as_view(), name="assignments"),
    path("team", team.TeamView.as_view(), name="team"),
    path("team/dependent", team.DependentPairsView.as_view(), name="dependent-pairs"),
    path("curation", assignments.CurationView.as_view(), name="curation"),
    path("log", collection_log.CollectionLogView.as_view(), name="collection-log"),
    path("storage", storage.CollectionStorageView.as_view(), name="collection-storage"),
    path("invitations", invitations.InvitationsView.as_view(), name="invitations"),
    path("invitations/<int:pk>", invitations.InvitationView.as_view(), name="invitation"),
    path("offers", offers.OffersView.as_view(), name="offers"),
    path("offers/<int:pk>", offers.OfferView.as_view(), name="offer"),
    path("requests", participation.RequestsView.as_view(), name="requests"),
    path("requests/<int:pk>", participation.AnswerRequestView.as_view(), name="request-answer"),
]

of_draft = [
    path("restore", drafts.RestoreView.as_view(), name="draft-restore"),
    path("submit", drafts.SubmitView.as_view(), name="draft-submit"),
    path("reopen", drafts.ReopenView.as_view(), name="draft-reopen"),
    path("publish", draft_publishing.PublishDraftView.as_view(), name="draft-publish"),
    path("operations", draft_work.OperationsView.as_view(), name="draft-operations"),
    path("changes", draft_work.ChangesView.as_view(), name="draft-changes"),
    path("presence", draft_work.PresenceView.as_view(), name="draft-presence"),
    path("page", draft_work.PageView.as_view(), name="draft-page"),
    path("losses", draft_work.LossesView.as_view(), name="draft-losses"),
    path("pages", draft_work.PagesView.as_view(), name="draft-pages"),
    path("history", draft_work.HistoryView.as_view(), name="draft-history"),
    path("document", draft_work.DocumentView.as_view(), name="draft-document"),
    path("check", draft_work.CheckView.as_view(), name="draft-check"),
    path("predictions", draft_predictions.PredictionsView.as_view(), name="draft-predictions"),
    path("groups", draft_predictions.GroupsView.as_view(), name="draft-groups"),
    path("suggestions", draft_work.SuggestionsView.as_view(), name="draft-suggestions"),
    path("threads", comments.DraftThreadsView.as_view(), name="draft-threads"),
    path("people", comments.DraftPeopleView.as_view(), name="draft-people"),
]

version_1: list[URLPattern | URLResolver] = [
    path("", api_root.RootView.as_view(), name="root"),
    path("schema", api_root.SchemaView.as_view(), name="schema"),
    path("docs/", api_root.DocsView.as_view(), name="docs"),
    path("measures", measures.MeasuresView.as_view(), name="measures"),
    path("measures/<str:key>", measures.MeasureView.as_view(), name="measure"),
    path("study", study.StudyView.as_view(), name="study"),
    path("collections", all_collections.CollectionsView.as_view(), name="collections"),
    path("collections/<slug:slug>", collections.CollectionView.as_view(), name="collection"),
    path("collections/<slug:slug>/", include(in_collection)),
    path("drafts/<int:pk>/adjudication", adjudication.AdjudicationView.as_view(), name="draft-adjudication"),
    path("drafts/<int:pk>/decisions", adjudication.DecisionsView.as_view(), name="draft-decisions"),
    path(
        "drafts/<int:pk>/decisions/several", adjudication.SeveralDecisionsView.as_view(), name="draft-decisions-several"
    ),
    path("drafts/<int:pk>/decisions/proposals", adjudication.ProposalsView.as_view(), name="draft-decisions-proposals"),
    path("drafts/<int:pk>/decisions/undo", adjudication.TakeBackView.as_view(), name="draft-decisions-undo"),
    path("drafts/<int:pk>/decisions/redo", adjudication.DoAgainView.as_view(), name="draft-decisions-redo"),
    path("drafts/<int:pk>", draft_work.DraftView.as_view(), name="draft"),
    path("drafts/<int:pk>/", include(of_draft)),
    path("threads", comments.OwnThreadsView.as_view(), name="own-threads"),
    path("threads/<int:pk>", comments.ThreadView.as_view(), name="thread"),
    path("threads/<int:pk>/resolve", comments.ResolveThreadView.as_view(), name="thread-resolve"),
    path("threads/<int:pk>/reopen", comments.ReopenThreadView.as_view(), name="thread-reopen"),
    path("threads/<int:pk>/ask-lead", comments.AskLeadView.as_view(), name="thread-ask-lead"),
    path("threads/<int:pk>/people", comments.ThreadPeopleView.as_view(), name="thread-people"),
    path("threads/<int:pk>/read", comments.ReadThreadView.as_view(), name="thread-read"),
    path("comments/<int:pk>", comments.CommentView.as_view(), name="comment"),
    path("algorithms/<int:pk>", algorithms.AlgorithmView.as_view(), name="algorithm"),
    path("algorithms/<int:pk>/merge", algorithms.MergeView.as_view(), name="algorithm-merge"),
    path("submissions/<int:pk>/scores.csv", submissions.WideScoresView.as_view(), name="submission-scores"),
    path("submissions/<int:pk>", submissions.SubmissionView.as_view(), name="submission"),
    path(
        "submissions/<int:pk>/evaluations", scoring.SubmissionEvaluationsView.as_view(), name="submission-evaluations"
    ),
    path("submissions/<int:pk>/publish", submissions.PublishView.as_view(), name="submission-publish"),
    path("submissions/<int:pk>/unpublish", submissions.UnpublishView.as_view(), name="submission-unpublish"),
    path("submissions/<int:pk>/queries/<key:key>", clusterings.ClusteringView.as_view(), name="clustering"),
    path("submissions/<int:pk>/queries/<key:key>/explain", clusterings.ExplainView.as_view(), name="explain"),
    path("stream-submissions/<int:pk>", stream_submissions.StreamSubmissionView.as_view(), name="stream-submission"),
    path("submissions/<int:pk>/queries/<key:key>/what-if", why.WhatIfView.as_view(), name="what-if"),
    path("submissions/<int:pk>/queries/<key:key>/chance", why.ChanceView.as_view(), name="chance"),
    path("submissions/<int:pk>/queries/<key:key>/alike", why.AlikeView.as_view(), name="alike"),
    path("submissions/<int:pk>/queries/<key:key>/matrix", why.MatrixView.as_view(), name="matrix"),
    path(
        "stream-submissions/<int:pk>/clusterings",
        stream_submissions.StreamSubmissionFileView.as_view(),
        name="stream-submission-file",
    ),
    path(
        "stream-submissions/<int:pk>/measure",
        stream_submissions.MeasureStreamSubmissionView.as_view(),
        name="stream-submission-measure",
    ),
    path(
        "stream-submissions/<int:pk>/publish",
        stream_submissions.PublishStreamSubmissionView.as_view(),
        name="stream-submission-publish",
    ),
    path(
        "stream-submissions/<int:pk>/unpublish",
        stream_submissions.UnpublishStreamSubmissionView.as_view(),
        name="stream-submission-unpublish",
    ),
    path("requests", participation.OwnRequestsView.as_view(), name="own-requests"),
    path("requests/<int:pk>", participation.OwnRequestView.as_view(), name="own-request"),
    path("offers", offers.OwnOffersView.as_view(), name="own-offers"),
    path("offers/<int:pk>", offers.AnswerOfferView.as_view(), name="offer-answer"),
    path("log", audit.AccountLogView.as_view(), name="account-log"),
    path("storage", storage.OwnStorageView.as_view(), name="own-storage"),
    path("tokens", tokens.TokensView.as_view(), name="tokens"),
    path("tokens/<int:pk>", tokens.TokenView.as_view(), name="token"),
    path("notices", notices.NoticesView.as_view(), name="notices"),
    path("runs", runs.RunsView.as_view(), name="runs"),
    path("runs/<int:pk>", runs.RunView.as_view(), name="run"),
    path("runs/<int:pk>/events", runs.RunEventsView.as_view(), name="run-events"),
    path("runs/<int:pk>/cancel", runs.CancelView.as_view(), name="run-cancel"),
    path("runs/<int:pk>/rerun", runs.RerunView.as_view(), name="run-rerun"),
]

urlpatterns = [
    path("v1/", include(version_1)),
    re_path(r"^(?P<rest>.*)$", errors.unknown_address, name="unknown"),
]

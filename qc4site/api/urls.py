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
from evaluation import api_urls as evaluation
from qc4site.api import root as api_root
from qc4site.errors import api as errors

app_name = "api"
addresses.register()

in_collection = [
    *evaluation.api_of_collection,
    path("queries", collections.QueriesView.as_view(), name="queries"),
    path("queries/<key:key>", collections.QueryView.as_view(), name="query"),
    path("queries/<key:key>/agreement", agreement.AgreementView.as_view(), name="agreement"),
    path("queries/<key:key>/agreement/all", agreement.AllAgreementView.as_view(), name="agreement-all"),
    path("queries/<key:key>/adjudications", adjudication.AdjudicationsView.as_view(), name="adjudications"),
    path("queries/<key:key>/drafts", drafts.DraftsView.as_view(), name="drafts"),
    path("gold-versions/<int:number>", gold.GoldVersionView.as_view(), name="gold-version"),
    path("gold-versions/<int:number>/queries/<key:key>", gold.GoldView.as_view(), name="gold"),
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
    *evaluation.api_of_draft,
    path("restore", drafts.RestoreView.as_view(), name="draft-restore"),
    path("submit", drafts.SubmitView.as_view(), name="draft-submit"),
    path("reopen", drafts.ReopenView.as_view(), name="draft-reopen"),
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
    *evaluation.api_urlpatterns,
    path("", api_root.RootView.as_view(), name="root"),
    path("schema", api_root.SchemaView.as_view(), name="schema"),
    path("docs/", api_root.DocsView.as_view(), name="docs"),
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
    path("requests", participation.OwnRequestsView.as_view(), name="own-requests"),
    path("requests/<int:pk>", participation.OwnRequestView.as_view(), name="own-request"),
    path("offers", offers.OwnOffersView.as_view(), name="own-offers"),
    path("offers/<int:pk>", offers.AnswerOfferView.as_view(), name="offer-answer"),
    path("log", audit.AccountLogView.as_view(), name="account-log"),
    path("storage", storage.OwnStorageView.as_view(), name="own-storage"),
    path("tokens", tokens.TokensView.as_view(), name="tokens"),
    path("tokens/<int:pk>", tokens.TokenView.as_view(), name="token"),
    path("notices", notices.NoticesView.as_view(), name="notices"),
]

urlpatterns = [
    path("v1/", include(version_1)),
    re_path(r"^(?P<rest>.*)$", errors.unknown_address, name="unknown"),
]

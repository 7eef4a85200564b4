"""Addresses of a collection's people and of their curating."""

from __future__ import annotations

from django.urls import path

from accounts import signup_policy as vouchers
from annotations.adjudication import views as adjudication
from annotations.agreement import views as agreement
from annotations.collections import query_keys as addresses
from annotations.collections import views as storage
from annotations.discussion import views as comments
from annotations.drafts import views as drafts
from annotations.guidelines import views as guidelines
from annotations.people.services.invitations import VOUCHER
from annotations.people.views import invitations, offers, participation, people
from annotations.team import views as assignments
from annotations.team import views as curate
from annotations.team import views as team
from annotations.workspace import views as workspace

addresses.register()
vouchers.register("invitation", VOUCHER)

urlpatterns = [
    path("c/<slug:slug>/people/", people.people, name="people"),
    path("c/<slug:slug>/people/log/", people.log, name="people-log"),
    path("c/<slug:slug>/people/remove/", people.remove, name="person-remove"),
    path("c/<slug:slug>/people/offers/<int:pk>/withdraw/", offers.withdraw, name="offer-withdraw"),
    path("offers/<int:pk>/", offers.answer, name="offer-answer"),
    path("c/<slug:slug>/people/invitations/", invitations.create, name="invitation-create"),
    path("c/<slug:slug>/people/invitations/<int:pk>/revoke/", invitations.revoke, name="invitation-revoke"),
    path("c/<slug:slug>/people/requests/<int:pk>/", participation.answer, name="request-answer"),
    path("c/<slug:slug>/take-part/", participation.take_part, name="take-part"),
    path("requests/<int:pk>/withdraw/", participation.withdraw, name="request-withdraw"),
    path("invitations/<str:token>/", invitations.invitation, name="invitation"),
    path("c/<slug:slug>/guidelines/", guidelines.read, name="guidelines"),
    path("c/<slug:slug>/guidelines/edit/", guidelines.write, name="guidelines-edit"),
    path("account/storage/", storage.storage, name="storage"),
    path("comments/", comments.comments, name="comments"),
    path("drafts/<int:pk>/", workspace.draft, name="draft"),
    path("c/<slug:slug>/q/<key:key>/drafts/start/", drafts.start, name="draft-start"),
    path("drafts/<int:pk>/submit/", drafts.submit, name="draft-submit"),
    path("drafts/<int:pk>/reopen/", drafts.reopen, name="draft-reopen"),
    path("drafts/<int:pk>/archive/", drafts.archive, name="draft-archive"),
    path("drafts/<int:pk>/restore/", drafts.restore, name="draft-restore"),
    path("c/<slug:slug>/curate/", curate.curate, name="curate"),
    path("c/<slug:slug>/curate/team/", team.team, name="team"),
    path("c/<slug:slug>/curate/assign/", assignments.assign, name="assign"),
    path("c/<slug:slug>/q/<key:key>/agreement/", agreement.agreement, name="agreement"),
    *agreement.FILES.paths(),
    path("c/<slug:slug>/q/<key:key>/agreement/adjudicate/", adjudication.start, name="adjudication-start"),
    path("drafts/<int:pk>/adjudicate/", adjudication.adjudicate, name="adjudicate"),
]

"""URLs of the people of a collection."""

from __future__ import annotations

from django.urls import path

from accounts import signup_policy
from annotations.people import api
from annotations.people.services.invitations import VOUCHER
from annotations.people.views import invitations, offers, participation, people

signup_policy.register("invitation", VOUCHER)

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
]

api_urlpatterns = [
    path("requests", api.OwnRequestsView.as_view(), name="own-requests"),
    path("requests/<int:pk>", api.OwnRequestView.as_view(), name="own-request"),
    path("offers", api.OwnOffersView.as_view(), name="own-offers"),
    path("offers/<int:pk>", api.AnswerOfferView.as_view(), name="offer-answer"),
]

api_of_collection = [
    path("log", api.CollectionLogView.as_view(), name="collection-log"),
    path("invitations", api.InvitationsView.as_view(), name="invitations"),
    path("invitations/<int:pk>", api.InvitationView.as_view(), name="invitation"),
    path("offers", api.OffersView.as_view(), name="offers"),
    path("offers/<int:pk>", api.OfferView.as_view(), name="offer"),
    path("requests", api.RequestsView.as_view(), name="requests"),
    path("requests/<int:pk>", api.AnswerRequestView.as_view(), name="request-answer"),
]

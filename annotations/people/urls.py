"""URLs of the people of a collection."""

from __future__ import annotations

from accounts import signup_policy
from accounts.scopes import Scope
from annotations.people import api
from annotations.people.services.invitations import VOUCHER
from annotations.people.views import invitations, offers, participation, people
from common.routes import Help, endpoint, page

signup_policy.register("invitation", VOUCHER)

_PEOPLE = Help("collections", "people", "Who may do what")

urlpatterns = [
    page("c/<slug:slug>/people/", people.people, name="people", help=_PEOPLE),
    page(
        "c/<slug:slug>/people/log/",
        people.log,
        name="people-log",
        help=Help("account", "what-is-logged", "What is logged"),
    ),
    page("c/<slug:slug>/people/remove/", people.remove, name="person-remove"),
    page("c/<slug:slug>/people/offers/<int:pk>/withdraw/", offers.withdraw, name="offer-withdraw"),
    page("offers/<int:pk>/", offers.answer, name="offer-answer"),
    page("c/<slug:slug>/people/invitations/", invitations.create, name="invitation-create", help=_PEOPLE),
    page("c/<slug:slug>/people/invitations/<int:pk>/revoke/", invitations.revoke, name="invitation-revoke"),
    page("c/<slug:slug>/people/requests/<int:pk>/", participation.answer, name="request-answer"),
    page(
        "c/<slug:slug>/take-part/",
        participation.take_part,
        name="take-part",
        help=Help("submit", "who-may-submit", "Who may submit"),
    ),
    page("requests/<int:pk>/withdraw/", participation.withdraw, name="request-withdraw"),
    page("invitations/<str:token>/", invitations.invitation, name="invitation", help=_PEOPLE),
]

api_urlpatterns = [
    endpoint("requests", api.OwnRequestsView.as_view(), name="own-requests"),
    endpoint("requests/<int:pk>", api.OwnRequestView.as_view(), name="own-request", scope=Scope.SUBMIT),
    endpoint("offers", api.OwnOffersView.as_view(), name="own-offers"),
    endpoint("offers/<int:pk>", api.AnswerOfferView.as_view(), name="offer-answer", scope=Scope.MANAGE),
]

api_of_collection = [
    endpoint("log", api.CollectionLogView.as_view(), name="collection-log"),
    endpoint("invitations", api.InvitationsView.as_view(), name="invitations", scope=Scope.MANAGE),
    endpoint("invitations/<int:pk>", api.InvitationView.as_view(), name="invitation", scope=Scope.MANAGE),
    endpoint("offers", api.OffersView.as_view(), name="offers", scope=Scope.MANAGE),
    endpoint("offers/<int:pk>", api.OfferView.as_view(), name="offer", scope=Scope.MANAGE),
    endpoint("requests", api.RequestsView.as_view(), name="requests", scope=Scope.SUBMIT),
    endpoint("requests/<int:pk>", api.AnswerRequestView.as_view(), name="request-answer", scope=Scope.MANAGE),
]

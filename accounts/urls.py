"""Addresses of accounts."""

from __future__ import annotations

from accounts import api, signup_policy
from accounts.scopes import Scope
from accounts.services import registration
from accounts.views import (
    account as views,
)
from accounts.views import (
    passwords as password_views,
)
from accounts.views import (
    provider as provider_views,
)
from accounts.views import (
    registration as registration_views,
)
from accounts.views import (
    second_factor as second_factor_views,
)
from accounts.views import (
    sign_in as sign_in_views,
)
from common.routes import Help, endpoint, page

signup_policy.register("sign-up-by-link", registration.VOUCHER)

_SECOND_FACTOR = Help("account", "second-factor", "What the second factor is")
_PASSWORD = Help("account", "password", "How to get a new password")

urlpatterns = [
    page("sign-in/", sign_in_views.SignInView.as_view(), name="sign-in", help="its fields say what they need"),
    page("sign-in/code/", second_factor_views.sign_in_code, name="sign-in-code", help=_SECOND_FACTOR),
    page("sign-in/provider/", provider_views.begin, name="provider"),
    page("sign-in/provider/back/", provider_views.come_back, name="provider-return"),
    page(
        "sign-in/provider/name/",
        provider_views.choose_name,
        name="provider-name",
        help=Help("account", "signing-in-by-a-provider", "Signing in by a provider"),
    ),
    page("sign-out/", sign_in_views.SignOutView.as_view(), name="sign-out"),
    page("sign-up/", registration_views.sign_up, name="sign-up", help="its fields say what they need"),
    page(
        "sign-up/<str:token>/",
        registration_views.sign_up,
        name="sign-up-by-link",
        help=Help("account", "making-an-account", "Who can create an account"),
    ),
    page("password/", password_views.forgotten, name="password-forgotten", help=_PASSWORD),
    page(
        "password/<str:uidb64>/<str:token>/",
        password_views.SetPasswordView.as_view(),
        name="password-set",
        help=_PASSWORD,
    ),
    page("account/", views.account, name="account", help=Help("account", "", "How to manage your account")),
    page("account/password/", password_views.change, name="password-change", help=_PASSWORD),
    page("account/second-factor/", second_factor_views.second_factor_page, name="second-factor", help=_SECOND_FACTOR),
    page("account/second-factor/codes/", second_factor_views.renew_codes, name="second-factor-codes"),
    page("account/second-factor/off/", second_factor_views.turn_off, name="second-factor-off"),
    page("account/provider/tie/", provider_views.tie, name="provider-tie"),
    page("account/provider/untie/", provider_views.untie, name="provider-untie"),
    page("account/end-everything/", views.end_everything, name="end-everything"),
    page(
        "account/log/", views.account_log, name="account-log", help=Help("account", "what-is-logged", "What is logged")
    ),
    page("account/e-mail/", views.change_email, name="email-change"),
    page("account/e-mail/confirm/", views.send_confirmation, name="email-confirmation"),
    page(
        "account/e-mail/confirm/<str:token>/",
        views.confirm_email,
        name="email-confirm",
        help=Help("account", "e-mail-address", "What the address is for"),
    ),
    page("account/notices/", views.choose_notices, name="notices-choose"),
    page(
        "account/tokens/",
        views.create_token,
        name="token-create",
        help=Help("scripts", "make-a-token", "How to use a token"),
    ),
    page("account/tokens/<int:pk>/revoke/", views.revoke_token, name="token-revoke"),
]

api_urlpatterns = [
    endpoint("log", api.AccountLogView.as_view(), name="account-log"),
    endpoint("tokens", api.TokensView.as_view(), name="tokens", person_only=True),
    endpoint("tokens/<int:pk>", api.TokenView.as_view(), name="token", scope=Scope.MANAGE),
    endpoint("notices", api.NoticesView.as_view(), name="notices", scope=Scope.MANAGE),
]

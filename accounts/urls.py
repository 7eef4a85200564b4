"""Addresses of accounts."""

from __future__ import annotations

from django.urls import path

from accounts import api
from accounts import signup_policy as vouchers
from accounts.services import registration as sign_up_links
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

vouchers.register("sign-up-by-link", sign_up_links.VOUCHER)

urlpatterns = [
    path("sign-in/", sign_in_views.SignInView.as_view(), name="sign-in"),
    path("sign-in/code/", second_factor_views.sign_in_code, name="sign-in-code"),
    path("sign-in/provider/", provider_views.begin, name="provider"),
    path("sign-in/provider/back/", provider_views.come_back, name="provider-return"),
    path("sign-in/provider/name/", provider_views.choose_name, name="provider-name"),
    path("sign-out/", sign_in_views.SignOutView.as_view(), name="sign-out"),
    path("sign-up/", registration_views.sign_up, name="sign-up"),
    path("sign-up/<str:token>/", registration_views.sign_up, name="sign-up-by-link"),
    path("password/", password_views.forgotten, name="password-forgotten"),
    path("password/<str:uidb64>/<str:token>/", password_views.SetPasswordView.as_view(), name="password-set"),
    path("account/", views.account, name="account"),
    path("account/password/", password_views.change, name="password-change"),
    path("account/second-factor/", second_factor_views.second_factor_page, name="second-factor"),
    path("account/second-factor/codes/", second_factor_views.renew_codes, name="second-factor-codes"),
    path("account/second-factor/off/", second_factor_views.turn_off, name="second-factor-off"),
    path("account/provider/tie/", provider_views.tie, name="provider-tie"),
    path("account/provider/untie/", provider_views.untie, name="provider-untie"),
    path("account/end-everything/", views.end_everything, name="end-everything"),
    path("account/log/", views.account_log, name="account-log"),
    path("account/e-mail/", views.change_email, name="email-change"),
    path("account/e-mail/confirm/", views.send_confirmation, name="email-confirmation"),
    path("account/e-mail/confirm/<str:token>/", views.confirm_email, name="email-confirm"),
    path("account/notices/", views.choose_notices, name="notices-choose"),
    path("account/tokens/", views.create_token, name="token-create"),
    path("account/tokens/<int:pk>/revoke/", views.revoke_token, name="token-revoke"),
]

api_urlpatterns = [
    path("log", api.AccountLogView.as_view(), name="account-log"),
    path("tokens", api.TokensView.as_view(), name="tokens"),
    path("tokens/<int:pk>", api.TokenView.as_view(), name="token"),
    path("notices", api.NoticesView.as_view(), name="notices"),
]

"""Addresses of accounts."""

from __future__ import annotations

from django.urls import path

from accounts import views

urlpatterns = [
    path("sign-in/", views.SignInView.as_view(), name="sign-in"),
    path("sign-out/", views.SignOutView.as_view(), name="sign-out"),
    path("sign-up/", views.sign_up, name="sign-up"),
    path("account/", views.account, name="account"),
    path("account/log/", views.account_log, name="account-log"),
    path("account/e-mail/", views.change_email, name="email-change"),
    path("account/notices/", views.choose_notices, name="notices-choose"),
    path("account/tokens/", views.create_token, name="token-create"),
    path("account/tokens/<int:pk>/revoke/", views.revoke_token, name="token-revoke"),
]

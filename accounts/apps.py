"""The application, as Django knows it."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People: their accounts, signing in, and the tokens of their programs."""

    name = "accounts"

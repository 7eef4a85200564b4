"""The application, as Django knows it."""

from django.apps import AppConfig


class WorkConfig(AppConfig):
    """Runs and answers."""

    name = "work"

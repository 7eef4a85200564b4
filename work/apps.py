"""The Django configuration of the app `work`."""

from django.apps import AppConfig


class WorkConfig(AppConfig):
    """The app of runs and answers."""

    name = "work"

"""The application, as Django knows it."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """Algorithms, submissions, runs and scores."""

    name = "evaluation"

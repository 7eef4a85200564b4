"""Django configuration of the evaluation app."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """Algorithms, submissions, runs and scores."""

    name = "evaluation"

"""The application, as Django knows it."""

from django.apps import AppConfig


class AnnotationsConfig(AppConfig):
    """Collections, people, queries, pages and gold standards."""

    name = "annotations"

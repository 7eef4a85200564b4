"""The application, as Django knows it."""

from django.apps import AppConfig

from annotations.collections import query_keys


class AnnotationsConfig(AppConfig):
    """Collections, people, queries, pages and gold standards."""

    name = "annotations"

    def ready(self) -> None:
        """Make the converter of query keys known before the first URL is read."""
        query_keys.register()

"""Django app configuration."""

from django.apps import AppConfig

from annotations.collections import query_keys


class AnnotationsConfig(AppConfig):
    """Collections, people, queries, pages and gold standards."""

    name = "annotations"

    def ready(self) -> None:
        """Register the path converter for query keys before Django loads the URLs."""
        query_keys.register()

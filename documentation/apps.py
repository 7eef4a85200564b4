"""The application, as Django knows it."""

from django.apps import AppConfig


class DocumentationConfig(AppConfig):
    """The documentation on the site; it has no tables."""

    name = "documentation"

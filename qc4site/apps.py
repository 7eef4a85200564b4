"""The Django application of the site itself."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks


class SiteConfig(AppConfig):
    """The wiring; it has no tables."""

    name = "qc4site"

    def ready(self) -> None:
        checks.register(misspelt_settings)


def misspelt_settings(**_: Any) -> list[checks.CheckMessage]:
    """Warn about variables of the environment that look like misspelt settings."""
    return [checks.Warning(sentence, id="qc4site.W001") for sentence in settings.SETTINGS_WARNINGS]

"""Static files as they are served outside debug mode: collected, with hashes in their names and joined scripts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command
from django.test import override_settings

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "qc4site.static_files.StaticFiles"},
}


@contextmanager
def collected_into(folder: Path) -> Iterator[Path]:
    """Collect all static files into this folder, and let the site refer to them."""
    with override_settings(STORAGES=STORAGES, STATIC_ROOT=str(folder)):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield folder


@contextmanager
def served_from(folder: Path) -> Iterator[None]:
    """Let the site refer to files that were collected into this folder, and let a live server find them there."""
    with override_settings(STORAGES=STORAGES, STATIC_ROOT=str(folder), STATICFILES_DIRS=[str(folder)]):
        yield

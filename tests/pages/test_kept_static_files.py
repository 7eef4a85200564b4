"""Static files as they are served outside debug mode."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from annotations.templatetags.scripts import module_script
from qc4site.static_files import StaticFiles

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "qc4site.static_files.StaticFiles"},
}


@pytest.fixture
def collected(tmp_path: Path, settings: object) -> Path:
    settings.STORAGES = STORAGES  # type: ignore[attr-defined]
    settings.STATIC_ROOT = str(tmp_path)  # type: ignore[attr-defined]
    call_command("collectstatic", interactive=False, verbosity=0)
    return tmp_path


def test_scripts_import_each_other_by_the_names_that_never_change_their_content(collected: Path) -> None:
    kept = StaticFiles(location=str(collected)).hashed_files.values()
    scripts = [collected / name for name in kept if name.startswith("js/")]
    imported = {
        (script.parent / address).resolve()
        for script in scripts
        for address in re.findall(r"""(?:from|import) ["'](\.[^"']+)["']""", script.read_text())
    }
    assert imported
    assert imported <= {script.resolve() for script in scripts}


def test_modules_are_loaded_early_by_the_names_they_are_imported_by(collected: Path) -> None:
    kept = set(StaticFiles(location=str(collected)).hashed_files.values())
    loaded = re.findall(r'"/static/([^"]+)"', module_script("js/curate/workspace.js"))
    assert len(loaded) > 1
    assert set(loaded) <= kept

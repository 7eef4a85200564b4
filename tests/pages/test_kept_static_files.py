"""Static files as they are served outside debug mode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings

from annotations.templatetags.scripts import module_script
from qc4site.static_files import StaticFiles

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "qc4site.static_files.StaticFiles"},
}


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("static")
    with override_settings(STORAGES=STORAGES, STATIC_ROOT=str(folder)):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield folder


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
    loaded = re.findall(r'"/static/([^"]+)"', module_script("js/workspace/workspace.js"))
    assert len(loaded) > 1
    assert set(loaded) <= kept

"""Static files as they are served outside debug mode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotations.templatetags.scripts import module_script
from common.joined_scripts import joined_name
from qc4site.static_files import StaticFiles
from tests.collected_files import collected_into
from tests.paths import ROOT


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with collected_into(tmp_path_factory.mktemp("static")) as folder:
        yield folder


def test_scripts_import_each_other_by_the_names_that_never_change_their_content(collected: Path) -> None:
    kept = StaticFiles(location=str(collected)).hashed_files.values()
    scripts = [collected / name for name in kept if name.startswith("js/") and not name.startswith("js/joined/")]
    imported = {
        (script.parent / address).resolve()
        for script in scripts
        for address in re.findall(r"""^(?:import|[}] from).* ["'](\.[^"']+)["'];""", script.read_text(), re.MULTILINE)
    }
    assert imported
    assert imported <= {script.resolve() for script in scripts}


def test_every_page_script_that_imports_others_is_one_collected_file(collected: Path) -> None:
    templates = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    entries = set(re.findall(r"{% module_script '([^']+)' %}", templates))
    stored = StaticFiles(location=str(collected)).hashed_files
    assert {joined_name(entry) for entry in entries} == {name for name in stored if name.startswith("js/joined/")}
    for entry in entries:
        assert re.findall(r'"/static/([^"]+)"', module_script(entry)) == [stored[joined_name(entry)]]


def test_joined_scripts_are_compressed_and_import_nothing(collected: Path) -> None:
    stored = StaticFiles(location=str(collected)).hashed_files
    joined = [collected / path for name, path in stored.items() if name.startswith("js/joined/")]
    assert all(script.with_name(f"{script.name}.gz").exists() for script in joined)
    assert not [script for script in joined if re.search(r"^(import|export)\b", script.read_text(), re.MULTILINE)]

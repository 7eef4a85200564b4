"""Pages whose script is made of many modules name them all, so that they come at once."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.templatetags.static import static

from annotations.templatetags.scripts import imported, module_script
from tests.paths import ROOT

SCRIPTS = ROOT / "static" / "js"
ENTRIES = {
    path.relative_to(ROOT / "static").as_posix()
    for path in SCRIPTS.rglob("*.js")
    if re.search(r"^import ", path.read_text(), re.MULTILINE)
}


def test_what_a_module_imports_is_loaded_early_each_once() -> None:
    names = imported("js/workspace/workspace.js")
    assert len(set(names)) == len(names)
    # One that the entry imports, and one that only others do.
    assert {"js/drafts/store.js", "js/common/wording.js"} <= set(names)
    assert "js/workspace/workspace.js" not in names
    assert all(finders.find(name) for name in names)


def test_no_module_that_others_import_is_left_out() -> None:
    named = {
        (path.parent / address).resolve().relative_to(ROOT / "static").as_posix()
        for path in SCRIPTS.rglob("*.js")
        for address in re.findall(r'"(\.\.?/[^"]+\.js)";', path.read_text())
    }
    entries = ("workspace/workspace", "adjudication/adjudicate", "discussion/comments-page", "drafts/waiting-work")
    assert named == {name for entry in entries for name in imported(f"js/{entry}.js")}


def test_links_come_before_the_script_itself() -> None:
    lines = module_script("js/workspace/workspace.js").splitlines()
    assert lines[0].startswith('<link rel="modulepreload" href="/static/js/')
    assert lines[-1] == f'<script src="{static("js/workspace/workspace.js")}" type="module"></script>'
    assert len(lines) == len(imported("js/workspace/workspace.js")) + 1


def test_a_script_alone_needs_no_links() -> None:
    assert imported("js/common/sort.js") == ()


def test_an_import_of_nothing_is_an_error() -> None:
    with pytest.raises(LookupError, match=r"js/nobody\.js"):
        imported("js/nobody.js")


def test_pages_load_modules_that_import_others_by_the_tag_that_names_them() -> None:
    templates = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    by_hand = set(re.findall(r"""<script src="{% static '(js/[^']+)' %}" type="module">""", templates))
    assert by_hand
    assert not by_hand & ENTRIES


FOLDERS = ("common", "words", "discussion", "drafts", "workspace")
"""Folders of modules that others may use, each later one built on earlier ones. Other features use only these."""


def named_modules(path: Path) -> set[Path]:
    """The modules that a module imports, or whose types its comments use, without itself."""
    named = re.findall(r'(?:from|import) "(\.\.?/[^"]+)";|import\("(\.\.?/[^"]+)"\)', path.read_text())
    return {(path.parent / (one or other)).resolve() for one, other in named} - {path}


def test_modules_do_not_refer_to_each_other_in_circles_even_in_types() -> None:
    graph = TopologicalSorter({path: named_modules(path) for path in SCRIPTS.rglob("*.js")})
    graph.prepare()


def test_folders_use_only_earlier_folders() -> None:
    for path in SCRIPTS.rglob("*.js"):
        folder = path.parent.name
        earlier = FOLDERS[: FOLDERS.index(folder)] if folder in FOLDERS else FOLDERS
        used = {other.parent.name for other in named_modules(path)} - {folder}
        assert used <= set(earlier), path


def test_types_are_any_only_at_the_declared_edges() -> None:
    types = re.compile(r"@(?:param|type|returns|property|typedef|template) *\{(?:[^{}]|\{[^{}]*\})*\bany\b")
    assert not [path for path in SCRIPTS.rglob("*.js") if types.search(path.read_text())]

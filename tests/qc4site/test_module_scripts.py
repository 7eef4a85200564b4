"""Pages whose script is made of many modules name them all, so that they come at once."""

from __future__ import annotations

import re

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
    names = imported("js/curate/workspace.js")
    assert len(set(names)) == len(names)
    # One that the entry imports, and one that only others do.
    assert {"js/curate/store.js", "js/curate/wording.js"} <= set(names)
    assert "js/curate/workspace.js" not in names
    assert all(finders.find(name) for name in names)


def test_no_module_that_others_import_is_left_out() -> None:
    texts = [path.read_text() for path in SCRIPTS.rglob("*.js")]
    named = {address for text in texts for address in re.findall(r'"\./([^"]+\.js)";', text)}
    entries = ("workspace", "adjudicate", "comments-page", "waiting-work")
    loaded = {name for entry in entries for name in imported(f"js/curate/{entry}.js")}
    assert named == {name.removeprefix("js/curate/") for name in loaded}


def test_links_come_before_the_script_itself() -> None:
    lines = module_script("js/curate/workspace.js").splitlines()
    assert lines[0].startswith('<link rel="modulepreload" href="/static/js/curate/')
    assert lines[-1] == f'<script src="{static("js/curate/workspace.js")}" type="module"></script>'
    assert len(lines) == len(imported("js/curate/workspace.js")) + 1


def test_a_script_alone_needs_no_links() -> None:
    assert imported("js/sort.js") == ()


def test_an_import_of_nothing_is_an_error() -> None:
    with pytest.raises(LookupError, match=r"js/nobody\.js"):
        imported("js/nobody.js")


def test_pages_load_modules_that_import_others_by_the_tag_that_names_them() -> None:
    templates = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    by_hand = set(re.findall(r"""<script src="{% static '(js/[^']+)' %}" type="module">""", templates))
    assert by_hand
    assert not by_hand & ENTRIES

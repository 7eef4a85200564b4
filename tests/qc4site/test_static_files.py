"""What browsers get beside pages: vendored with checksums, and nothing that a strict content policy would refuse."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from tests.paths import ROOT

VENDORED = (ROOT / "static" / "vendor", ROOT / "tests" / "vendor")
LINE_CHARS = 160
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
OWN_CODE = [*sorted((ROOT / "static" / "js").rglob("*.js")), *sorted((ROOT / "static" / "css").glob("*.css"))]


def test_no_tag_of_a_template_is_broken_across_lines() -> None:
    """Django would show it as it stands."""
    lines = [(path, number, line) for path in TEMPLATES for number, line in enumerate(path.read_text().split("\n"), 1)]
    for opens, ends in (("{{", "}}"), ("{%", "%}"), ("{#", "#}")):
        broken = [f"{path.name}:{number}" for path, number, line in lines if line.count(opens) != line.count(ends)]
        assert broken == []


def test_templates_have_lines_that_can_be_read_and_compared() -> None:
    lines = [(path, number, line) for path in TEMPLATES for number, line in enumerate(path.read_text().split("\n"), 1)]
    assert lines
    assert [f"{path.relative_to(ROOT)}:{number}" for path, number, line in lines if len(line) > LINE_CHARS] == []


@pytest.mark.parametrize("vendor", VENDORED, ids=lambda path: path.parent.name)
def test_every_vendored_file_is_what_its_manifest_says(vendor: Path) -> None:
    listed = {}
    for library in json.loads((vendor / "manifest.json").read_text())["libraries"]:
        assert library["name"]
        assert library["version"] in library["package"]
        assert library["licence"]
        assert any(name.startswith("LICENSE") for name in library["files"])
        listed |= {f"{library['name']}/{name}": sha256 for name, sha256 in library["files"].items()}
    found = {
        path.relative_to(vendor).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in vendor.rglob("*")
        if path.is_file() and path != vendor / "manifest.json"
    }
    assert found == listed


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.relative_to(ROOT / "templates").as_posix())
def test_templates_hold_no_inline_code_and_trust_no_text(template: Path) -> None:
    text = template.read_text()
    assert not re.search(r"\sstyle=", text)
    assert not re.search(r"""\son[a-z]+=['"]""", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r'\|safe\b|autoescape off|<iframe|<img(?! src="\{\{ picture \}\}")', text)  # drawn here


@pytest.mark.parametrize("file", [*TEMPLATES, *OWN_CODE], ids=lambda path: path.name)
def test_nothing_is_fetched_from_another_host(file: Path) -> None:
    text = re.sub(r"https?://www\.w3\.org/\S+", "", file.read_text())
    assert not re.search(r"""(src|href|url\(|import|fetch\()\s*=?\s*["'(]?(https?:)?//""", text)

"""Mentions in a text. `tests/scripts/mentions.test.js` tests the same cases in the browser's twin."""

from __future__ import annotations

import json

import pytest

from annotations.discussion.services import mentions_in
from tests.paths import ROOT

CASES = json.loads((ROOT / "tests" / "scripts" / "mentions.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "names", "expected"), CASES)
def test_mentions_start_with_at_sign(text: str, names: list[str], expected: list[str]) -> None:
    assert mentions_in(text, names) == expected

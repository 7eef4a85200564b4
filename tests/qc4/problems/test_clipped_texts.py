"""How messages show values of the input."""

from __future__ import annotations

import pytest

from qc4.wording import clipped, quoted


@pytest.mark.parametrize(("text", "shown"), [("", ""), ("12345", "12345"), ("123456", "1234…")])
def test_a_text_that_is_cut_ends_in_an_ellipsis(text: str, shown: str) -> None:
    assert clipped(text, 5) == shown
    assert quoted(text, 5) == repr(shown)

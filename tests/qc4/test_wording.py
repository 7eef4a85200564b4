"""Formatting of input values, percentages and suggestions in messages."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.wording import clipped, did_you_mean, percentage, quoted
from tests.paths import ROOT


@pytest.mark.parametrize(("text", "shown"), [("", ""), ("12345", "12345"), ("123456", "1234…")])
def test_clipped_text_ends_in_an_ellipsis(text: str, shown: str) -> None:
    assert clipped(text, 5) == shown
    assert quoted(text, 5) == repr(shown)


# Values of the input in messages, and suggestions.


@pytest.mark.parametrize(
    ("name", "known", "asked"),
    [
        ("Cranes", ["crane", "Cranes"], ""),
        ("cranes", ["crane", "Cranes"], "Did you mean 'Cranes'?"),
        ("CRANE", ["cranes", "crane"], "Did you mean 'crane'?"),
        ("kmean", ["kmeans", "stc"], "Did you mean 'kmeans'?"),
        ("zebra", ["kmeans", "stc"], ""),
        ("x", [], ""),
    ],
)
def test_suggestion_is_the_nearest_name_and_empty_for_a_known_one(name: str, known: list[str], asked: str) -> None:
    assert did_you_mean(name, known) == asked


# Percentages are never rounded to 0 or 100.


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((0, 8), "0 %"), ((8, 8), "100 %"), ((1, 3), "33 %"), ((1, 1000), "<1 %"), ((999, 1000), ">99 %"),
        ((994, 1000), "99 %"), ((6, 1000), "1 %"), ((0.9996, 1, 1), ">99.9 %"), ((0.0004, 1, 1), "<0.1 %"),
        ((0.0123, 1, 2), "1.23 %"), ((1, 0), "–"), ((99.96, 100, 1), ">99.9 %"),
    ],
)  # fmt: skip
def test_only_an_empty_share_is_0_and_only_the_whole_is_100(arguments, text):
    assert percentage(*arguments) == text


@given(st.integers(1, 10**6), st.integers(0, 3), st.data())
def test_rounding_never_reaches_either_end(whole, digits, data):
    part = data.draw(st.integers(0, whole))
    text = percentage(part, whole, digits)
    number = float(text.strip("<>% "))
    assert (number == 0) == (part == 0)
    assert (number == 100) == (part == whole)
    assert abs(number - 100 * part / whole) <= 10.0**-digits


def test_percentages_are_formatted_in_one_place():
    """`percentage` formats percentages of data. Exact ones, such as a confidence level, may be written directly."""
    rounded = re.compile(r"\.[0-9]%\}|100 \*[^{}\n]*:\.[0-9]f\} %")
    ticks = {"charts.py", "standings.py", "series.py", "discriminative_power.py"}
    sources = [
        path
        for room in ("qc4", "evaluation", "annotations", "accounts", "common")
        for path in (ROOT / room).rglob("*.py")
    ]
    found = {path.name for path in sources if rounded.search(path.read_text(encoding="utf-8"))}
    assert found <= ticks

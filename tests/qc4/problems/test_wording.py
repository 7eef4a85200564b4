"""How messages show values of the input, and what they suggest."""

from __future__ import annotations

import pytest

from qc4.wording import did_you_mean


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
def test_suggestion_is_the_nearest_name_and_never_follows_a_known_one(name: str, known: list[str], asked: str) -> None:
    assert did_you_mean(name, known) == asked

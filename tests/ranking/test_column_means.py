"""The order of algorithms that every page keeps to: the board's."""

from __future__ import annotations

import pytest

from evaluation.ranking.means import place


@pytest.mark.parametrize(
    ("better", "expected"), [("higher", "delta Beta gamma alpha"), ("lower", "alpha Beta gamma delta")]
)
def test_the_best_comes_first_ties_by_name_and_who_has_no_value_last(better: str, expected: str) -> None:
    """0.1 + 0.2 and 0.3 are a tie: they differ in the last digit alone."""
    values = {"nobody": None, "gamma": 0.3, "Beta": 0.1 + 0.2, "alpha": 0.2, "delta": 0.9}
    ranked = sorted(values, key=lambda name: place(values[name], name, better))
    assert ranked == [*expected.split(), "nobody"]

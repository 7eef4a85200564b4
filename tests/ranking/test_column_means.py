"""The order of algorithms on all pages, which is that of the leaderboard."""

from __future__ import annotations

import pytest

from evaluation.ranking.means import mean_sort_key


@pytest.mark.parametrize(
    ("better", "expected"), [("higher", "delta Beta gamma alpha"), ("lower", "alpha Beta gamma delta")]
)
def test_best_is_first_ties_by_name_and_missing_values_last(better: str, expected: str) -> None:
    """0.1 + 0.2 and 0.3 are a tie: they differ only in the last digit."""
    values = {"nobody": None, "gamma": 0.3, "Beta": 0.1 + 0.2, "alpha": 0.2, "delta": 0.9}
    ranked = sorted(values, key=lambda name: mean_sort_key(values[name], name, better))
    assert ranked == [*expected.split(), "nobody"]

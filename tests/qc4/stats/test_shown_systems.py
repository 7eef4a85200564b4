"""A comparison that shows only some systems still describes all that were tested together."""

from __future__ import annotations

import pytest

from qc4.stats import compare, leader_sentence

SCORES = {
    "Good": [0.9, 0.8, 0.85, 0.9, 0.95, 0.9, 0.88, 0.91],
    "Fair": [0.8, 0.79, 0.8, 0.91, 0.9, 0.85, 0.86, 0.9],
    "Poor": [0.2, 0.1, 0.15, 0.2, 0.3, 0.2, 0.25, 0.1],
    "Bad": [0.1, 0.05, 0.1, 0.15, 0.2, 0.1, 0.2, 0.05],
}


@pytest.mark.parametrize("baseline", [None, "Poor"])
def test_sentences_and_numbers_are_about_the_whole_family(baseline: str | None) -> None:
    whole = compare(SCORES, baseline=baseline)
    shown = whole.showing({"Poor", "Bad"})
    assert leader_sentence(shown) == leader_sentence(whole)
    assert shown.showing({"Bad"}).of_family == whole.of_family
    assert [system.system for system in shown.systems] == ["Poor", "Bad"]
    assert shown.pairs == (whole.pair("Poor", "Bad"),)
    assert (shown.critical_value, shown.family_size) == (whole.critical_value, whole.family_size)

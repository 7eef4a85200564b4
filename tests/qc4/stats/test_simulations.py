"""Simulated guarantees of comparisons: small versions of `bench/coverage.py`, which also detect wrong procedures.

The full results are in `docs/users/comparison.md`.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bench.coverage import DISTANCES, Rate, alternative_rates, line, null_rates
from qc4.stats import tests as simultaneous
from tests.profiles import thorough

simulated = thorough("what comparisons promise, simulated")


def violated(rates: list[Rate]) -> list[str]:
    return [line(rate) for rate in rates if not rate.is_kept]


@simulated
@pytest.mark.parametrize("scores", ["normal", "skewed", "tied"])
def test_p_is_uniform_and_false_verdicts_are_rare_under_the_null(scores):
    rates, p = null_rates(scores, 150, draws=100, systems=6)
    assert violated(rates) == []
    # Ties make p coarse: it may be too large, but never too small.
    side = "greater" if scores == "tied" else "two-sided"
    assert stats.kstest(p, "uniform", alternative=side).pvalue > 0.01


@simulated
@pytest.mark.parametrize("scores", ["normal", "skewed", "tied"])
@pytest.mark.parametrize("apart", DISTANCES)
@pytest.mark.parametrize(("systems", "data_sets"), [(10, 120), (30, 25)])
def test_verdicts_intervals_places_and_distances_are_correct_together(scores, apart, systems, data_sets):
    rates = alternative_rates(scores, apart, systems, data_sets, draws=200)
    assert violated(rates) == []
    assert apart != "near" or rates[-1].rate < 0.9  # a bootstrap of ranks fails this


@simulated
class TestWrongProcedures:
    """The data sets above detect each of these."""

    def test_unadjusted_p_is_detected(self, monkeypatch):
        maxima = simultaneous._maxima

        def of_one_pair(pairs, family, least, signs):
            alone, _, reached = maxima(pairs, family[:1], least[:1], signs)
            return alone, alone, np.broadcast_to(reached, family.shape)

        monkeypatch.setattr(simultaneous, "_maxima", of_one_pair)
        rates, _ = null_rates("normal", 150, draws=100, systems=6)
        claims = [rate.claim for rate in rates if not rate.is_kept]
        assert claims[:2] == ["false verdict by max-t", "false verdict by max-t against a baseline"]
        assert "all intervals of differences hold" in claims

    def test_intervals_without_deviations_are_detected(self, monkeypatch):
        """For very different systems all pairs flip together, so that U alone makes the critical value too small."""
        maxima = simultaneous._maxima

        def without_v(*arguments):
            turned, _, reached = maxima(*arguments)
            return turned, turned, reached

        monkeypatch.setattr(simultaneous, "_maxima", without_v)
        intervals = alternative_rates("normal", "far", 10, 60, draws=200)[1]
        assert not intervals.is_kept

    def test_one_sided_p_is_detected(self, monkeypatch):
        both = simultaneous._p
        monkeypatch.setattr(simultaneous, "_p", lambda *arguments: both(*arguments) / 2)
        rates, p = null_rates("normal", 150, draws=100, systems=6)
        assert any(claim.startswith("p of a pair <= 0.5") for claim in violated(rates))
        assert stats.kstest(p, "uniform").pvalue < 1e-6


def test_bounds_are_exact_binomial():
    """For 10 of 10 successes the lower bound b satisfies b^10 = .025."""
    low, high = Rate("all", "ten", 10, 10).bounds
    assert (low**10, high) == (pytest.approx(0.025), 1.0)
    assert Rate("most", "", 8, 100, most=0.05).is_kept
    assert not Rate("most", "", 12, 100, most=0.05).is_kept
    assert not Rate("least", "", 85, 100, least=0.93).is_kept

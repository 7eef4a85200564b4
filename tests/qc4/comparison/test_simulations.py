"""What comparisons promise, simulated: small versions of `bench/coverage.py`, and that they find a wrong procedure out.

The whole ones are in `docs/users/comparison.md`.
"""

from __future__ import annotations

import pytest
from scipy import stats

from bench.coverage import Rate, line, null_rates, rank_rates
from qc4.comparison.randomization import Randomization
from tests.profiles import thorough

simulated = thorough("what comparisons promise, simulated")


def broken(rates: list[Rate]) -> list[str]:
    return [line(rate) for rate in rates if not rate.kept]


@simulated
@pytest.mark.parametrize("scores", ["normal", "skewed", "tied"])
def test_under_the_null_p_are_uniform_and_false_verdicts_rare(scores):
    rates, p = null_rates(scores, 150, draws=100, systems=6)
    assert broken(rates) == []
    # Ties make p coarse: they may be too large, never too small.
    side = "greater" if scores == "tied" else "two-sided"
    assert stats.kstest(p, "uniform", alternative=side).pvalue > 0.01


@simulated
@pytest.mark.parametrize("scores", ["normal", "skewed", "tied"])
@pytest.mark.parametrize(("systems", "data_sets"), [(10, 300), (40, 60)])
def test_rank_sets_hold_the_true_best_and_a_bootstrap_of_ranks_does_not(scores, systems, data_sets):
    rates = rank_rates(scores, systems, data_sets, draws=200)
    assert broken(rates) == []
    assert rates[-1].rate < 0.9


@simulated
class TestWrongProcedures:
    """Each of these is found out with the data sets above."""

    def test_p_that_are_not_adjusted(self, monkeypatch):
        monkeypatch.setattr(Randomization, "adjusted", lambda self, family: self.raw[family])
        rates, _ = null_rates("normal", 150, draws=100, systems=6)
        assert [rate.claim for rate in rates if not rate.kept] == [
            "false verdict by max-t",
            "false verdict by max-t against a baseline",
        ]
        assert any("rank set" in claim for claim in broken(rank_rates("normal", 40, 60, draws=200)))

    def test_p_of_one_side(self, monkeypatch):
        both = Randomization._p
        monkeypatch.setattr(Randomization, "_p", lambda self, reached: both(self, reached) / 2)
        rates, p = null_rates("normal", 150, draws=100, systems=6)
        assert any(claim.startswith("p of a pair <= 0.5") for claim in broken(rates))
        assert stats.kstest(p, "uniform").pvalue < 1e-6


def test_bounds_are_exact_binomial():
    """Of 10 of 10 the lower bound b has b^10 = .025."""
    low, high = Rate("all", "ten", 10, 10).bounds
    assert (low**10, high) == (pytest.approx(0.025), 1.0)
    assert Rate("most", "", 8, 100, most=0.05).kept
    assert not Rate("most", "", 12, 100, most=0.05).kept
    assert not Rate("least", "", 85, 100, least=0.93).kept

"""Agreement of measures: tau as in SciPy, hand-made contradictions, discriminative power."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from qc4.problems import InputError
from qc4.stats import compare, compare_measures, discriminative_power


def tables(seed: int = 1) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    good = random.normal(0, 0.1, (6, 1))
    return {key: good + random.normal(0, 0.15, (6, 30)) for key in ("one", "two", "three")}


def test_tau_equals_scipy():
    found = compare_measures(tables(), draws=300)
    for agreement in found.agreements:
        means = [tables()[key].mean(axis=1) for key in (agreement.one, agreement.other)]
        assert agreement.tau == pytest.approx(stats.kendalltau(*means).statistic)
        assert -1 <= agreement.low < agreement.high <= 1


def test_tau_with_ties_equals_scipy():
    one = np.array([[0.1], [0.1], [0.3], [0.4]]) + np.zeros((4, 5))
    two = np.array([[0.2], [0.1], [0.2], [0.5]]) + np.zeros((4, 5))
    (agreement,) = compare_measures({"one": one, "two": two}, draws=200).agreements
    assert agreement.tau == pytest.approx(stats.kendalltau(one[:, 0], two[:, 0]).statistic)


def test_measure_agrees_with_its_negative():
    table = tables()["one"]
    (agreement,) = compare_measures({"up": table, "down": -table}, better={"down": "lower"}, draws=200).agreements
    assert (agreement.tau, agreement.low, agreement.high, agreement.contradictions) == (1, 1, 1, ())


def test_contradictions_are_significant_in_opposite_directions():
    """One measure prefers A on every query, the other B. Both agree on C."""
    one = np.array([[0.9] * 12, [0.5] * 12, [0.1] * 12])
    two = np.array([[0.5] * 12, [0.9] * 12, [0.1] * 12])
    found = compare_measures({"one": one, "two": two}, ["A", "B", "C"], procedure="max-t", draws=500)
    (agreement,) = found.agreements
    assert [(each.a, each.b) for each in agreement.contradictions] == [("A", "B")]
    assert agreement.tau == pytest.approx(1 / 3)
    assert found.power == {"one": 1.0, "two": 1.0}
    assert found.to_dict()["agreements"][0]["contradictions"] == [{"a": "A", "b": "B"}]


def test_discriminative_power_is_the_share_of_significant_pairs():
    found = compare(tables()["one"], draws=500)
    separated = sum(pair.p_adjusted <= 0.05 for pair in found.pairs)
    assert discriminative_power(found) == separated / 15
    assert discriminative_power(compare([[0.1], [0.2]])) is None


def test_only_queries_that_all_measures_have_are_used():
    given = tables()
    given["two"][3, 7] = math.nan
    given["one"][0, 2] = math.nan
    assert compare_measures(given, draws=200).queries == 28


def test_measure_that_ties_all_systems_has_no_tau():
    (agreement,) = compare_measures({"flat": np.ones((3, 8)), "one": tables()["one"][:3, :8]}, draws=200).agreements
    assert (agreement.tau, agreement.low, agreement.high) == (None, None, None)


@pytest.mark.parametrize("given", [{"one": [[1.0, 2.0]]}, {"one": [[1.0, 2.0]], "two": [[1.0]]}])
def test_tables_of_different_shapes_are_rejected(given):
    with pytest.raises(InputError, match=r"two tables or more|the same shape"):
        compare_measures(given)

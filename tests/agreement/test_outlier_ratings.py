"""Cohen's kappa and Gwet's AC1: published and hand-computed values, published variances, and undefined cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from annotations.agreement.statistics import Ratings, ac1, kappa
from qc4.inputs.undefined import Undefined

counts = st.integers(0, 30)
tables = st.builds(Ratings, counts, counts, counts, counts)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        # By hand: 35 of 50 agree; by chance .5 * .6 + .5 * .4 = .5; (.7 - .5) / .5.
        (Ratings(20, 5, 10, 15), 0.4),
        # Feinstein & Cicchetti, Journal of Clinical Epidemiology 43, 1990: 85 of 100 agree in both.
        (Ratings(40, 9, 6, 45), 0.70),
        (Ratings(80, 10, 5, 5), 0.32),
        # By hand: 118 of 125 agree, .94528 by chance; Gwet shows AC1 on this table, because kappa is below 0.
        (Ratings(118, 5, 2, 0), -0.0234),
        (Ratings(3, 0, 0, 7), 1.0),
    ],
)
def test_known_values_of_kappa(table: Ratings, expected: float) -> None:
    assert kappa(table).value == pytest.approx(expected, abs=5e-3 if expected in (0.70, 0.32) else 5e-5)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        # By hand: the proportion marked is (.5 + .6) / 2 = .55; by chance 2 * .55 * .45 = .495; (.7 - .495) / .505.
        (Ratings(20, 5, 10, 15), 0.205 / 0.505),
        # By hand: .028 marked on average, .054432 by chance; (.944 - .054432) / .945568.
        (Ratings(118, 5, 2, 0), 0.9408),
        # By hand: .06 marked on average, .1128 by chance; (.96 - .1128) / .8872.
        (Ratings(4, 2, 2, 92), 0.8472 / 0.8872),
        (Ratings(0, 0, 0, 12), 1.0),
        (Ratings(12, 0, 0, 0), 1.0),
    ],
)
def test_known_values_of_ac1(table: Ratings, expected: float) -> None:
    assert ac1(table).value == pytest.approx(expected, abs=5e-5)


@given(tables)
def test_kappa_equals_scikit_learn(table: Ratings) -> None:
    marked = table.both + table.only_first + table.only_second
    assume((marked and marked != table.both) or (table.neither and marked))
    sizes = (table.both, table.only_first, table.only_second, table.neither)
    first, second = np.repeat([1, 1, 0, 0], sizes), np.repeat([1, 0, 1, 0], sizes)
    assert kappa(table).value == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)


def reach(estimate: object) -> float:
    """Return half the width of an interval that was not clipped, in standard errors of the normal distribution."""
    return (estimate.high - estimate.value) / 1.959963984540054


@pytest.mark.parametrize("table", [Ratings(20, 5, 10, 15), Ratings(40, 9, 6, 45), Ratings(6, 4, 3, 87)])
def test_variance_of_kappa_matches_fleiss_cohen_and_everitt(table: Ratings) -> None:
    p = table.shares
    row, column = p.sum(axis=1), p.sum(axis=0)
    chance, value = float(row @ column), kappa(table).value
    agreeing = sum(p[i, i] * (1 - (row[i] + column[i]) * (1 - value)) ** 2 for i in range(2))
    crossed = (1 - value) ** 2 * sum(p[i, j] * (column[i] + row[j]) ** 2 for i, j in ((0, 1), (1, 0)))
    variance = (agreeing + crossed - (value - chance * (1 - value)) ** 2) / ((1 - chance) ** 2 * table.n)
    assert reach(kappa(table)) == pytest.approx(math.sqrt(variance))


@pytest.mark.parametrize("table", [Ratings(20, 5, 10, 15), Ratings(40, 9, 6, 45), Ratings(12, 4, 3, 31)])
def test_variance_of_ac1_matches_gwet(table: Ratings) -> None:
    p, value = table.shares, ac1(table).value
    share = (p.sum(axis=1) + p.sum(axis=0)) / 2
    observed, chance = float(np.trace(p)), float((share * (1 - share)).sum())
    crossed = sum(p[i, j] * (1 - (share[i] + share[j]) / 2) ** 2 for i in range(2) for j in range(2))
    spread = (
        observed * (1 - observed)
        - 4 * (1 - value) * (float((np.diag(p) * (1 - share)).sum()) - observed * chance)
        + 4 * (1 - value) ** 2 * (crossed - chance**2)
    )
    assert reach(ac1(table)) == pytest.approx(math.sqrt(spread / table.n) / (1 - chance))


def test_an_interval_by_hand() -> None:
    found = kappa(Ratings(20, 5, 10, 15))
    assert found.low is not None
    assert found.high is not None
    # p = .4 .1 / .2 .3, rows .5 .5, columns .6 .4, 1 - kappa = .6: .4 * .34² + .3 * .46² + .36 * (.1 * 1.1² + .2 * .9²)
    # - (.4 - .3)² = .20160; / (.25 * 50) = .016128, whose root is .126996.
    assert (found.low, found.high) == pytest.approx((0.4 - 1.96 * 0.126996, 0.4 + 1.96 * 0.126996), abs=1e-4)


@given(tables)
def test_values_and_intervals_are_in_range_and_symmetric(table: Ratings) -> None:
    swapped = Ratings(table.both, table.only_second, table.only_first, table.neither)
    for coefficient in (kappa, ac1):
        try:
            found = coefficient(table)
        except Undefined:
            with pytest.raises(Undefined):
                coefficient(swapped)
            continue
        assert -1 <= (found.low if found.low is not None else found.value) <= found.value + 1e-12
        assert found.value - 1e-12 <= (found.high if found.high is not None else found.value) <= 1
        assert found.value == pytest.approx(coefficient(swapped).value)


def test_perfect_agreement_has_no_interval() -> None:
    for coefficient in (kappa, ac1):
        found = coefficient(Ratings(3, 0, 0, 7))
        assert (found.value, found.low, found.high) == (1, None, None)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (Ratings(0, 0, 0, 9), "neither marks an outlier"),
        (Ratings(9, 0, 0, 0), "both mark every page"),
        (Ratings(0, 0, 0, 0), "no page that both have assigned"),
    ],
)
def test_undefined_kappa_has_reason(table: Ratings, words: str) -> None:
    with pytest.raises(Undefined, match=words):
        kappa(table)


def test_ac1_needs_pages() -> None:
    with pytest.raises(Undefined, match="no page that both have assigned"):
        ac1(Ratings(0, 0, 0, 0))

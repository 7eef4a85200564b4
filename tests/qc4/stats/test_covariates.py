"""Differences of two systems by query property: bins, their differences, and the trend."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest
from scipy import stats

from qc4.io.comparisons import covariates_csv
from qc4.problems import InputError
from qc4.stats import compare, covariate_sentence, exploratory_note, mean_interval, where_better
from qc4.stats.covariates import bins


def random_case(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Return a property, and scores of two systems whose difference grows with it."""
    random = np.random.default_rng(seed)
    fact = random.integers(2, 30, n)
    scores = random.normal(0.5, 0.05, (2, n))
    scores[0] += 0.01 * (fact - 15)
    return scores, fact


def members(values) -> list[list[float]]:
    values = np.array(values, dtype=float)
    return [sorted(values[each].tolist()) for each in bins(values)]


def test_few_values_are_separate_bins_and_many_are_thirds():
    assert members([3, 1, 1, 2]) == [[1, 1], [2], [3]]
    assert members([1, 2, 3, 4, 5, 6]) == [[1, 2], [3, 4], [5, 6]]
    assert members([1, 2, 3, 4, 5, 6, 7]) == [[1, 2, 3], [4, 5], [6, 7]]


def test_equal_values_share_a_bin():
    assert members([1, 1, 1, 1, 1, 2, 3, 4, 5, 6]) == [[1, 1, 1, 1, 1], [2, 3], [4, 5, 6]]
    assert members([1, 2, 3, 4, 5, 9, 9, 9, 9, 9, 9, 9]) == [[1, 2, 3, 4], [5, 9, 9, 9, 9, 9, 9, 9]]


def test_bin_equals_a_comparison_of_its_queries():
    scores, fact = random_case(1)
    (found,) = where_better(scores, {"topic size": fact}).covariates
    assert sum(each.queries for each in found.bins) == 40
    for each in found.bins:
        inside = (fact >= each.least) & (fact <= each.most)
        pair = compare(scores[:, inside], ["A", "B"]).pair("A", "B")
        sign = 1 if pair.a == "A" else -1
        mean = mean_interval(scores[0, inside] - scores[1, inside])
        assert each.difference == pytest.approx(sign * pair.difference)
        assert [each.low, each.high] == pytest.approx([mean.low, mean.high], abs=1e-3)
        wins, losses = (pair.wins, pair.losses)[::sign]
        assert (each.wins, each.ties, each.losses, each.queries) == (wins, pair.ties, losses, pair.queries)


def test_tau_equals_scipy_and_its_interval_comes_from_resampled_queries():
    scores, fact = random_case(2)
    difference = np.round(scores[0] - scores[1], 2)  # with ties
    (found,) = where_better([difference, np.zeros(40)], {"fact": fact}, draws=2000, seed=3).covariates
    assert found.tau == pytest.approx(stats.kendalltau(difference, fact).statistic)
    random = np.random.default_rng(9)
    taus = []
    for _ in range(1500):
        which = random.integers(0, 40, 40)
        taus.append(stats.kendalltau(difference[which], fact[which]).statistic)
    assert (found.tau_low, found.tau_high) == pytest.approx(np.quantile(taus, [0.025, 0.975]), abs=0.03)


def test_sentence_gives_the_direction_of_a_trend_or_says_there_is_none():
    scores, fact = random_case(3)
    noise = np.random.default_rng(4).permutation(40)
    found = where_better(scores, {"topic size": fact, "depth": -fact, "noise": noise}, ["STC", "Ward"])
    words = [covariate_sentence(found, each) for each in found.covariates]
    assert words[0].startswith("topic size: STC's advantage over Ward grows as this value rises, tau .")
    assert words[1].startswith("depth: STC's advantage over Ward grows as this value falls, tau −.")
    assert words[2].startswith("noise: no visible trend in the difference between STC and Ward, tau ")
    assert exploratory_note(found).startswith("12 intervals of 95 %. These are exploratory: they are not adjusted")
    assert "p" not in found.to_dict()["covariates"][0]


def test_missing_values_are_omitted():
    scores, fact = random_case(5, 12)
    fact = fact.astype(float)
    fact[0] = math.nan
    scores[1, 1] = math.nan
    found = where_better(scores, {"fact": fact, "nothing": [math.nan] * 12, "same": [2] * 12})
    assert found.queries == 11
    assert [each.queries for each in found.covariates] == [10, 0, 11]
    assert (found.covariates[1].bins, found.covariates[1].tau) == ((), None)
    assert (found.covariates[2].bins[0].label, found.covariates[2].tau) == ("2", None)


def test_direction_and_order_of_queries_do_not_matter():
    scores, fact = random_case(6)
    keys = [f"q{number:02}" for number in range(40)]
    one = where_better(scores, {"fact": fact}, queries=keys)
    order = np.random.default_rng(0).permutation(40)
    other = where_better(
        -scores[:, order], {"fact": fact[order]}, queries=[keys[place] for place in order], better="lower"
    )
    assert one.to_dict() == other.to_dict()


def test_the_file_has_a_row_for_each_bin():
    scores, fact = random_case(7)
    found = where_better(scores, {"size": fact, "=depth": [1, 2] * 20})
    rows = list(csv.DictReader(io.StringIO(covariates_csv(found))))
    assert [row["covariate"] for row in rows] == ["size"] * 3 + ["'=depth"] * 2
    assert [float(row["low"]) for row in rows] == [each.low for fact in found.covariates for each in fact.bins]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"covariates": {"x": [1, 2]}}, "wrong-length"),
        ({"covariates": {"x": [1, 2, math.inf]}}, "bad-score"),
        ({"covariates": {}, "systems": ["A"]}, "no-pair"),
        ({"covariates": {}, "alpha": 2}, "out-of-range"),
    ],
)
def test_each_error_has_its_code(arguments, code):
    with pytest.raises(InputError) as error:
        where_better([[1, 2, 3], [3, 2, 1]], **arguments)
    assert [problem.code for problem in error.value.problems] == [code]

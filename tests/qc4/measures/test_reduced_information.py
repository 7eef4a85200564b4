"""Reduced mutual information: agreement with the code lengths of its source, and their consequences."""

from fractions import Fraction
from itertools import product
from math import comb, exp, inf, lgamma, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.inputs.partition import Contingency
from qc4.measures.information import nmi_arithmetic, nrmi, reduced_information, reduced_mutual_information
from tests.qc4.small_cases import counts

partitions = st.integers(1, 20).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n) for _ in range(2)])
)


def ln_binomial(n, k):
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def table_cost(table, alpha):
    """Return the nats for the table, column by column, each from a Dirichlet-multinomial distribution."""
    q = table.shape[0]
    return sum(
        ln_binomial(column.sum() + q * alpha - 1, q * alpha - 1)
        - sum(ln_binomial(cell + alpha - 1, alpha - 1) for cell in column.tolist())
        for column in table.T
    )


def labels_cost(table):
    """Return the nats for the classes once the table is known."""
    return sum(lgamma(column.sum() + 1) - sum(lgamma(cell + 1) for cell in column.tolist()) for column in table.T)


def smallest_table_cost(table, low, high):
    """Return the smallest cost over α in [low, high], found on ever finer grids."""
    left, right, best = log(low), log(high), inf
    for _ in range(8):
        grid = np.linspace(left, right, 30)
        costs = [table_cost(table, exp(point)) for point in grid]
        at = int(np.argmin(costs))
        best = min(best, costs[at])
        left, right = grid[max(at - 1, 0)], grid[min(at + 1, grid.size - 1)]
    return best


def literal(table, low=1e-7, high=1e7):
    """Return H(g) - H(g|c) in nats as in the source: sizes or table first, then the classes."""
    alone = table.sum(axis=1, keepdims=True)
    plain, given_clusters = ((smallest_table_cost(each, low, high) + labels_cost(each)) for each in (alone, table))
    return plain - given_clusters


@given(partitions)
def test_values_agree_with_the_code_lengths_of_the_source(pair):
    expected = literal(counts(*pair))
    assert reduced_information(Contingency.from_labels(*pair)) == pytest.approx(expected, abs=1e-4)


def test_values_agree_with_the_published_one():
    """Their package is tested against Mathematica: 0.160127 bits, with α between 0.0001 and 10,000."""
    classes, clusters = [1, 1, 2, 2, 2, 3, 3, 3], [1, 1, 1, 2, 2, 2, 2, 2]
    assert literal(counts(classes, clusters), 1e-4, 1e4) / log(2) == pytest.approx(0.160127, abs=1e-6)
    ours = reduced_mutual_information(Contingency.from_labels(classes, clusters)) * 8 / log(2)
    assert ours == pytest.approx(0.160127, abs=1e-3)  # the best α for the class sizes is infinite


@pytest.mark.parametrize("alpha", [Fraction(1, 7), Fraction(1), Fraction(9, 2)])
def test_values_agree_with_sending_page_by_page(alpha):
    """The derivation: each cluster has an urn, from which a class is drawn and put back twice."""
    classes, clusters = [0, 2, 1, 0, 0, 1, 2, 0], [0, 0, 1, 1, 0, 1, 1, 2]
    chance, seen = Fraction(1), np.zeros((3, 3), dtype=int)
    for page_class, cluster in zip(classes, clusters, strict=True):
        chance *= (int(seen[page_class, cluster]) + alpha) / (int(seen[:, cluster].sum()) + 3 * alpha)
        seen[page_class, cluster] += 1
    spelled_out = table_cost(seen, float(alpha)) + labels_cost(seen)
    assert spelled_out == pytest.approx(-log(chance), rel=1e-12)


def test_values_with_a_known_best_code():
    """One of nine pages is of the other class: α^8 (α + 1) .. over 2α (2α + 1) .. is evaluated for 40,000 values of
    α."""
    table = Contingency.from_labels([0] * 8 + [1], [0] * 8 + [1])
    lengths = [
        sum(log(2 * alpha + page) for page in range(9)) - sum(log(alpha + page) for page in range(8)) - log(alpha)
        for alpha in np.linspace(0.01, 4, 40_000)
    ]
    assert reduced_information(table) == pytest.approx(min(lengths) - 2 * log(2), abs=1e-7)


def test_one_cluster_or_one_class_gives_zero():
    for classes, clusters in ([0, 0, 1, 2], [0, 0, 0, 0]), ([0, 0, 0], [0, 1, 1]):
        table = Contingency.from_labels(classes, clusters)
        assert reduced_mutual_information(table) == nrmi(table) == 0.0


def test_singleton_classes_give_zero():
    table = Contingency.from_labels([0, 1, 2, 3], [0, 0, 1, 1])
    assert nrmi(table) == 0.0
    assert reduced_mutual_information(table) == pytest.approx(0, abs=1e-12)


@given(partitions)
def test_only_the_gold_standard_scores_1(pair):
    table = Contingency.from_labels(*pair)
    assert (nrmi(table) == pytest.approx(1, abs=1e-9)) == table.identical


@given(st.lists(st.integers(0, 3), min_size=2, max_size=20))
def test_singletons_never_score_above_zero(labels):
    """Singletons give no information except that all classes are equally likely."""
    classes = Contingency.from_labels(labels, range(len(labels)))
    assert reduced_information(classes) <= 1e-9


def test_no_small_partition_scores_above_the_gold_standard():
    """Compare all 15 partitions of four pages, also with cluster names in reverse order."""
    every = [labels for labels in product(range(4), repeat=4) if all(labels[n] <= len({*labels[:n]}) for n in range(4))]
    assert len(every) == 15
    for classes in every:
        own = reduced_information(Contingency.from_labels(classes, classes))
        for clusters in every:
            for names in (clusters, [-label for label in clusters]):
                assert reduced_information(Contingency.from_labels(classes, names)) <= own + 1e-9


def test_random_clusterings_score_about_zero_for_any_number_of_clusters():
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 5, 300)
    tables = [Contingency.from_labels(classes, rng.integers(0, 100, 300)) for _ in range(20)]
    assert np.mean([nmi_arithmetic(table) for table in tables]) > 0.2
    assert np.mean([nrmi(table) for table in tables]) < 0.01


def test_values_are_accurate_for_a_million_pages():
    """Classes of equal size, each split in two: ln q for each first page of a cluster, or for each page without
    clusters."""
    classes = np.repeat(np.arange(10), 100_000)
    clusters = np.repeat(np.arange(20), 50_000)
    table = Contingency.from_labels(classes, clusters)
    assert reduced_information(table) == pytest.approx((1_000_000 - 20) * log(10), rel=1e-12)
    assert nrmi(table) == pytest.approx((1_000_000 - 20) / (1_000_000 - 10), rel=1e-12)


def test_with_alpha_1_all_columns_have_the_same_code_length():
    """This is the code that the source improves on."""
    table = np.array([[3, 0], [1, 2], [0, 4]])
    assert table_cost(table, 1.0) == pytest.approx(log(comb(4 + 2, 2)) + log(comb(6 + 2, 2)))

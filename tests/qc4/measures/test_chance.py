"""NMI variants and AMI: hand-computed values, scikit-learn, all clusterings of the same sizes, and accuracy."""

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import metrics

from qc4.inputs.partition import Contingency
from qc4.measures import information
from qc4.measures.information import expected_variation

partitions = st.integers(1, 60).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 7), min_size=n, max_size=n) for _ in range(2)])
)


@given(partitions)
def test_values_agree_with_scikit_learn(pair):
    table = Contingency.from_labels(*pair)
    assume(not table.identical)
    assert information.ami(table) == pytest.approx(metrics.adjusted_mutual_info_score(*pair), abs=1e-9)
    for function, average in ((information.nmi_min, "min"), (information.nmi_max, "max")):
        if len(set(pair[0])) > 1 and len(set(pair[1])) > 1:
            peer = metrics.normalized_mutual_info_score(*pair, average_method=average)
            assert function(table) == pytest.approx(peer, abs=1e-9)


@pytest.mark.parametrize(
    ("classes", "clusters"),
    [([0, 0, 1, 1], [0, 0, 0, 1]), ([0, 0, 1, 1, 2], [0, 1, 1, 2, 2]), ([0, 1, 2, 3, 3], [0, 0, 0, 0, 1])],
    ids=str,
)
def test_the_expectation_is_the_mean_over_all_shuffled_clusterings(classes, clusters):
    tables = [Contingency.from_labels(classes, shuffled) for shuffled in permutations(clusters)]
    mean = math.fsum(map(information.vi, tables)) / len(tables)
    assert expected_variation(tables[0].class_sizes, tables[0].cluster_sizes) == pytest.approx(mean, rel=1e-14)
    assert math.fsum(map(information.ami, tables)) == pytest.approx(0, abs=1e-12)


def test_values_by_hand():
    """With classes 2 + 2 and clusters 3 + 1 every shuffle gives cells 2, 1, 1, so nothing is better than chance."""
    table = Contingency.from_labels([0, 0, 1, 1], [0, 0, 0, 1])
    shared = math.log(2) - (2 / 4 * math.log(3 / 2) + 1 / 4 * math.log(3))  # H(T) - H(T|C)
    of_clusters = 3 / 4 * math.log(4 / 3) + 1 / 4 * math.log(4)
    assert information.nmi_min(table) == pytest.approx(shared / of_clusters)
    assert information.nmi_max(table) == pytest.approx(shared / math.log(2))
    assert information.ami(table) == pytest.approx(0, abs=1e-15)


def test_a_refinement_has_nmi_min_one():
    assert information.nmi_min(Contingency.from_labels([0, 0, 1, 1], [0, 1, 2, 2])) == pytest.approx(1)


def test_trivial_partitions():
    one_class = Contingency.from_labels([0, 0, 0], [0, 1, 2])
    for function in (information.nmi_min, information.nmi_max, information.ami):
        assert function(one_class) == 0.0, function.__name__


def exact_expectation(a: int, b: int, n: int) -> float:
    """Return E[(k/n) ln(ab / k^2)] with probabilities as fractions."""
    ways = math.comb(n, b)
    chances = {
        k: Fraction(math.comb(a, k) * math.comb(n - a, b - k), ways) for k in range(1, min(a, b) + 1) if b - k <= n - a
    }
    return math.fsum(float(chance) * k / n * math.log(a * b / k**2) for k, chance in chances.items())


@pytest.mark.parametrize(
    ("classes", "clusters"),
    [([900, 100], [500, 500]), ([300, 299, 1], [599, 1]), ([1] * 40 + [60], [2] * 50), ([1999, 1], [1000, 1000])],
    ids=str,
)
def test_ignoring_unlikely_terms_does_not_change_the_result(classes, clusters):
    n = sum(classes)
    exact = math.fsum(exact_expectation(a, b, n) for a in classes for b in clusters)
    assert expected_variation(np.array(classes), np.array(clusters)) == pytest.approx(exact, rel=1e-13)


def test_ami_is_accurate_despite_cancellation():
    """A million singletons except for one pair in each partition: I, E[I] and both entropies agree to 12 digits."""
    n = 1_000_000
    classes, clusters = np.arange(n), np.arange(n)
    classes[1], clusters[3] = 0, 2
    table = Contingency.from_labels(classes, clusters)
    # When shuffled, VI is 0 if the two pairs coincide (once in n(n-1)/2) and as here otherwise, with or without a
    # common page.
    chance = 2 / (n * (n - 1))
    assert information.ami(table) == pytest.approx(-chance / (1 - chance), abs=1e-14)
    assert information.ami(table) <= 0


def test_many_sizes_are_computed_in_bounded_blocks():
    """Sizes 1, 2, .., 700 in both partitions give nearly half a million pairs of sizes."""
    sizes = np.arange(1, 701)
    once = expected_variation(sizes, sizes)
    entropy = information.entropy(sizes)
    assert 0 < once < 2 * entropy

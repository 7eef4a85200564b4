"""Measures of partitions: hand-computed values, agreement with scikit-learn, and better accuracy."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.metrics.cluster import pair_confusion_matrix

from qc4.inputs.partition import Contingency
from qc4.measures import information, pair_counting, set_matching

partitions = st.integers(1, 60).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 7), min_size=n, max_size=n) for _ in range(2)])
)


def joint_entropy_part(classes, clusters):
    """Return H(T|C) from scikit-learn's mutual information."""
    return metrics.mutual_info_score(classes, classes) - metrics.mutual_info_score(classes, clusters)


def sklearn_jaccard(classes, clusters):
    (_, fp), (fn, tp) = pair_confusion_matrix(classes, clusters)
    return tp / (tp + fp + fn)


def sklearn_purity(classes, clusters):
    return metrics.cluster.contingency_matrix(classes, clusters).max(axis=0).sum() / len(classes)


PEERS = {
    pair_counting.rand: metrics.rand_score,
    pair_counting.ari: metrics.adjusted_rand_score,
    pair_counting.jaccard: sklearn_jaccard,
    pair_counting.fowlkes_mallows: metrics.fowlkes_mallows_score,
    set_matching.purity: sklearn_purity,
    set_matching.inverse_purity: lambda classes, clusters: sklearn_purity(clusters, classes),
    information.conditional_entropy: joint_entropy_part,
    information.mutual_information: metrics.mutual_info_score,
    information.nmi_sqrt: lambda a, b: metrics.normalized_mutual_info_score(a, b, average_method="geometric"),
    information.nmi_arithmetic: metrics.normalized_mutual_info_score,
    information.vi: lambda a, b: joint_entropy_part(a, b) + joint_entropy_part(b, a),
    information.homogeneity: metrics.homogeneity_score,
    information.completeness: metrics.completeness_score,
    information.v_measure: metrics.v_measure_score,
}


@pytest.mark.parametrize("function", PEERS, ids=lambda function: function.__name__)
@given(pair=partitions)
def test_values_agree_with_scikit_learn(function, pair):
    """Identical partitions are excluded: ours gives 1 by rule, while scikit-learn's Fowlkes-Mallows and pair counts
    give 0 or 0/0 if every block has one page."""
    classes, clusters = pair
    table = Contingency.from_labels(classes, clusters)
    assume(not table.identical)
    assert function(table) == pytest.approx(PEERS[function](classes, clusters), abs=1e-9)


@given(partitions)
def test_entropies_are_fractions_of_the_worst_case(pair):
    classes, clusters = pair
    table = Contingency.from_labels(classes, clusters)
    worst = math.log(len(set(classes)))
    expected = information.conditional_entropy(table) / worst if worst else 0.0
    assert information.cluster_entropy(table) == pytest.approx(expected)
    assert information.class_entropy(table) == information.cluster_entropy(table.transposed)


class TestByHand:
    """Classes 3 + 3, clusters 4 + 2: the first cluster contains a whole class and one page of the other."""

    table = Contingency.from_labels([0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1])

    @pytest.mark.parametrize(
        ("function", "expected"),
        [
            (pair_counting.rand, 10 / 15),  # TP 4, FP 3, FN 2, TN 6
            (pair_counting.ari, 2 * (4 * 6 - 2 * 3) / (6 * 8 + 7 * 9)),
            (pair_counting.jaccard, 4 / 9),
            (pair_counting.fowlkes_mallows, 4 / math.sqrt(42)),
            (set_matching.purity, 5 / 6),
            (set_matching.inverse_purity, 5 / 6),
            (information.conditional_entropy, (3 * math.log(4 / 3) + math.log(4)) / 6),
            (information.cluster_entropy, (3 * math.log(4 / 3) + math.log(4)) / 6 / math.log(2)),
            (information.class_entropy, (math.log(3) + 2 * math.log(3 / 2)) / 6 / math.log(2)),
            (information.mutual_information, (3 * math.log(3 / 2) + math.log(1 / 2) + 2 * math.log(2)) / 6),
        ],
        ids=lambda value: getattr(value, "__name__", ""),
    )
    def test_value(self, function, expected):
        assert function(self.table) == pytest.approx(expected, rel=1e-14)


class TestTrivialPartitions:
    """One class and many clusters: 0/0 is 0, except if the formula is 1 minus it."""

    one_class = Contingency.from_labels([0, 0, 0], [0, 1, 2])

    def test_no_shared_pairs_or_information_score_zero(self):
        for function in (
            pair_counting.ari,
            pair_counting.jaccard,
            pair_counting.fowlkes_mallows,
            information.mutual_information,
            information.nmi_sqrt,
            information.nmi_arithmetic,
            information.cluster_entropy,
            information.completeness,
            information.v_measure,
        ):
            assert function(self.one_class) == 0.0, function.__name__

    def test_one_class_is_homogeneous_and_one_cluster_is_complete(self):
        assert information.homogeneity(self.one_class) == 1.0
        assert information.completeness(self.one_class.transposed) == 1.0

    def test_identical_singletons_score_one_unlike_in_scikit_learn(self):
        singletons = Contingency.from_labels([0, 1, 2], [2, 1, 0])
        assert pair_counting.fowlkes_mallows(singletons) == 1.0
        assert metrics.fowlkes_mallows_score([0, 1, 2], [2, 1, 0]) == 0.0


def exact_information(table: list[list[int]]) -> float:
    """Return the mutual information to 50 digits."""
    with localcontext() as context:
        context.prec = 50
        rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
        n = sum(rows)
        terms = [
            Decimal(count) / n * (Decimal(count) * n / (rows[i] * columns[j])).ln()
            for i, row in enumerate(table)
            for j, count in enumerate(row)
            if count
        ]
        return float(sum(terms))


@pytest.mark.parametrize(
    "table",
    [
        [[999_998, 1], [1, 0]],
        [[999_998, 1], [0, 1]],
        [[250_000, 250_001], [250_001, 250_000]],
        [[4_999_999, 1], [3, 4_999_997]],
        [[999_000, 500], [480, 20]],
    ],
    ids=str,
)
def test_mutual_information_is_accurate_despite_cancellation(table):
    cells = np.argwhere(np.array(table))
    counts = Contingency.from_cells(cells[:, 0], cells[:, 1], np.array([table[i][j] for i, j in cells]))
    assert information.mutual_information(counts) == pytest.approx(exact_information(table), rel=1e-13)


def test_independent_partitions_have_exactly_zero_mutual_information():
    table = Contingency.from_labels(np.repeat(np.arange(7), 11), np.tile(np.arange(11), 7))
    assert information.mutual_information(table) == 0.0
    assert pair_counting.ari(table) < 0

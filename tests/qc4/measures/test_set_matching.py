"""Set matching: hand-computed values, and agreement with trying every alignment."""

import statistics
import tracemalloc
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qc4.inputs.partition import Contingency
from qc4.inputs.undefined import Undefined
from qc4.measures import set_matching
from tests.qc4.small_cases import counts

partitions = st.integers(1, 25).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n) for _ in range(2)])
)


def alignments(table):
    """Yield all ways to align the smaller side with members of the larger."""
    rows, columns = table.shape
    if rows <= columns:
        return [list(enumerate(chosen)) for chosen in permutations(range(columns), rows)]
    return [[(row, column) for column, row in enumerate(chosen)] for chosen in permutations(range(rows), columns)]


def s2_of(table, pairs):
    n, total = table.sum(), 0.0
    for row, column in pairs:
        here, class_size, cluster_size = table[row, column], table[row].sum(), table[:, column].sum()
        sensitivity = here / class_size
        specificity = (n - class_size - cluster_size + here) / (n - class_size) if n > class_size else 1
        if sensitivity + specificity:
            total += 2 * sensitivity * specificity / (sensitivity + specificity)
    return total / len(pairs)


@given(partitions)
def test_values_agree_with_trying_every_alignment(pair):
    table = Contingency.from_labels(*pair)
    dense = counts(*pair)
    matched = {tuple(pairs): sum(dense[cell] for cell in pairs) for pairs in map(tuple, alignments(dense))}
    most = max(matched.values())
    assert set_matching.max_matching(table) == set_matching.accuracy(table) == most / dense.sum()
    best = max(s2_of(dense, pairs) for pairs, pages in matched.items() if pages == most)
    assert set_matching.s2(table) == pytest.approx(best, abs=1e-9)


@given(partitions)
def test_values_agree_with_literal_definitions(pair):
    table, dense = Contingency.from_labels(*pair), counts(*pair)
    scores = []
    for column in dense.T:
        majority = min(np.flatnonzero(column == column.max()), key=lambda row: dense[row].sum())
        precision, recall = column[majority] / column.sum(), column[majority] / dense[majority].sum()
        scores.append(2 * precision * recall / (precision + recall))
    assert set_matching.f_zaki(table) == pytest.approx(np.mean(scores))
    moved = 2 * dense.sum() - dense.max(axis=0).sum() - dense.max(axis=1).sum()
    assert set_matching.van_dongen(table) == pytest.approx(moved / (2 * dense.sum()))


class TestByHand:
    """Classes 3 + 3, clusters 4 + 2: the first cluster contains a whole class and one page of the other."""

    table = Contingency.from_labels([0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1])

    @pytest.mark.parametrize(
        ("function", "expected"),
        [
            (set_matching.f_zaki, (6 / 7 + 4 / 5) / 2),
            (set_matching.max_matching, 5 / 6),
            (set_matching.accuracy, 5 / 6),
            (set_matching.van_dongen, 2 / 12),
            # sensitivity 1 and 2/3, specificity 2/3 and 1: 0.8 for both
            (set_matching.s2, 0.8),
        ],
        ids=lambda value: getattr(value, "__name__", ""),
    )
    def test_value(self, function, expected):
        assert function(self.table) == pytest.approx(expected, rel=1e-14)


@given(partitions)
def test_normalised_clustering_accuracy_agrees_with_trying_every_alignment(pair):
    table, dense = Contingency.from_labels(*pair), counts(*pair)
    k = dense.shape[0]
    assume(k > 1)
    shares = dense / dense.sum(axis=1, keepdims=True)
    best = max(sum(shares[cell] for cell in pairs) / k for pairs in alignments(dense))
    assert set_matching.nca(table) == pytest.approx((best - 1 / k) / (1 - 1 / k), abs=1e-12)
    assert dense.shape[1] > k or set_matching.nca(table) >= -1e-12


class TestNormalisedClusteringAccuracy:
    def test_classes_have_equal_weight_whatever_their_size(self):
        """The purpose of the measure: half of a class of 98 pages and all of one of 2 give 3/4, while accuracy is 51
        %."""
        table = Contingency.from_labels([0] * 98 + [1] * 2, [0] * 49 + [1] * 51)
        assert set_matching.nca(table) == pytest.approx(((49 / 98 + 1) / 2 - 1 / 2) / (1 - 1 / 2))
        assert set_matching.accuracy(table) == 51 / 100

    def test_the_minimum_with_as_many_clusters_as_classes_is_0(self):
        assert set_matching.nca(Contingency.from_labels([0, 0, 1, 1], [0, 1, 0, 1])) == pytest.approx(0, abs=1e-15)

    def test_singletons_score_below_0(self):
        table = Contingency.from_labels([0] * 50 + [1] * 50, range(100))
        assert set_matching.nca(table) == pytest.approx((1 / 50 - 1 / 2) / (1 - 1 / 2))

    def test_one_class_is_undefined(self):
        with pytest.raises(Undefined, match="there is only one class"):
            set_matching.nca(Contingency.from_labels([0, 0], [0, 1]))


@given(partitions)
def test_harmonic_purity_is_between_purity_and_inverse_purity(pair):
    table, dense = Contingency.from_labels(*pair), counts(*pair)
    sides = [float(dense.max(axis=axis).sum() / dense.sum()) for axis in (0, 1)]
    assert set_matching.purity_harmonic(table) == pytest.approx(statistics.harmonic_mean(sides))
    assert min(sides) - 1e-12 <= set_matching.purity_harmonic(table) <= max(sides) + 1e-12


def test_the_majority_class_of_a_tie_is_the_smaller_one():
    table = Contingency.from_labels([0, 0, 0, 1, 1], [0, 0, 1, 0, 0])
    assert set_matching.f_zaki(table) == pytest.approx((4 / 6 + 2 / 4) / 2)  # and not 4/7, with the class of three


def test_ties_between_alignments_are_broken_by_s2():
    classes, clusters = [0, 0, 1, 1, 1, 1], [0, 1, 0, 1, 2, 2]
    values = {
        set_matching.s2(Contingency.from_labels([order[c] for c in classes], clusters)) for order in ([0, 1], [1, 0])
    }
    assert len(values) == 1


def test_unmatched_clusters_do_not_count_in_s2():
    table = Contingency.from_labels([0, 0, 1, 1], [0, 0, 1, 2])
    assert set_matching.s2(table) == pytest.approx((1 + 2 * 0.5 / 1.5) / 2)


def test_one_class_has_specificity_one():
    assert set_matching.s2(Contingency.from_labels([0, 0, 0], [0, 0, 1])) == pytest.approx(2 * (2 / 3) / (5 / 3))


def test_many_classes_and_clusters_are_matched_without_a_dense_table():
    """10,000 x 10,000 cells of one byte would take 95 MB; the pages of most clusters are from one class."""
    n = 10_000
    table = Contingency.from_labels(np.arange(n), np.append(np.arange(1, n), 1))
    tracemalloc.start()
    try:
        assert set_matching.max_matching(table) == (n - 1) / n
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()

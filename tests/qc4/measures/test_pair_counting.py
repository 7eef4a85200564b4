"""Pair counting: hand-computed values, and agreement with counting every pair."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qc4.inputs.partition import Contingency
from qc4.inputs.undefined import Undefined
from qc4.measures import pair_counting

partitions = st.integers(2, 30).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n) for _ in range(2)])
)


def every_pair(classes, clusters):
    """Return 0/1 for each pair of pages: in one class, and in one cluster."""
    pairs = list(combinations(range(len(classes)), 2))
    return (
        np.array([classes[i] == classes[j] for i, j in pairs], dtype=float),
        np.array([clusters[i] == clusters[j] for i, j in pairs], dtype=float),
    )


@given(partitions)
def test_values_agree_with_counting_every_pair(pair):
    table = Contingency.from_labels(*pair)
    same_class, same_cluster = every_pair(*pair)
    assume(not table.identical)
    if same_class.std() and same_cluster.std():
        correlation = np.corrcoef(same_class, same_cluster)[0, 1]
        assert pair_counting.hubert_gamma(table) == pytest.approx(correlation, abs=1e-12)
    both = (same_class * same_cluster).sum()
    if same_class.any():
        distance = np.linalg.norm(same_class - same_cluster) / np.linalg.norm(same_class)
        assert pair_counting.minkowski(table) == pytest.approx(distance)
        assert pair_counting.pair_recall(table) == both / same_class.sum()
    if same_cluster.any():
        assert pair_counting.pair_precision(table) == both / same_cluster.sum()
    if same_class.any() and not same_class.all():
        sensitivity = both / same_class.sum()
        specificity = ((1 - same_class) * (1 - same_cluster)).sum() / (1 - same_class).sum()
        expected = 2 * sensitivity * specificity / (sensitivity + specificity) if sensitivity + specificity else 0
        assert pair_counting.ps2(table) == pytest.approx(expected)


class TestByHand:
    """Classes 3 + 3, clusters 4 + 2: TP 4, FP 3, FN 2, TN 6."""

    table = Contingency.from_labels([0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1])

    @pytest.mark.parametrize(
        ("function", "expected"),
        [
            (pair_counting.hubert_gamma, (15 * 4 - 6 * 7) / math.sqrt(6 * 7 * 9 * 8)),
            (pair_counting.minkowski, math.sqrt(5 / 6)),
            (pair_counting.pair_precision, 4 / 7),
            (pair_counting.pair_recall, 4 / 6),
            (pair_counting.pair_f, 8 / 13),
            (pair_counting.ps2, 2 * 4 * 6 / (4 * 9 + 6 * 6)),  # the right-hand form of eq. 8
        ],
        ids=lambda value: getattr(value, "__name__", ""),
    )
    def test_value(self, function, expected):
        assert function(self.table) == pytest.approx(expected, rel=1e-14)


class TestNoPairsToSpeakOf:
    one_class = Contingency.from_labels([0, 0, 0], [0, 1, 1])
    all_apart = Contingency.from_labels([0, 1, 2], [0, 1, 1])

    def test_minkowski_is_undefined_without_pairs_of_one_class(self):
        with pytest.raises(Undefined, match="no two pages share a class"):
            pair_counting.minkowski(self.all_apart)

    def test_ps2_without_pairs_of_one_kind_uses_the_errors_on_the_other(self):
        assert pair_counting.ps2(self.all_apart) == 0.0  # no same-class pair; one pair wrongly joined
        assert pair_counting.ps2(self.one_class) == 0.0  # no different-class pair; two pairs wrongly separated
        assert pair_counting.ps2(Contingency.from_labels([0], [0])) == 1.0

    def test_other_ratios_with_zero_denominators_are_zero(self):
        assert pair_counting.pair_recall(self.all_apart) == 0.0
        assert pair_counting.pair_precision(self.all_apart.transposed) == 0.0
        assert pair_counting.hubert_gamma(self.one_class) == 0.0


def test_values_are_exact_for_ten_million_pages():
    """Two halves, and a clustering with one page moved: exact rational arithmetic on 10^13 pairs."""
    half = 5_000_000
    table = Contingency.from_cells(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([half - 1, 1, half]))
    n, same, both = 2 * half, half * (half - 1), (half - 1) * (half - 2) // 2 + half * (half - 1) // 2
    joined = (half - 1) * (half - 2) // 2 + (half + 1) * half // 2
    pairs = n * (n - 1) // 2
    root = math.isqrt(same * joined * (pairs - same) * (pairs - joined) * 10**40)
    assert pair_counting.hubert_gamma(table) == pytest.approx((both * pairs - same * joined) * 10**20 / root, rel=1e-14)

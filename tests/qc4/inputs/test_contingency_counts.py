"""The contingency table: counting of pages, effects of scoring options, and exact pair counts."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.inputs.partition import PARTITION, Contingency
from qc4.inputs.undefined import Undefined
from qc4.measures.pair_counting import ari, fowlkes_mallows, jaccard, rand
from qc4.model.case import Case
from qc4.model.policies import Policies
from tests.qc4.small_cases import clustering, gold

labels = st.integers(1, 30).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n) for _ in range(2)])
)


def cells(table: Contingency) -> list[tuple[int, int, int]]:
    return sorted(zip(table.class_of.tolist(), table.cluster_of.tolist(), table.count.tolist(), strict=True))


class TestCounting:
    def test_cells_and_sizes(self):
        table = Contingency.from_labels(["a", "a", "b", "b"], ["x", "y", "y", "y"])
        assert cells(table) == [(0, 0, 1), (0, 1, 1), (1, 1, 2)]
        assert (table.class_sizes.tolist(), table.cluster_sizes.tolist(), table.n) == ([2, 2], [1, 3], 4)

    @given(labels)
    def test_any_labels_count_like_small_integers(self, pair):
        classes, clusters = pair
        plain = Contingency.from_labels(np.array(classes), np.array(clusters))
        sparse = Contingency.from_labels(np.array(classes) * 10**12 - 7, np.array(clusters) - 5)
        words = Contingency.from_labels([f"{code}" for code in classes], [(code, None) for code in clusters])
        for other in (sparse, words):
            assert sorted(other.count.tolist()) == sorted(plain.count.tolist())
            assert other.pairs == plain.pairs

    def test_counts_do_not_depend_on_the_number_of_classes_and_clusters(self):
        """If classes x clusters exceeds the number of pages, another algorithm counts them."""
        n = 500
        classes, clusters = np.arange(n) // 2, np.arange(n)[::-1] // 5
        table = Contingency.from_labels(classes, clusters)
        dense = np.zeros((250, 100), dtype=int)
        np.add.at(dense, (classes, clusters), 1)
        assert table.count.size == np.count_nonzero(dense)
        assert all(dense[i, j] == count for i, j, count in cells(table))

    @pytest.mark.parametrize("clusters", [[], [1], [1, 2, 3]])
    def test_labellings_of_different_lengths_are_an_error(self, clusters):
        with pytest.raises(ValueError, match="two labellings must"):
            Contingency.from_labels([] if not clusters else [1, 2], clusters)

    @given(labels)
    def test_pair_counts_agree_with_counting_every_pair(self, pair):
        classes, clusters = pair
        n = len(classes)
        pairs = [(i, j) for i in range(n) for j in range(i)]
        counted = Contingency.from_labels(classes, clusters).pairs
        assert counted.total == len(pairs)
        assert counted.same_class == sum(classes[i] == classes[j] for i, j in pairs)
        assert counted.same_cluster == sum(clusters[i] == clusters[j] for i, j in pairs)
        assert counted.both == sum(classes[i] == classes[j] and clusters[i] == clusters[j] for i, j in pairs)


class TestExactness:
    """With ten million pages, products of pair counts are near 10^27, beyond 64-bit integers and exact floats."""

    table = Contingency.from_cells(
        np.array([0, 0, 1, 1, 2]),
        np.array([0, 1, 0, 1, 1]),
        np.array([4_999_999, 1, 3, 4_000_000, 999_997]),
    )

    def exact(self) -> tuple[int, int, int, int]:
        def pairs(sizes: list[int]) -> int:
            return sum(size * (size - 1) // 2 for size in sizes)

        return (
            pairs([10_000_000]),
            pairs([5_000_000, 4_000_003, 999_997]),
            pairs([5_000_002, 4_999_998]),
            pairs([4_999_999, 1, 3, 4_000_000, 999_997]),
        )

    def test_pair_counts(self):
        pairs = self.table.pairs
        assert (pairs.total, pairs.same_class, pairs.same_cluster, pairs.both) == self.exact()

    def test_indexes_are_exact_to_the_nearest_float(self):
        total, same_class, same_cluster, both = self.exact()
        expected = Fraction(same_class * same_cluster, total)
        assert rand(self.table) == float(Fraction(total - same_class - same_cluster + 2 * both, total))
        assert ari(self.table) == float((both - expected) / (Fraction(same_class + same_cluster, 2) - expected))
        assert jaccard(self.table) == float(Fraction(both, same_class + same_cluster - both))
        assert fowlkes_mallows(self.table) ** 2 == pytest.approx(both**2 / (same_class * same_cluster), rel=1e-15)


class TestPolicies:
    """D = 0-7: topics 0-2, 3-5, outliers 6 and 7; clusters {0,1,6}, {2,3}; 4, 5 and 7 are in no cluster."""

    def counts(self, **policies) -> list[tuple[int, int, int]]:
        case = Case.build(gold(8, [range(3), range(3, 6)], outliers=[6, 7]), clustering([0, 1, 6], [2, 3]))
        return cells(PARTITION.of(case, 1, Policies.parse(policies)))

    def test_by_default_outliers_are_dropped_and_unclustered_pages_are_singletons(self):
        assert self.counts() == [(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 1), (1, 3, 1)]

    def test_outliers_as_one_class(self):
        assert self.counts(outliers="topic") == [
            *[(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 1), (1, 3, 1)],
            *[(2, 0, 1), (2, 4, 1)],
        ]

    def test_unclustered_pages_together(self):
        assert self.counts(unclustered="together") == [(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 2)]

    def test_unclustered_pages_dropped(self):
        assert self.counts(unclustered="drop") == [(0, 0, 2), (0, 1, 1), (1, 1, 1)]

    def test_a_class_without_remaining_pages_is_removed(self):
        case = Case.build(gold(4, [[0, 1], [2, 3]]), clustering([0], [1]))
        table = PARTITION.of(case, 1, Policies(unclustered="drop"))
        assert table.class_sizes.tolist() == [2]

    @pytest.mark.parametrize(
        ("outliers", "policies", "reason"),
        [
            ([0, 1], {}, "every page is an outlier, and outliers are dropped"),
            ([], {"unclustered": "drop"}, "no page is left when outliers and unclustered pages are dropped"),
            (
                [0, 1],
                {"unclustered": "drop", "outliers": "topic"},
                "no page is left when unclustered pages are dropped",
            ),
        ],
    )
    def test_no_remaining_page_is_undefined(self, outliers, policies, reason):
        case = Case.build(gold(2, [] if outliers else [[0, 1]], outliers), clustering())
        with pytest.raises(Undefined, match=f"^{reason}$"):
            PARTITION.of(case, 1, Policies.parse(policies))


class TestOverlap:
    def case(self) -> Case:
        """Pages 2 and 3 are in two topics, outlier 7 and page 0 in two clusters."""
        standard = gold(8, [range(4), range(2, 7)], outliers=[7])
        return Case.build(standard, clustering([0, 1, 7], [0, 2, 3, 7], [4, 5, 6]))

    def test_overlap_is_undefined_with_counts_in_the_reason(self):
        with pytest.raises(Undefined) as caught:
            PARTITION.of(self.case(), 1, Policies())
        assert str(caught.value) == "2 pages are in more than one topic on level 1; 1 page is in more than one cluster"

    def test_overlap_of_outliers_counts_if_outliers_count(self):
        with pytest.raises(Undefined, match="2 pages are in more than one cluster"):
            PARTITION.of(self.case(), 1, Policies(outliers="topic"))

    def test_first_counts_a_page_for_its_first_topic_and_cluster(self):
        table = PARTITION.of(self.case(), 1, Policies(overlap="first"))
        assert cells(table) == [(0, 0, 2), (0, 1, 2), (1, 2, 3)]
        assert table.flattened

    def test_first_sets_no_mark_without_overlap(self):
        case = Case.build(gold(2, [[0], [1]]), clustering([0, 1]))
        assert not PARTITION.of(case, 1, Policies(overlap="first")).flattened

    def test_the_reason_is_the_same_in_a_second_call(self):
        case = self.case()
        reasons = []
        for _ in range(2):
            with pytest.raises(Undefined) as caught:
                PARTITION.of(case, 1, Policies())
            reasons.append(str(caught.value))
        assert reasons[0] == reasons[1]

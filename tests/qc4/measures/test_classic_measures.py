"""The classic measures of the QC4 paper, with hand-computed values."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.measures import classic
from qc4.measures.classic import TOPIC_SET, TopicSet
from qc4.model.case import Case
from qc4.model.policies import Policies
from tests.qc4.small_cases import clustering, gold


def view(case: Case, level) -> TopicSet:
    return TOPIC_SET.of(case, level, Policies())


class TestOverlapTiesAndOutliers:
    """D = 0-9; topics A = 0-4, B = 4-7 (page 4 in both), outliers 8 and 9, so |T| = 3.

    Clusters: {1,2,3} with |Dct| 3 0 0; {4,5,8} with 1 2 1; {0,7} with 1 1 0, a tie; {8,9} with 0 0 2.
    """

    topics = view(
        Case.build(
            gold(10, [range(5), range(4, 8)], outliers=[8, 9]), clustering([1, 2, 3], [4, 5, 8], [0, 7], [8, 9])
        ),
        1,
    )
    log_3_of_2 = math.log(2) / math.log(3)

    def test_precision(self):
        assert classic.ap(self.topics) == pytest.approx((1 + 2 / 3 + 1 / 2 + 1) / 4)
        assert classic.wp(self.topics) == pytest.approx((3 + 2 + 1 + 2) / 10)

    def test_entropy_counts_page_4_twice(self):
        second, third = 2 / 3 * (2 - self.log_3_of_2), self.log_3_of_2
        assert classic.ae(self.topics) == pytest.approx((second + third) / 4)
        assert classic.we(self.topics) == pytest.approx((3 * second + 2 * third) / 10)

    def test_a_cluster_matches_every_tied_topic(self):
        """A is matched by {1,2,3} and page 0 of the tied cluster, B by {4,5} and page 7 of it, the outliers by
        {8,9}."""
        assert classic.ar(self.topics) == pytest.approx((4 / 5 + 3 / 4 + 1) / 3)
        assert classic.wr(self.topics) == pytest.approx((4 + 3 + 2) / 11)

    def test_f_measure(self):
        assert classic.f(self.topics) == pytest.approx((3 * 6 / 8 + 3 * 4 / 7 + 2 * 2 / 6 + 2 * 1) / 10)

    def test_mutual_information(self):
        terms = [3 * math.log(2), math.log(10 / 15), 2 * math.log(20 / 12), math.log(10 / 6)]
        terms += [0.0, math.log(10 / 8), 2 * math.log(5)]
        assert classic.mi(self.topics) == pytest.approx(2 / 10 * sum(terms) / math.log(12))


class TestAllLevels:
    """A = 0-3 has the children 0-1 and 2-3; B = 4-5 stays on both levels and counts as one of four topics."""

    case = Case.build(gold(6, [range(4), [0, 1], [2, 3], [4, 5]], parents=[-1, 0, 0, -1]), clustering([0, 1], [4, 5]))

    def test_a_topic_on_several_levels_counts_once(self):
        assert view(self.case, "all").topic_sizes.tolist() == [4, 2, 2, 2]

    def test_a_cluster_matches_a_topic_and_its_parent(self):
        assert classic.ar(view(self.case, "all")) == pytest.approx((2 / 4 + 1 + 0 + 1) / 4)
        assert classic.wr(view(self.case, "all")) == pytest.approx((2 + 2 + 0 + 2) / 10)

    @pytest.mark.parametrize(("level", "recall"), [(1, (2 / 4 + 1) / 2), (2, (1 + 0 + 1) / 3)])
    def test_levels_on_their_own(self, level, recall):
        assert classic.ar(view(self.case, level)) == pytest.approx(recall)


def test_a_page_in_two_matching_clusters_counts_once_in_recall():
    topics = view(Case.build(gold(4, [range(3), [3]]), clustering([0, 1], [1, 2], [1])), 1)
    assert classic.ar(topics) == pytest.approx((1 + 0) / 2)


def test_clusters_of_outliers_are_not_removed():
    topics = view(Case.build(gold(4, [[0, 1]], outliers=[2, 3]), clustering([0, 1], [2, 3])), 1)
    assert topics.cluster_sizes.size == 2
    assert classic.ar(topics) == 1.0


def test_entropy_with_one_topic_is_zero():
    topics = view(Case.build(gold(3, [range(3)]), clustering([0, 1], [2])), 1)
    assert (classic.ae(topics), classic.we(topics)) == (0.0, 0.0)


def test_mutual_information_of_one_cluster_and_one_topic_is_zero():
    assert classic.mi(view(Case.build(gold(3, [range(3)]), clustering([0, 1])), 1)) == 0.0


def test_a_clustering_without_clusters_scores_zero():
    topics = view(Case.build(gold(3, [[0, 1], [2]]), clustering()), 1)
    for function in (classic.ap, classic.wp, classic.ae, classic.we, classic.ar, classic.wr, classic.f, classic.mi):
        assert function(topics) == 0.0, function.__name__


def test_scoring_options_have_no_effect():
    case = Case.build(gold(4, [[0, 1]], outliers=[2, 3]), clustering([0, 2]))
    assert TOPIC_SET.of(case, 1, Policies()) is TOPIC_SET.of(case, 1, Policies("topic", "drop", "first"))


@st.composite
def sets_of_pages(draw) -> tuple[int, list[set[int]], list[set[int]]]:
    """Draw overlapping topics that contain every page, and overlapping clusters."""
    n = draw(st.integers(1, 12))
    groups = st.lists(st.sets(st.integers(0, n - 1), min_size=1), min_size=1, max_size=5)
    topics, clusters = draw(groups), draw(groups)
    rest = set(range(n)).difference(*topics)
    return n, topics + [rest] * bool(rest), clusters


@given(sets_of_pages())
def test_values_agree_with_the_printed_formulas(drawn):
    n, topics, clusters = drawn
    precision = [[len(c & t) / len(c) for t in topics] for c in clusters]
    entropy = [-sum(p * math.log(p, len(topics)) for p in row if p) if len(topics) > 1 else 0 for row in precision]
    f = [max(2 * len(c & t) / (len(c) + len(t)) for t in topics) for c in clusters]
    found = [
        set().union(*(c & t for c in clusters if 0 < len(c & t) == max(len(c & other) for other in topics)))
        for t in topics
    ]
    base = len(topics) * len(clusters)
    shared = [(len(c & t), len(c), len(t)) for c in clusters for t in topics if c & t]
    sizes, weights = [len(c) for c in clusters], [len(t) for t in topics]
    expected = {
        classic.ap: sum(map(max, precision)) / len(clusters),
        classic.wp: sum(size * max(row) for size, row in zip(sizes, precision, strict=True)) / sum(sizes),
        classic.ae: sum(entropy) / len(clusters),
        classic.we: sum(size * e for size, e in zip(sizes, entropy, strict=True)) / sum(sizes),
        classic.ar: sum(len(u) / size for u, size in zip(found, weights, strict=True)) / len(topics),
        classic.wr: sum(map(len, found)) / sum(weights),
        classic.f: sum(size * best for size, best in zip(sizes, f, strict=True)) / sum(sizes),
        classic.mi: 2 / n * sum(k * math.log(k * n / (c * t), base) for k, c, t in shared) if base > 1 else 0.0,
    }
    built = view(Case.build(gold(n, topics), clustering(*clusters)), 1)
    assert {key: key(built) for key in expected} == pytest.approx(expected, abs=1e-12)

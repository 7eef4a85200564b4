"""Measures of search results: hand-computed values, simulated reading for kSSL, and the lists of AMBIENT."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.inputs.result_list import RESULT_LIST
from qc4.inputs.undefined import Undefined
from qc4.io import read_collection
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.clustering import Clustering
from qc4.model.policies import Policies
from qc4.model.rules import prepare
from tests.qc4.small_cases import clustering, gold, nested


def value(key: str, case: Case) -> float:
    measure = REGISTRY.get(key)
    return measure.compute(case, measure.view.levels(case.gold)[0], Policies())


def listed(n: int, topics, *clusters, outliers=(), ranks=None) -> Case:
    return Case.build(gold(n, topics, outliers=outliers, ranks=ranks), clustering(*clusters))


@st.composite
def overlapping(draw, n: int, at_most: int) -> list[list[int]]:
    return [sorted(found) for found in draw(st.lists(st.sets(st.integers(0, n - 1), min_size=1), max_size=at_most))]


@st.composite
def cases(draw) -> Case:
    n = draw(st.integers(1, 12))
    topics = draw(overlapping(n, 4)) or [[0]]
    rest = sorted(set(range(n)) - {page for topic in topics for page in topic})
    return listed(n, topics, *draw(overlapping(n, 4)), outliers=rest)


def act_out(case: Case, topic: set[int], k: int) -> int:
    """Read labels and pages one at a time, as in the definition."""
    wanted, seen, cost = min(k, len(topic)), set(), 0
    for row in range(case.n_clusters):
        pages = sorted(case.clusters[[row]].indices.tolist())
        cost += 1
        if topic & set(pages):
            for page in pages:
                cost += 1
                seen |= topic & {page}
                if len(seen) == wanted:
                    return cost
    for page in range(case.n_pages):
        cost += 1
        seen |= topic & {page}
        if len(seen) == wanted:
            return cost
    raise AssertionError("every page is in the list")


class TestSubtopicSearchLength:
    @given(cases(), st.integers(1, 8))
    def test_values_agree_with_a_simulated_reader(self, case, k):
        pages = case.gold.hierarchy.pages
        topics = [set(pages[[topic]].indices.tolist()) for topic in range(case.gold.hierarchy.n_topics)]
        assert value(f"kssl(k={k})", case) == pytest.approx(np.mean([act_out(case, topic, k) for topic in topics]))
        ranks = [sorted(topic)[min(k, len(topic)) - 1] + 1 for topic in topics]
        assert value(f"kssl_list(k={k})", case) == pytest.approx(np.mean(ranks))

    def test_values_by_hand(self):
        """Six results: topics {1,3,4} and {2,6}; clusters {2,3} and {4,6}; results 1 and 5 (an outlier) are in none."""
        case = listed(6, [[0, 2, 3], [1, 5]], [1, 2], [3, 5], outliers=[4])
        # first topic: label, 2, 3; label, 4; list from 1. Second: label, 2, 3, label, 4, 6.
        assert value("kssl_1", case) == (3 + 2) / 2
        assert value("kssl_2", case) == (5 + 6) / 2
        assert value("kssl_3", case) == (2 + 2 + 2 + 1 + 6) / 2
        assert [value(f"kssl_list_{k}", case) for k in (1, 2, 3, 4)] == [1.5, 4.5, 5, 5]

    def test_kssl_of_the_plain_lists_of_ambient(self, shared_data):
        lengths = []
        for document in read_collection(shared_data / "ambient").documents:
            case = Case.build(prepare(document, "complete"), Clustering(document.query_id, ()))
            lengths.append([value(f"kssl_list_{k}", case) for k in (1, 2, 3, 4)])
        assert [f"{mean:.2f}" for mean in np.mean(lengths, axis=0)] == ["22.47", "34.66", "41.96", "47.55"]


class TestDiversity:
    """Seven results, four topics; the reading order of the clusters is 1, 3, 2, 4, and then 5, 6, 7."""

    case = listed(7, [[0, 1], [2, 3], [4], [5, 6]], [0, 1], [2, 3])

    def test_s_recall(self):
        assert value("s_recall_5", self.case) == 3 / 4
        assert value("s_recall_10", self.case) == 1.0

    def test_s_precision(self):
        assert value("s_precision_50", self.case) == 2 / 2
        assert value("s_precision_75", self.case) == 3 / 5
        assert value("s_precision_100", self.case) == 4 / 6

    def test_alpha_ndcg(self):
        gains, best = [1, 1, 0.5, 0.5, 1], [1, 1, 1, 1, 0.5]
        ours, ideal = (sum(gain / math.log2(i + 2) for i, gain in enumerate(side)) for side in (gains, best))
        assert value("alpha_ndcg_5", self.case) == pytest.approx(ours / ideal)

    def test_alpha_ndcg_with_custom_cutoff_and_alpha(self):
        gains, best = [1, 1, 0.25, 0.25, 1, 1], [1, 1, 1, 1, 0.25, 0.25]
        ours, ideal = (sum(gain / math.log2(i + 2) for i, gain in enumerate(side)) for side in (gains, best))
        assert value("alpha_ndcg@6(alpha=0.75)", self.case) == pytest.approx(ours / ideal)

    def test_meanings_name_the_values_of_parameters(self):
        assert value("s_recall@4", self.case) == 2 / 4
        assert value("s_precision(percent=60)", self.case) == 3 / 5
        assert value("d_sharp_ndcg@4(gamma=1)", self.case) == value("s_recall@4", self.case)
        assert value("d_sharp_ndcg@4(gamma=0)", self.case) == value("d_ndcg@4", self.case)

    def test_a_page_shows_all_of_its_topics(self):
        case = listed(3, [[0], [1], [0, 1, 2]], [2], [0, 1])
        assert value("s_recall_5", case) == 1.0
        assert value("s_precision_50", case) == 1 / 2  # the list begins 3, 1; page 1 alone shows two of three topics

    def test_repeated_pages_are_skipped(self):
        case = listed(4, [[0], [1], [2], [3]], [0, 1], [0, 2], [3])
        # 1, 4, 2, 3: the first page of the second cluster is repeated
        assert value("s_precision_50", case) == 2 / 2
        assert value("s_precision_75", case) == 3 / 3

    @given(cases())
    def test_a_list_of_all_pages_shows_all_topics(self, case):
        assert value("s_recall_20", case) == 1.0


class TestIntents:
    """D-nDCG, D♯-nDCG and HD♯-nDCG; intent recall is S-recall."""

    @given(cases(), st.sampled_from([5, 10, 20]))
    def test_values_agree_with_summing_the_gain_of_every_page(self, case, k):
        pages = case.gold.hierarchy.pages.toarray()
        pages = pages[pages.any(axis=1)]
        worth = pages.sum(axis=0) / len(pages)
        order = RESULT_LIST.of(case, 1, Policies()).clustered_order[:k]
        ours, best = (
            sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
            for gains in (worth[order], sorted(worth, reverse=True)[:k])
        )
        seen = pages[:, order].any(axis=1).mean()
        assert value(f"d_ndcg_{k}", case) == pytest.approx(ours / best)
        assert value(f"d_sharp_ndcg_{k}", case) == pytest.approx((seen + ours / best) / 2)
        assert value(f"hd_sharp_ndcg_{k}", case) == pytest.approx(value(f"d_sharp_ndcg_{k}", case))

    def test_pages_of_several_topics_have_a_larger_gain(self):
        topics = [[0, 1, 2], [2, 3]]
        assert value("d_ndcg_5", listed(4, topics, [2])) == 1.0
        assert value("d_ndcg_5", listed(4, topics)) == pytest.approx(
            (1 + 1 / math.log2(3) + 2 / math.log2(4) + 1 / math.log2(5))
            / (2 + 1 / math.log2(3) + 1 / math.log2(4) + 1 / math.log2(5))
        )

    def test_the_value_of_a_hierarchy_is_the_mean_of_its_levels(self):
        case = Case.build(
            gold(12, [range(6), range(6, 12), [0, 1], [2, 3, 4, 5]], parents=[-1, -1, 0, 0]), clustering()
        )
        measure = REGISTRY.get("d_sharp_ndcg_5")
        levels = [measure.compute(case, level, Policies()) for level in (1, 2)]
        assert levels[0] != levels[1]
        assert value("hd_sharp_ndcg_5", case) == pytest.approx(sum(levels) / 2)

    def test_a_level_without_topics_is_undefined(self):
        with pytest.raises(Undefined, match="no topic on level 1 has a page"):
            value("hd_sharp_ndcg_5", listed(2, [], [0, 1], outliers=[0, 1]))


class TestRanks:
    def test_ranks_take_precedence_over_file_order(self):
        topics = [[0, 1], [2]]
        assert value("kssl_list_1", listed(3, topics, ranks=[3, 2, 1])) == (2 + 1) / 2
        assert value("kssl_list_1", listed(3, topics)) == (1 + 3) / 2

    def test_ranks_may_have_gaps(self):
        assert value("kssl_list_1", listed(2, [[0], [1]], ranks=[70, 3])) == 1.5

    @pytest.mark.parametrize(
        ("ranks", "reason"),
        [
            ([1, None, 2], "1 page is without a rank, though others have one"),
            ([1, 2, 2], "several pages have the rank 2"),
        ],
        ids=["missing", "repeated"],
    )
    def test_missing_or_repeated_ranks_are_undefined(self, ranks, reason):
        with pytest.raises(Undefined, match=reason):
            value("s_recall_5", listed(3, [[0, 1], [2]], ranks=ranks))

    def test_no_topic_is_undefined(self):
        with pytest.raises(Undefined, match="no topic on level 1 has a page"):
            value("kssl_1", listed(2, [], [0, 1], outliers=[0, 1]))


class TestShape:
    case = listed(8, [list(range(8))], [0, 1, 2, 3], [0, 1], [1], [4, 5], [3, 4])

    def test_values_by_hand(self):
        found = {key: value(key, self.case) for key in ("page_coverage", "cluster_count", "cluster_size")}
        assert found == {"page_coverage": 6 / 8, "cluster_count": 5.0, "cluster_size": 11 / 5}
        assert value("cluster_overlap", self.case) == 11 / 6
        assert value("cluster_depth", self.case) == 3.0

    def test_without_clusters_only_counts_are_defined(self):
        nothing = listed(2, [[0, 1]])
        assert value("page_coverage", nothing) == value("cluster_count", nothing) == 0.0
        for key in ("cluster_size", "cluster_overlap", "cluster_depth"):
            with pytest.raises(Undefined, match="there is no cluster"):
                value(key, nothing)


class TestReachTime:
    """Labels and pages read on the shortest path to each topic, mean over the topics."""

    def test_without_nesting_it_is_the_rank_of_the_label_plus_the_position_in_the_cluster(self):
        """Topic 2 3: the first label, then page 2 at position 3; or the second label, then page 2 at position 1."""
        found = Case.build(gold(4, [[0, 1], [2, 3]]), clustering([0, 1, 2], [2, 3]))
        assert value("reach_time", found) == ((1 + 1) + (2 + 1)) / 2

    def test_reading_down_a_tree_counts_the_labels_on_the_path(self):
        """Page 5 is the 6th in the first cluster, or the first of the second cluster inside it: labels 1 + 2, page
        1."""
        deep = Case.build(
            gold(7, [[0, 1, 2, 3, 4, 6], [5]]), nested([range(6), [0, 1, 2, 3, 4], [5], [6]], [-1, 0, 0, -1])
        )
        assert value("reach_time", deep) == ((1 + 1) + (1 + 2 + 1)) / 2

    def test_a_parent_without_listed_pages_is_accepted(self):
        listed = nested([[0, 1, 2], [0, 1], [2]], [-1, 0, 0])
        at_leaves = nested([[], [0, 1], [2]], [-1, 0, 0])
        standard = gold(3, [[0, 1], [2]])
        values = [value("reach_time", Case.build(standard, found)) for found in (listed, at_leaves)]
        assert values == [((1 + 1) + (1 + 3)) / 2] * 2

    def test_unclustered_topics_cost_all_top_labels_plus_their_rank(self):
        found = Case.build(gold(4, [[0], [1, 3]], outliers=[2]), nested([[0], [2], [2]], [-1, -1, 1]))
        assert value("reach_time", found) == ((1 + 1) + (2 + 2)) / 2

    def test_without_clusters_it_is_the_first_rank(self):
        found = Case.build(gold(4, [[0], [1, 3]], outliers=[2], ranks=[4, 3, 2, 1]), clustering())
        assert value("reach_time", found) == (4 + 1) / 2

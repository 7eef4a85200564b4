"""Tree measures: agreement with literal definitions, published and hand-computed values, and invariances."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qc4.inputs.tree import TREES
from qc4.inputs.undefined import Undefined
from qc4.measures.registry import REGISTRY
from qc4.measures.tree import expected_information
from qc4.model.case import Case
from qc4.model.clustering import Cluster, Clustering
from qc4.model.policies import Policies
from qc4.problems import InputError
from qc4.scoring.calibration import calibrate_case
from tests.qc4.measures.tree import reference as literal
from tests.qc4.measures.tree.trees import clusters, sets_of, tree_case, tree_cases, value
from tests.qc4.small_cases import case, gold


class TestLiteralReadings:
    @given(case=tree_cases(overlap=True))
    def test_tree_f(self, case):
        assert value("tree_f", case) == pytest.approx(literal.tree_f(case), abs=1e-12)

    @given(case=tree_cases())
    def test_dendrogram_purity(self, case):
        for level in case.gold.hierarchy.levels:
            found = value("dendrogram_purity", case, level)
            assert found == pytest.approx(literal.dendrogram_purity(case, level), abs=1e-12)

    @given(case=tree_cases(overlap=True))
    def test_dendrogram_purity_where_clusters_overlap(self, case):
        for level in case.gold.hierarchy.levels:
            found = value("dendrogram_purity", case, level)
            assert found == pytest.approx(literal.dendrogram_purity(case, level), abs=1e-12)

    @given(case=tree_cases(overlap=True, most_pages=4, most_sets=3))
    def test_ancestors(self, case):
        topics, clusters, _ = literal.trees(case)
        found = list(literal.alignments(topics, clusters))
        most = max(literal.shared_pages(aligned, topics, clusters) for aligned in found)
        sizes = [sum(len(pages) for pages, _ in sets) for sets in (clusters, topics)]
        assert value("ancestor_p", case) == pytest.approx(most / sizes[0])
        assert value("ancestor_r", case) == pytest.approx(most / sizes[1])
        assert value("ancestor_f1", case) == pytest.approx(2 * most / sum(sizes))

    @given(case=tree_cases(overlap=True, most_pages=6, most_sets=5))
    def test_edges(self, case):
        topics, clusters, _ = literal.trees(case)
        assume(0 < len(literal.edges(topics)) <= 5 and len(literal.edges(clusters)) <= 5)
        total = len(literal.edges(topics)) + len(literal.edges(clusters))
        expected = 2 * literal.edge_agreement(topics, clusters) / total
        assert value("edge_f1", case) == pytest.approx(expected, abs=1e-12)

    @given(case=tree_cases(overlap=True))
    def test_triplets(self, case):
        assert value("triplet_agreement", case) == pytest.approx(literal.triplet_agreement(case), abs=1e-12)

    @given(case=tree_cases())
    def test_triplets_where_nothing_overlaps(self, case):
        assert value("triplet_agreement", case) == pytest.approx(literal.triplet_agreement(case), abs=1e-12)

    @given(case=tree_cases())
    def test_hierarchical_information(self, case):
        topics, clusters, pages = literal.trees(case)
        expected = literal.hmi(topics, clusters, pages)
        own = (literal.hmi(topics, topics, pages) + literal.hmi(clusters, clusters, pages)) / 2
        assert value("hmi", case) == pytest.approx(expected, abs=1e-12)
        assert value("nhmi", case) == pytest.approx(expected / own if own else 1.0, abs=1e-12)
        assert expected <= own + 1e-12

    @given(case=tree_cases(most_pages=4))
    def test_adjusted_information_takes_the_mean_over_all_permutations(self, case):
        topics, clusters, pages = literal.trees(case)
        own = (literal.hmi(topics, topics, pages) + literal.hmi(clusters, clusters, pages)) / 2
        chance = literal.mean_hmi(topics, clusters, pages)
        shared = literal.hmi(topics, clusters, pages)
        same = float(abs(own - shared) < 1e-9)
        expected = (shared - chance) / (own - chance) if own - chance > 1e-9 else same
        assert value("ahmi", case) == pytest.approx(expected, abs=1e-9)


class TestPublishedValues:
    """Values from the tests of other implementations."""

    @pytest.mark.parametrize(
        ("clusters", "purity"), [([[[0, 1], 2], [3, 4]], 0.65), ([[0, 1, 2], [3, 4]], 0.56667)], ids=["binary", "other"]
    )
    def test_dendrogram_purity_of_higra(self, clusters, purity):
        case = tree_case(5, [[0, 1, 3], [2, 4]], clusters)
        assert value("dendrogram_purity", case, 1) == pytest.approx(purity, abs=1e-5)

    @pytest.mark.parametrize(
        ("topics", "clusters", "expected"),
        [
            ([[[0, 1], 2], [[3, 4], 5]], [0, [1, [2, [3, [4, 5]]]]], 0.363353185),
            ([[[0, 1], [2, 3]], [[4, 5], [6, 7]]], [0, [1, [2, [3, [4, [5, [6, 7]]]]]]], 0.3342954),
            ([[[0, 1], [2, 3]], [[4, 5], [6, 7]]], [[[0, 1], [2, 3]], [[4, 5], [6, 7]]], 1.38629436),
        ],
        ids=["six pages", "eight pages", "itself"],
    )
    def test_hierarchical_information_of_treedist(self, topics, clusters, expected):
        """Balanced and pectinate trees of `TreeDist`; a leaf there is a page in no child of its parent here."""
        case = tree_case(8 if "7" in str(topics) else 6, closed_at_leaves(topics), clusters)
        assert value("hmi", case) == pytest.approx(expected, abs=1e-7)

    def test_hierarchical_information_of_its_authors(self):
        """The authors' program gives this value for these two; their mean for chance, from drawn permutations, is
        0.781."""
        case = tree_case(30, THIRTY[0], THIRTY[1])
        assert value("hmi", case) == pytest.approx(1.0591260408329395, rel=1e-14)
        trees = TREES.of(case, None, Policies())
        assert expected_information(trees.topics, trees.clusters) == pytest.approx(0.781, abs=0.002)


def closed_at_leaves(topics):
    """Return the same tree with pages beside a subtopic as single-page subtopics, as a gold standard needs."""
    if all(isinstance(part, int) for part in topics):
        return topics
    return [[part] if isinstance(part, int) else closed_at_leaves(part) for part in topics]


# From the tests of TreeDist: two hierarchical partitions of thirty pages.
THIRTY = (
    [
        *([23], [[[[[[16], [17]]]]]], [[12], [22, 13]], [5], [7], [24], [[[9], [[14, 2]]], [[[[[27], [3]]]]]]),
        *([20, 29, 18], [4], [26, 15], [[10], [21, 25]], [11], [[0, 28], [1], [6]], [19, 8]),
    ],
    [
        [[[0, 25], [24]], [6], [11, 28], [8]],
        [[[19], [[[[21], [4], [[[[[22, 7]]]]]]]]], [5]],
        [[3], [10, 23, 14]],
        [[27, 1, 16, 13, 18, 26, 9], [[[[15], [[[[[[12, 17]]]]]]]], [2, 20]], [29]],
    ],
)


# Topics A = A1 A2 and B = B1 B2 of pages 0-3, 4-5, 6-8, 9-11.
A1, A2, B1, B2 = [0, 1, 2, 3], [4, 5], [6, 7, 8], [9, 10, 11]
TOPICS = [[A1, A2], [B1, B2]]
RIGHT = tree_case(12, TOPICS, TOPICS)
SWAPPED = tree_case(12, TOPICS, [[A1, B1], [A2, B2]])
FLAT = tree_case(12, TOPICS, [A1, A2, B1, B2])
COARSE = tree_case(12, TOPICS, [[*A1, *A2], [*B1, *B2]])


def labels(n: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 3), min_size=n, max_size=n)


def entropy(*sizes: int) -> float:
    return -sum(size / sum(sizes) * log(size / sum(sizes)) for size in sizes)


WHOLE = ("tree_f", "ancestor_p", "ancestor_r", "ancestor_f1", "edge_f1", "nhmi", "ahmi", "triplet_agreement")


class TestByHand:
    @pytest.mark.parametrize("key", WHOLE)
    def test_the_topics_themselves_score_1(self, key):
        assert value(key, RIGHT) == 1.0

    @pytest.mark.parametrize("key", WHOLE)
    def test_subtopics_swapped_between_parents_score_less(self, key):
        """The lower level of the clusters is right, but their parents are not."""
        assert value(key, SWAPPED) < 1 - 1e-3

    def test_swapped_subtopics(self):
        """Parents are A1 B1 (7 pages) and A2 B2 (5): they share 4 and 2 pages with A, and 3 and 3 with B."""
        assert value("ancestor_f1", SWAPPED) == pytest.approx((12 + 4 + 3) / 24)
        # The cluster closest to A is A1; the one closest to B is B1 (or B2).
        assert value("tree_f", SWAPPED) == pytest.approx((12 + 6 * 8 / 10 + 6 * 6 / 9) / 24)
        edges = 8 / 13 + 4 / 11 + 6 / 13 + 6 / 11  # to A1, A2, B1, B2, whose parents are A, A, B, B
        assert value("edge_f1", SWAPPED) == pytest.approx(2 * edges / (4 + 4))

    def test_triplets_of_swapped_subtopics(self):
        """Pairs of a subtopic with the rest of their topic, then pairs of a topic with the other topic. The clusters
        agree if the third page is of another subtopic and of another parent: of A1 A2, of A1 B1 and of A1 B2, .."""
        by_topics = (6 * 2 + 1 * 4 + 3 * 3 + 3 * 3) + (15 * 6 + 15 * 6)
        beside = 6 * 2 + 1 * 4 + 3 * 3 + 3 * 3
        across = 6 * 3 + 1 * 3 + 3 * 4 + 3 * 2
        far = 6 * 3 + 1 * 3 + 3 * 4 + 3 * 2
        assert value("triplet_agreement", SWAPPED) == pytest.approx((beside + across + far) / by_topics)

    def test_information_of_swapped_subtopics(self):
        """At the root the tables 4 2, 3 3 contain almost no information; below, cells of one subtopic contain none."""
        at_root = sum(n / 12 * log(n * 12 / (a * b)) for n, a, b in ((4, 6, 7), (2, 6, 5), (3, 6, 7), (3, 6, 5)))
        assert value("hmi", SWAPPED) == pytest.approx(at_root)
        own = log(2) + (entropy(4, 2) + entropy(3, 3)) / 2
        assert value("hmi", RIGHT) == pytest.approx(own)
        found = entropy(7, 5) + 7 / 12 * entropy(4, 3) + 5 / 12 * entropy(2, 3)
        assert value("nhmi", SWAPPED) == pytest.approx(at_root / ((own + found) / 2))

    def test_flat_clusters_have_no_edge(self):
        assert value("edge_f1", FLAT) == 0.0

    def test_a_tree_of_the_topics_scores_at_least_as_high_as_its_cuts(self):
        for key, level in (("tree_f", None), ("dendrogram_purity", 1), ("dendrogram_purity", 2), ("ancestor_f1", None)):
            assert value(key, RIGHT, level) >= max(value(key, FLAT, level), value(key, COARSE, level))
        assert value("dendrogram_purity", RIGHT, 2) == 1.0
        assert value("dendrogram_purity", FLAT, 1) < 1.0
        assert value("dendrogram_purity", COARSE, 2) < 1.0


class TestWhatIsAccepted:
    def test_listing_pages_only_at_leaves_does_not_change_values(self):
        """A cluster contains the pages of its children, whether the file repeats them or the parent lists none."""
        sets = sets_of(TOPICS)
        closed = Case.build(RIGHT.gold, clusters(sets))
        leaves = Case.build(RIGHT.gold, clusters(sets, closed=False))
        assert leaves.n_clusters == 4
        assert [value(key, leaves) for key in WHOLE] == [value(key, closed) for key in WHOLE] == [1.0] * len(WHOLE)

    @given(pair=st.integers(1, 14).flatmap(lambda n: st.tuples(labels(n), labels(n))))
    def test_hierarchical_information_of_partitions_is_mutual_information(self, pair):
        flat = case(*pair)
        assert value("hmi", flat) == pytest.approx(value("mutual_information", flat, 1), abs=1e-12)
        assert value("ahmi", flat) == pytest.approx(value("ami", flat, 1), abs=1e-9)
        if len(set(pair[0])) + len(set(pair[1])) > 2:
            assert value("nhmi", flat) == pytest.approx(value("nmi_arithmetic", flat, 1), abs=1e-12)

    @pytest.mark.parametrize("key", ["nhmi", "ahmi"])
    def test_a_cluster_of_all_pages_is_the_root_for_hierarchical_information(self, key):
        assert value(key, tree_case(12, TOPICS, [TOPICS])) == 1.0

    @pytest.mark.parametrize("key", ["hmi", "nhmi", "ahmi"])
    def test_hierarchical_information_is_undefined_for_overlapping_siblings(self, key):
        overlapping = tree_case(4, [[0, 1, 2], [2, 3]], [[[0, 1], [1, 2]], [3]])
        reason = "1 page is in several topics with the same parent; 1 page is in several clusters with the same parent"
        with pytest.raises(Undefined, match=reason):
            value(key, overlapping)

    def test_edge_f1_is_undefined_without_nested_topics(self):
        with pytest.raises(Undefined, match="no topic is inside another"):
            value("edge_f1", tree_case(3, [[0, 1], [2]], [[[0], [1]], [2]]))

    def test_outliers_are_dropped_or_form_a_topic(self):
        mixed = tree_case(5, [[0, 1], [2, 3]], [[0, 1], [2, 3, 4]], outliers=[4])
        assert value("ancestor_f1", mixed) == 1.0
        assert value("ancestor_f1", mixed, policies=Policies(outliers="topic")) == pytest.approx(2 * 4 / (5 + 5))

    def test_unclustered_pages_are_singletons_or_together_or_dropped(self):
        partly = tree_case(5, [[0, 1, 2], [3, 4]], [[0, 1, 2]])
        assert value("ancestor_f1", partly) == pytest.approx(2 * (3 + 1) / (5 + 5))
        assert value("ancestor_f1", partly, policies=Policies(unclustered="together")) == 1.0
        assert value("ancestor_r", partly, policies=Policies(unclustered="drop")) == 1.0

    def test_triplets_of_too_many_overlapping_pages_are_undefined(self):
        many = tree_case(1500, [range(800), range(700, 1500)], [range(1500)])
        with pytest.raises(Undefined, match="found 1,500 pages; expected at most 844"):
            value("triplet_agreement", many)

    def test_purity_of_too_many_overlapping_pages_is_undefined(self):
        pages = range(20_000)  # each page is in the clusters of its digits, so all pages differ
        many = tree_case(len(pages), [pages], [[page for page in pages if page >> digit & 1] for digit in range(15)])
        with pytest.raises(Undefined, match=r"found [\d,]+ pairs of pages; expected at most 200,000,000"):
            value("dendrogram_purity", many, 1)

    def test_unknown_parents_and_cycles_are_rejected(self):
        lost = Clustering("", (Cluster("a", ("0",), parent="z"), Cluster("b", ("1",), parent="b")))
        with pytest.raises(InputError) as refused:
            Case.build(gold(2, [[0], [1]]), lost)
        assert [problem.code for problem in refused.value.problems] == ["unknown-parent", "parent-cycle"]

    def test_shuffling_keeps_the_nesting_of_clusters(self):
        chance = calibrate_case(RIGHT, [(REGISTRY.get("ahmi"), None)], Policies(), draws=200)[0]
        assert chance.mean == pytest.approx(0.0, abs=0.05)
        assert chance.value == 1.0

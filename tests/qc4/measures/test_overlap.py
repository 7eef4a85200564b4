"""Measures for overlap: hand-computed values, definitions written page by page, and the `bcubed` package."""

import math

import bcubed as bcubed_package
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from qc4.inputs.cover import COVERS, Covers
from qc4.inputs.partition import Contingency
from qc4.inputs.undefined import Undefined
from qc4.measures import overlap as bcubed
from qc4.measures import overlap as element_centric
from qc4.measures import overlap as omega
from qc4.measures import overlap as onmi
from qc4.measures import set_matching
from qc4.measures.pair_counting import ari
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.nesting import nesting_depths
from qc4.model.policies import Policies
from tests.qc4.small_cases import case, clustering, gold, incidence

MEASURES = [measure for measure in REGISTRY.family("overlap") if measure.view is COVERS]


@st.composite
def sets_of_pages(draw, n: int) -> np.ndarray:
    """Draw (sets, pages) 0/1 with every page in one to three of at most five sets."""
    table = np.zeros((5, n), dtype=int)
    for page in range(n):
        table[sorted(draw(st.sets(st.integers(0, 4), min_size=1, max_size=3))), page] = 1
    return table[table.any(axis=1)]


cover_pairs = st.integers(1, 12).flatmap(lambda n: st.tuples(sets_of_pages(n), sets_of_pages(n)))


def covers(topics, clusters) -> Covers:
    return Covers.from_incidence(sp.csr_array(topics), sp.csr_array(clusters))


def by_hand(n: int, topics, clusters) -> Covers:
    return Covers.from_incidence(incidence(topics, n), incidence(clusters, n))


class TestBCubed:
    @given(cover_pairs)
    def test_looking_at_every_pair_agrees(self, pair):
        topics, clusters = (sets.T @ sets for sets in pair)
        for function, own in ((bcubed.bcubed_precision, clusters), (bcubed.bcubed_recall, topics)):
            smaller = np.minimum(topics, clusters)
            pages = [np.mean(smaller[page][row > 0] / row[row > 0]) for page, row in enumerate(own)]
            assert function(covers(*pair)) == pytest.approx(np.mean(pages), abs=1e-12)

    @given(cover_pairs)
    def test_the_bcubed_package_agrees(self, pair):
        topics, clusters = (
            {page: set(np.flatnonzero(sets[:, page])) for page in range(sets.shape[1])} for sets in pair
        )
        found = covers(*pair)
        assert bcubed.bcubed_precision(found) == pytest.approx(bcubed_package.precision(clusters, topics))
        assert bcubed.bcubed_recall(found) == pytest.approx(bcubed_package.recall(clusters, topics))

    def test_values_by_hand(self):
        """Page 1 is in both topics; all pages are in one cluster."""
        found = by_hand(3, [[0, 1], [1, 2]], [[0, 1, 2]])
        assert bcubed.bcubed_precision(found) == pytest.approx((2 / 3 + 1 + 2 / 3) / 3)
        assert bcubed.bcubed_recall(found) == pytest.approx((1 + 5 / 6 + 1) / 3)
        assert bcubed.bcubed_f(found) == pytest.approx(2 * (7 / 9) * (17 / 18) / (7 / 9 + 17 / 18))


class TestOmega:
    @given(cover_pairs)
    def test_looking_at_every_pair_agrees(self, pair):
        n = pair[0].shape[1]
        topics, clusters = ((sets.T @ sets)[np.triu_indices(n, 1)] for sets in pair)
        observed = np.mean(topics == clusters) if n > 1 else 1.0
        expected = sum(np.mean(topics == number) * np.mean(clusters == number) for number in range(4)) if n > 1 else 0.0
        value = 1.0 if observed == 1 else (observed - expected) / (1 - expected)
        assert omega.omega(covers(*pair)) == pytest.approx(value, abs=1e-12)

    def test_values_by_hand(self):
        """Pairs 01 and 12 share a topic, 02 none; 01 a cluster, the others none."""
        found = by_hand(3, [[0, 1], [1, 2]], [[0, 1], [2]])
        assert omega.omega(found) == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))

    @given(st.integers(2, 15).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)))
    def test_it_is_the_adjusted_rand_index_of_partitions(self, pair):
        found = COVERS.of(case(*pair), 1, Policies())
        assert omega.omega(found) == pytest.approx(ari(Contingency.from_labels(*pair)), abs=1e-12)


@pytest.mark.parametrize(
    ("key", "value"), [("omega", 0.553191489361702), ("onmi_lfk", 0.5520535828151282), ("onmi_mgh", 0.537840515600284)]
)
def test_values_agree_with_cdlib(key, value):
    """Values of cdlib 0.4.0, which is not a requirement because it needs forty packages, some without wheels.

    On 300 random pairs of covers Omega agreed 300 times and ONMI 294 times; the others have the tie of the next test.
    """
    topics, clusters = [[0, 1, 2, 3], [3, 4, 5], [6, 7]], [[0, 1, 2], [2, 3, 4, 5], [5, 6, 7]]
    built = Case.build(gold(8, topics), clustering(*clusters))
    assert REGISTRY.get(key).compute(built, 1, Policies()) == pytest.approx(value, rel=1e-12)


def test_a_cluster_that_explains_as_much_as_its_complement_is_considered():
    """Of 8 pages a topic has 3, a cluster 2, both 1: h(4) + h(1) = h(1) + h(2), as h(1/2) = h(1/4). With "at least" (as
    in NetworKit) the cluster explains the topic; cdlib and the authors' program require "more than"."""
    found = by_hand(8, [[2, 3, 6], [0, 4, 5], [1, 7]], [[0, 1, 2], [3, 4], [5, 6, 7]])
    three, two = term(3 / 8) + term(5 / 8), term(1 / 4) + term(3 / 4)
    joint = term(4 / 8) + 2 * term(1 / 8) + term(2 / 8)
    assert joint - two < three
    topics, clusters = 2 * three + two, 2 * three + two
    left_of_topics = 2 * min(three, joint - two) + min(two, joint - three)
    assert onmi.onmi_mgh(found) == pytest.approx((topics - left_of_topics) / clusters)


def term(part: float) -> float:
    return -part * math.log(part) if part else 0.0


def conditional_entropies(sets, others):
    """Return the entropy of each set, and its entropy given the best of the others, as printed: joint minus own."""
    n = sets.shape[1]
    for one in sets:
        entropy = term(one.mean()) + term(1 - one.mean())
        least = entropy
        for other in others:
            a, b, c, d = (np.sum((one == x) & (other == y)) / n for x, y in ((0, 0), (0, 1), (1, 0), (1, 1)))
            if term(a) + term(d) >= term(b) + term(c):
                least = min(least, sum(map(term, (a, b, c, d))) - term(b + d) - term(a + c))
        yield entropy, least


class TestOnmi:
    @given(cover_pairs)
    def test_comparing_every_topic_with_every_cluster_agrees(self, pair):
        of_topics, of_clusters = list(conditional_entropies(*pair)), list(conditional_entropies(*pair[::-1]))
        whole = [sum(entropy for entropy, _ in side) for side in (of_topics, of_clusters)]
        left = [sum(rest for _, rest in side) for side in (of_topics, of_clusters)]
        if max(whole):
            explained = (whole[0] - left[0] + whole[1] - left[1]) / 2
            assert onmi.onmi_mgh(covers(*pair)) == pytest.approx(explained / max(whole), abs=1e-9)
        if all(entropy for entropy, _ in of_topics + of_clusters):
            shares = [np.mean([rest / entropy for entropy, rest in side]) for side in (of_topics, of_clusters)]
            assert onmi.onmi_lfk(covers(*pair)) == pytest.approx(1 - sum(shares) / 2, abs=1e-9)

    def test_values_by_hand(self):
        """The first topic is found, the second is split into two singletons, each of which explains a part of it."""
        found = by_hand(4, [[0, 1], [2, 3]], [[0, 1], [2], [3]])
        rest = 3 / 4 * (math.log(3) - 2 / 3 * math.log(2))  # H(t2 | {2})
        quarter = 1 / 4 * math.log(4) + 3 / 4 * math.log(4 / 3)
        lfk = 1 - (rest / math.log(2) / 2 + 2 / 3 * (math.log(2) / 2) / quarter) / 2
        assert onmi.onmi_lfk(found) == pytest.approx(lfk)
        topics, clusters = 2 * math.log(2), math.log(2) + 2 * quarter
        shared = (topics - rest + clusters - math.log(2)) / 2
        assert onmi.onmi_mgh(found) == pytest.approx(shared / max(topics, clusters))

    def test_a_set_of_all_pages_is_explained_only_by_an_equal_set(self):
        split = by_hand(4, [[0, 1, 2, 3], [0, 1]], [[0, 1], [2, 3]])
        assert onmi.onmi_lfk(split) == pytest.approx(1 - (1 / 2 + 1 / 2) / 2)  # cluster {2, 3} is t2's complement
        assert onmi.onmi_mgh(by_hand(2, [[0, 1]], [[0, 1]])) == 1.0


def page_rank(sets, weights, alpha=0.9):
    """Return (pages, pages) personalised PageRank, page by page."""
    leaving = sets.T * weights
    step = (leaving / leaving.sum(axis=1, keepdims=True)) @ (sets / sets.sum(axis=1, keepdims=True))
    return (1 - alpha) * np.linalg.inv(np.eye(len(step)) - alpha * step)


def walked(topics, clusters, *weights):
    difference = np.abs(page_rank(topics, weights[0]) - page_rank(clusters, weights[1])).sum(axis=1)
    return np.mean(1 - difference / (2 * 0.9))


class TestElementCentric:
    @given(cover_pairs)
    def test_page_rank_from_every_page_agrees(self, pair):
        assert element_centric.ecs(covers(*pair)) == pytest.approx(walked(*pair, 1, 1), abs=1e-12)

    @given(cover_pairs)
    def test_weights_by_depth_agree(self, pair):
        weights = [np.exp(nesting_depths(sp.csr_array(sets))) for sets in pair]
        value = element_centric.ecs_hierarchy(covers(*pair))
        assert value == pytest.approx(walked(*pair, *weights), abs=1e-12)

    def test_a_partition_by_hand(self):
        """Classes 3 + 3, clusters 4 + 2: (3^2/4 + 1/4 + 2^2/3) / 6."""
        found = COVERS.of(case([0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1]), 1, Policies())
        assert element_centric.ecs(found) == pytest.approx(23 / 36)

    def test_overlap_by_hand(self):
        """Topics 01 and 12 and one cluster, in which a walk is at each page with probability a/3.

        Every step of a walk over the topics ends at page 1 half of the time. From page 0, its masses at 0 and at 2 sum
        to a/2, and their difference halves with each step, in total (1 - a) a/2 / (1 - a/2).
        """
        found = by_hand(3, [[0, 1], [1, 2]], [[0, 1, 2]])
        a = 0.9
        ahead = (1 - a) * a / 2 / (1 - a / 2)
        outer = min((a / 2 + ahead) / 2, a / 3) + a / 3 + (a / 2 - ahead) / 2
        inner = a / 3 + 2 * (a / 4)  # from page 1
        assert element_centric.ecs(found) == pytest.approx((2 * outer + inner) / 3 / a)

    def test_only_all_levels_together_score_one(self):
        nested = [[0, 1, 2, 3], [4, 5, 6], [0, 1], [2, 3], [4], [5, 6]]
        standard = gold(7, nested, parents=[-1, -1, 0, 0, 1, 1])
        measure = REGISTRY.get("ecs_hierarchy")
        scores = [
            measure.compute(Case.build(standard, clustering(*clusters)), None, Policies())
            for clusters in (nested, nested[2:], nested[:2])
        ]
        assert scores[0] == pytest.approx(1)
        assert max(scores[1:]) < 0.9


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.key)
class TestOverlapAndPolicies:
    def test_overlap_is_accepted_without_a_scoring_option(self, measure):
        overlapping = Case.build(gold(4, [[0, 1, 2], [2, 3]]), clustering([0, 1], [1, 2, 3]))
        value = measure.compute(overlapping, 1, Policies())
        assert 0 < value < 1
        assert value == measure.compute(overlapping, 1, Policies(overlap="first"))

    def test_outliers_are_dropped_or_form_a_topic(self, measure):
        with_outliers = Case.build(gold(5, [[0, 1], [1, 2]], outliers=[3, 4]), clustering([0, 1], [1, 2, 3], [4]))
        left_out = Case.build(gold(3, [[0, 1], [1, 2]]), clustering([0, 1], [1, 2]))
        as_topic = Case.build(gold(5, [[0, 1], [1, 2], [3, 4]]), clustering([0, 1], [1, 2, 3], [4]))
        assert measure.compute(with_outliers, 1, Policies()) == measure.compute(left_out, 1, Policies())
        value = measure.compute(with_outliers, 1, Policies(outliers="topic"))
        assert value == pytest.approx(measure.compute(as_topic, 1, Policies()))

    def test_unclustered_pages_are_singletons_or_together_or_dropped(self, measure):
        topics = gold(5, [[0, 1, 2], [2, 3, 4]])
        partial = Case.build(topics, clustering([0, 1, 2]))
        for choice, clusters in (("singletons", [[0, 1, 2], [3], [4]]), ("together", [[0, 1, 2], [3, 4]])):
            full = Case.build(topics, clustering(*clusters))
            value = measure.compute(partial, 1, Policies(unclustered=choice))
            assert value == pytest.approx(measure.compute(full, 1, Policies()))
        dropped = Case.build(gold(3, [[0, 1, 2], [2]]), clustering([0, 1, 2]))
        value = measure.compute(partial, 1, Policies(unclustered="drop"))
        assert value == pytest.approx(measure.compute(dropped, 1, Policies()))

    def test_no_remaining_page_is_undefined(self, measure):
        nothing = Case.build(gold(2, [], outliers=[0, 1]), clustering([0, 1]))
        with pytest.raises(Undefined, match="every page is an outlier, and outliers are dropped"):
            measure.compute(nothing, 1, Policies())

    def test_the_same_overlapping_sets_score_best(self, measure):
        sets = [[0, 1, 2], [2, 3], [3, 4, 0], [5]]
        assert measure.compute(Case.build(gold(6, sets), clustering(*sets)), 1, Policies()) == pytest.approx(1)


def test_depth_of_a_chain_of_sets_is_its_length():
    chain = incidence([[0], [0, 1], [0, 1, 2], [3], [0, 1, 2, 3], [0, 1]], 4)
    assert nesting_depths(chain).tolist() == [3, 2, 1, 1, 0, 2]


def test_large_partitions_agree_with_partition_measures():
    """200,000 pages without overlap have as many groups as cells, and BCubed is the sum of their squares."""
    random = np.random.default_rng(1)
    labels = random.integers(0, 300, 200_000), random.integers(0, 300, 200_000)
    sets = [sp.csr_array((np.ones(200_000, dtype=int), (one, np.arange(200_000)))) for one in labels]
    found, table = Covers.from_incidence(*sets), Contingency.from_labels(*labels)
    squares = table.count**2 / table.cluster_sizes[table.cluster_of]
    assert bcubed.bcubed_precision(found) == pytest.approx(squares.sum() / table.n)
    assert omega.omega(found) == pytest.approx(ari(table), rel=1e-12)
    assert 0 < element_centric.ecs(found) < set_matching.purity(table)

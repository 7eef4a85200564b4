"""QC4 values that can be checked by hand, from the project's interpretation of QC4."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp

from qc4.measures.qc4 import explain_cluster, qc4
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy
from tests.qc4.measures.qc4.reference import Gold, Pages, entropies, recalls
from tests.qc4.measures.qc4.strategies import engine_case


def pages(first: int, last: int) -> Pages:
    return frozenset(range(first, last + 1))


A, B, C, A1, A2, OUTLIERS = pages(0, 39), pages(40, 69), pages(65, 89), pages(0, 24), pages(20, 39), pages(90, 99)
HUNDRED = Gold(100, ((A, None, 1), (B, None, 1), (C, None, 1), (A1, 0, None), (A2, 0, None)), OUTLIERS)


@pytest.mark.parametrize(
    ("clusters", "expected"),
    [
        pytest.param([A, B, C], (1, 1, 1, 1), id="level 1"),
        pytest.param([A1, A2, B, C], (1, 1, 1, 1), id="level 2"),
        pytest.param([A, B, C, A1, A2], (1, 1, 1, 1), id="both levels"),
        pytest.param([A, B, C, OUTLIERS], (1, 1, 1, 1), id="with the outlier cluster"),
        pytest.param([pages(d, d) for d in range(100)], (0.0291, 0.0291, 0.9255, 0.9324), id="singletons"),
        pytest.param([pages(0, 99)], (0, 0, 0, 0), id="one cluster"),
        pytest.param([A, pages(40, 54), pages(55, 69), C], (0.9341, 0.9584, 1, 1), id="B split"),
        pytest.param([A, B], (1, 1, 0.6778, 0.7456), id="without C"),
        pytest.param([A, B, C, frozenset(range(0, 100, 5))], (0.75, 0.8261, 1, 1), id="with junk"),
        pytest.param([A, B, C, pages(90, 94) | pages(0, 4)], (0.8469, 0.9417, 1, 1), id="half outliers stay"),
    ],
)
def test_an_example_of_a_hundred_pages(clusters: list[Pages], expected: tuple[float, ...]) -> None:
    result = qc4(engine_case(HUNDRED, clusters))

    assert tuple(round(value, 4) for value in (result.aq, result.wq, result.ac, result.wc)) == expected


@pytest.mark.parametrize(("size", "quality"), [(10, 0.15291), (20, 0.04749), (25, 0.02781), (50, 0.00243)])
def test_quality_of_a_singleton_in_equal_disjoint_topics(size: int, quality: float) -> None:
    gold = Gold(5 * size, tuple((pages(i * size, (i + 1) * size - 1), None, None) for i in range(5)))
    cluster = qc4(engine_case(gold, [pages(0, 0)])).clusters[0]

    assert round(cluster.quality, 5) == quality
    assert cluster.s_random == pytest.approx(20 / size, abs=1e-12)


@pytest.mark.parametrize("m", [5, 10, 19])
def test_with_standard_recall_a_pure_cluster_scores_its_fraction_of_the_topic(m: int) -> None:
    """Section 4.3: E is 0 and S_random above 1, so quality is R = m / 20 instead of R'; coverage does not change."""
    gold = Gold(100, tuple((pages(i * 20, i * 20 + 19), None, None) for i in range(5)))
    case = engine_case(gold, [pages(0, m - 1)])
    standard, modified = qc4(case, "standard"), qc4(case)

    assert standard.clusters[0].s_recall == standard.quality == pytest.approx(m / 20, abs=1e-12)
    assert modified.quality == pytest.approx(2 ** ((m - 20) / m / math.log2(20)), abs=1e-12)
    assert standard.coverage == modified.coverage


@pytest.mark.parametrize("m", [1, 3, 10, 19])
def test_a_pure_cluster_in_equal_disjoint_topics(m: int) -> None:
    n, s = 5, 20
    gold = Gold(n * s, tuple((pages(i * s, (i + 1) * s - 1), None, None) for i in range(n)))
    cluster = qc4(engine_case(gold, [pages(0, m - 1)])).clusters[0]

    assert cluster.entropy == 0.0
    assert cluster.s_recall == pytest.approx(2 ** ((m / s - 1) / ((m / s) * math.log2(s))))
    assert cluster.s_random == pytest.approx(20 * m / s)


def test_a_tb_that_shares_no_page_with_the_cluster_can_win() -> None:
    # In the interpretation D is 0-5 and 10-14; here pages are numbered without a gap, so 10 is page 6, and so on.
    sets = ({1, 2, 5, 6}, {3, 7}, {0, 4, 5, 8}, {9, 10})
    gold = Gold(11, tuple((frozenset(topic), None, None) for topic in sets))
    cluster, touched = pages(0, 5), range(3)
    case = engine_case(gold, [cluster])
    found = qc4(case)

    assert round(found.clusters[0].entropy, 5) == 0.72441
    assert round(found.clusters[0].s_recall, 5) == 0.83506
    assert round(min(entropies(gold, cluster)[tb] for tb in touched), 5) == 0.72957
    assert round(max(recalls(gold, cluster)[tb] for tb in touched), 5) == 0.82575
    explained = explain_cluster(case, found, 0)
    assert explained.entropy_topic == "3"
    assert explained.recall_topic == "3"


def test_ties_of_f_go_to_the_smallest_level_number() -> None:
    # B has the children B1, which has the same pages as B, and B2, which overlaps B1.
    gold = Gold(12, ((pages(0, 5), None, None), (pages(6, 11), None, None), (pages(6, 11), 1, 2), (pages(6, 7), 1, 2)))
    result = qc4(engine_case(gold, [pages(0, 5), pages(6, 11)]))

    assert [(cluster.level, cluster.best_topic, cluster.quality) for cluster in result.clusters] == [
        (1, "0", 1.0),
        (1, "1", 1.0),
    ]


def test_ties_of_f_on_one_level_go_to_the_first_topic_in_the_file() -> None:
    # Topic 2 is a child of topic 1 and topic 3 a child of topic 0, so file order differs from branch order.
    children = [({4, 5}, 1), ({0, 1}, 0), ({2, 3}, 0), ({6, 7}, 1)]
    below = tuple((frozenset(topic), parent, None) for topic, parent in children)
    gold = Gold(8, ((pages(0, 3), None, None), (pages(4, 7), None, None), *below))
    cluster = qc4(engine_case(gold, [frozenset({0, 4})])).clusters[0]

    assert (cluster.level, cluster.best_topic) == (2, "2")


def test_a_topic_of_all_pages_makes_s_random_infinite_or_zero() -> None:
    gold = Gold(6, ((pages(0, 5), None, None), (pages(0, 2), None, None)))
    result = qc4(engine_case(gold, [pages(0, 2), pages(0, 5)]))

    assert [cluster.s_random for cluster in result.clusters] == [math.inf, 0.0]
    assert [cluster["s_random"] for cluster in result.to_dict()["clusters"]] == [None, 0.0]


@pytest.mark.parametrize("clusters", [[], [pages(0, 3)], [pages(0, 1), pages(2, 2)]])
def test_a_gold_standard_of_outliers_only_gives_zero(clusters: list[Pages]) -> None:
    result = qc4(engine_case(Gold(4, (), pages(0, 3)), clusters))

    assert (result.aq, result.wq, result.ac, result.wc, result.qc4, result.qc4_f) == (0, 0, 0, 0, 0, 0)
    assert result.removed == tuple(f"c{i}" for i in range(len(clusters)))
    assert result.clusters == result.topics == ()


def test_without_clusters_qc4_is_zero_and_every_topic_is_listed() -> None:
    result = qc4(engine_case(HUNDRED, []))

    assert (result.aq, result.wq, result.ac, result.wc) == (0, 0, 0, 0)
    assert [(topic.id, topic.size, topic.coverage) for topic in result.topics] == [
        ("0", 40, 0),
        ("1", 30, 0),
        ("2", 25, 0),
    ]


def test_entropy_with_one_topic_of_all_pages_is_zero() -> None:
    cluster = qc4(engine_case(Gold(5, ((pages(0, 4), None, None),)), [pages(0, 1)])).clusters[0]

    assert (cluster.entropy, cluster.s_random, cluster.quality) == (0.0, 0.0, 0.0)


def test_results_are_computed_once_per_case() -> None:
    case = engine_case(HUNDRED, [A, B])

    assert qc4(case) is qc4(case)


def test_pages_without_a_topic_are_rejected_before_scoring() -> None:
    direct = sp.csr_array(np.array([[1, 1, 0]], dtype=np.int32))
    with pytest.raises(ValueError, match="rule R1"):
        GoldStandard.from_hierarchy(Hierarchy.build(direct, [-1]))

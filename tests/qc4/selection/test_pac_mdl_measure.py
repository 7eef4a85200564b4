"""PAC-MDL as a measure of the catalogue: its inputs, and undefined cases."""

from __future__ import annotations

import numpy as np
import pytest

from qc4.inputs.undefined import Undefined
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.policies import Policies
from qc4.selection import bound, predict, train_pages
from tests.qc4.small_cases import blocks, case, clustering, gold

PAC_MDL = REGISTRY.get("pac_mdl")


def value(of: Case, level: int = 1, **policies: str) -> float:
    return PAC_MDL.compute(of, level, Policies(**policies))


def test_metadata():
    assert (PAC_MDL.low, PAC_MDL.high, PAC_MDL.better, PAC_MDL.family) == (0, 1, "lower", "prediction")
    assert "labelled sample" in PAC_MDL.needs
    assert not PAC_MDL.gold_is_best


def test_pure_clusters_get_the_bound_for_no_errors():
    """1,500 pages in each set, three topics and three clusters. No train page is wrong, so b is the largest with P(no
    red ball among b) >= 0.1 / 27; C(1500, 8) / C(3000, 8) is 0.0039, with 9 it is 0.0019."""
    labels = [0, 1, 2] * 1000
    assert pytest.approx(0.0037, abs=1e-5) == 0.1 / 27
    assert value(case(labels, labels)) == 8 / 1500
    assert bound(1500, 1500, 0, labels=3, clusters=3) == 8


def test_the_value_is_the_bound_of_one_split_of_ranked_pages():
    rng = np.random.default_rng(3)
    labels, clusters = rng.integers(0, 3, 200), rng.integers(0, 3, 200)
    clusters = np.where(rng.random(200) < 0.7, labels, clusters)
    ranks = (rng.permutation(200) + 1).tolist()
    built = Case.build(gold(200, blocks(labels.tolist()), ranks=ranks), clustering(*blocks(clusters.tolist())))
    by_rank = np.argsort(ranks)
    codes = np.unique(labels[by_rank], return_inverse=True)[1]
    order = list(dict.fromkeys(codes.tolist()))
    codes = np.array([order.index(code) for code in codes.tolist()])
    found = predict(codes, clusters[by_rank], train_pages(codes, 0.5, 0), 0)
    expected = bound(found.train, found.test, found.train_errors, 3, found.clusters) / found.test
    assert value(built) == expected
    assert 0 < expected < 1


def test_worse_clusters_have_a_larger_bound_and_singletons_have_1():
    labels = [0] * 300 + [1] * 300
    half_wrong = [number % 2 if number < 150 else label for number, label in enumerate(labels)]
    values = [value(case(labels, clusters)) for clusters in (labels, half_wrong, range(600))]
    assert values[0] < values[1] < values[2] == 1


def test_more_clusters_increase_the_bound_for_the_same_errors():
    labels = [0] * 300 + [1] * 300
    split = [number // 100 for number in range(600)]
    assert value(case(labels, labels)) < value(case(labels, split))


def test_one_topic_has_no_description_cost():
    """C(10, 2) / C(20, 2) is 0.24, C(10, 3) / C(20, 3) is 0.105, C(10, 4) / C(20, 4) is 0.043: three errors of ten."""
    assert value(case([0] * 20, [0] * 20)) == 0.3


def test_scoring_options_decide_on_outliers_and_unclustered_pages():
    built = Case.build(gold(60, [range(40)], outliers=range(40, 60)), clustering(range(40), range(40, 50)))
    assert value(built) == bound(20, 20, 0, 1, 1) / 20
    assert value(built, outliers="topic", unclustered="together") == bound(30, 30, 0, 2, 3) / 30
    assert value(built, outliers="topic", unclustered="drop") == bound(25, 25, 0, 2, 2) / 25


class TestUndefined:
    @pytest.mark.parametrize(
        ("topics", "clusters", "reason"),
        [
            ([[0, 1, 2], [2, 3]], [[0, 1], [2, 3]], "1 page is in more than one topic on level 1"),
            ([[0, 1], [2, 3]], [[0, 1, 2], [2, 3]], "1 page is in more than one cluster"),
        ],
    )
    def test_overlap(self, topics, clusters, reason):
        built = Case.build(gold(4, topics), clustering(*clusters))
        with pytest.raises(Undefined, match=reason):
            value(built)
        assert value(built, overlap="first") == 1
        assert PAC_MDL.view.flattens(built, 1, Policies(overlap="first"))

    def test_one_page(self):
        with pytest.raises(Undefined, match="1 page cannot be split into labelled pages and pages to predict"):
            value(case([0], [0]))

    def test_no_page(self):
        built = Case.build(gold(2, [[0]], outliers=[1]), clustering([1]))
        with pytest.raises(Undefined, match="no page is left"):
            value(built, unclustered="drop")

    def test_missing_or_repeated_ranks(self):
        built = Case.build(gold(4, [[0, 1], [2, 3]], ranks=[1, 1, 2, 3]), clustering([0, 1], [2, 3]))
        with pytest.raises(Undefined, match="several pages have the rank 1"):
            value(built)

"""Worked examples and degenerate cases are valid, and have a result for every measure."""

from __future__ import annotations

import pytest

from evaluation.measures.worked_examples import (
    EXAMPLES,
    compute_example,
    degenerate_cases,
    example_for,
    page_table,
)
from qc4.measures.registry import REGISTRY
from qc4.model.rules import check

MEASURES = REGISTRY.all()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.key)
def test_examples_are_valid(example):
    assert not [problem for problem in check(example.gold) if problem.severity == "error"]
    assert example.points is None or len(example.points) == len(example.gold.pages)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.key)
def test_every_measure_has_a_value_on_its_example(measure):
    found = compute_example(measure)
    assert found.scores
    assert all(score.measure == measure.key and score.value is not None for score in found.scores)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.key)
def test_every_degenerate_case_has_a_value_or_a_reason(measure):
    found = degenerate_cases(measure)
    assert len({edge.title for edge in found}) == len(found) >= 6
    assert all((edge.score.value is None) == bool(edge.score.undefined) for edge in found)


def test_measures_of_partitions_share_an_example_countable_by_hand():
    ari = compute_example(REGISTRY.get("ari"))
    assert ari.pairs is not None
    # Pairs in clusters of 4, 2, 3 and 1 pages; in classes of 5, 3 and 2; in cells of 4, 1, 1, 2, 1 and 1.
    assert (ari.pairs.same_cluster, ari.pairs.same_class, ari.pairs.both, ari.pairs.total) == (10, 14, 7, 45)
    expected = 14 * 10 / 45
    assert ari.scores[0].value == pytest.approx((7 - expected) / (12 - expected))
    assert compute_example(REGISTRY.get("purity")).scores[0].value == pytest.approx(8 / 10)
    assert example_for(REGISTRY.get("purity")) is ari.example


def test_overlap_example_has_overlap_levels_and_outliers():
    example = example_for(REGISTRY.get("qc4"))
    hierarchy = example.case().gold.hierarchy
    assert hierarchy.n_levels == 2
    assert hierarchy.outliers.size == 1
    assert page_table(example).tolist() == [
        [5, 2, 0, 0],  # Language: pages 1 to 5, from its two subtopics, which share page 3
        [3, 2, 0, 0],
        [3, 0, 0, 0],
        [0, 0, 3, 1],  # Snake: pages 6 to 9
        [0, 0, 2, 0],
        [0, 0, 1, 1],
        [0, 0, 0, 2],  # Film: pages 9 to 11, of which page 9 is in Snake too
    ]
    clustered = [page for cluster in example.clustering.clusters for page in cluster.pages]
    assert len(set(clustered)) < len(clustered)

"""Matches of clusters with their best topics, against the formulas of section 2.2 written with sets."""

from __future__ import annotations

from hypothesis import given

from qc4.measures.qc4 import cluster_matches, qc4
from qc4.measures.qc4.explanation import ClusterMatch
from tests.qc4.measures.qc4.reference import Gold, Pages, reference_qc4
from tests.qc4.measures.qc4.strategies import cases, engine_case


@given(cases())
def test_matches_agree_with_the_paper(drawn: tuple[Gold, list[Pages]]) -> None:
    gold, clusters = drawn
    case = engine_case(gold, clusters)
    result = qc4(case)
    matches = cluster_matches(case, result)
    assert len(matches) == len(result.clusters)
    for pages, part, match in zip(reference_qc4(gold, clusters).clusters, result.clusters, matches, strict=True):
        best = gold.pages(int(part.best_topic))
        assert (match.common, match.best_size) == (len(pages & best), len(best))
        assert (match.precision, match.recall) == (len(pages & best) / len(pages), len(pages & best) / len(best))


def test_a_cluster_computed_by_hand() -> None:
    """Topic 0 has pages 0-5, topic 1 has 6-8, and 9 is an outlier; the cluster contains 4, 1 and 1 of them."""
    gold = Gold(10, ((frozenset(range(6)), None, None), (frozenset({6, 7, 8}), None, None)), frozenset({9}))
    case = engine_case(gold, [frozenset({9}), frozenset({0, 1, 2, 3, 6, 9})])
    assert cluster_matches(case, qc4(case)) == (ClusterMatch(4, 6, 4 / 6, 4 / 6),)

"""Explanations agree with the scores that they explain."""

from __future__ import annotations

import pytest
from hypothesis import given

from qc4.measures.qc4 import ForeignPage, TopicShare, explain_cluster, page_coverage, qc4
from qc4.model.policies import Recall
from tests.qc4.measures.qc4.reference import OUTLIER, Gold, Pages, entropies, f_measure, recalls, reference_qc4
from tests.qc4.measures.qc4.strategies import cases, engine_case

CLOSE = {"rel": 1e-9, "abs": 1e-9}


@pytest.mark.parametrize("recall", ["modified", "standard"])
@given(cases())
def test_the_explained_tb_reproduces_entropy_and_recall(recall: Recall, drawn: tuple[Gold, list[Pages]]) -> None:
    gold, clusters = drawn
    case = engine_case(gold, clusters)
    result = qc4(case, recall)
    for i, pages in enumerate(reference_qc4(gold, clusters).clusters):
        explained = explain_cluster(case, result, i)
        number = {str(t): t for t in range(len(gold.topics))} | {None: OUTLIER}
        assert entropies(gold, pages)[number[explained.entropy_topic]] == pytest.approx(
            result.clusters[i].entropy, **CLOSE
        )
        assert recalls(gold, pages, recall == "standard")[number[explained.recall_topic]] == pytest.approx(
            result.clusters[i].s_recall, **CLOSE
        )


@given(cases())
def test_mix_runner_up_and_foreign_pages_use_the_clusters_level(drawn: tuple[Gold, list[Pages]]) -> None:
    gold, clusters = drawn
    case = engine_case(gold, clusters)
    result = qc4(case)
    for i, pages in enumerate(reference_qc4(gold, clusters).clusters):
        explained, cluster = explain_cluster(case, result, i), result.clusters[i]
        level = gold.on_with_outliers(cluster.level)
        counts = {None if t == OUTLIER else str(t): len(pages & gold.pages(t)) for t in level}
        assert {share.topic: share.pages for share in explained.mix} == {t: n for t, n in counts.items() if n}
        assert [share.pages for share in explained.mix] == sorted((n for n in counts.values() if n), reverse=True)
        foreign = sorted(pages - gold.pages(int(cluster.best_topic)))
        assert [page.page for page in explained.foreign_pages] == [str(d) for d in foreign]
        for page in explained.foreign_pages:
            d = int(page.page)
            assert page.topics == tuple(str(t) for t in gold.on(cluster.level) if d in gold.pages(t))
            assert page.outlier == (d in gold.outliers)
        others = [f_measure(gold, pages, t) for t in range(len(gold.topics)) if str(t) != cluster.best_topic]
        second = max(others, default=0)
        assert (explained.runner_up.f if explained.runner_up else 0) == pytest.approx(float(second))


@given(cases())
def test_page_coverage_agrees_with_the_definition_on_every_level(drawn: tuple[Gold, list[Pages]]) -> None:
    gold, clusters = drawn
    case = engine_case(gold, clusters)
    result, expected = qc4(case), reference_qc4(gold, clusters)
    found = page_coverage(case, result)
    table = found.pages.toarray()
    for t in range(len(gold.topics)):
        for d in range(gold.n_pages):
            value = expected.page_coverage(d, t, gold.first(t)) if d in gold.pages(t) else 0.0
            assert table[t, d] == pytest.approx(value, **CLOSE)
    by_id = dict(zip(case.gold.topic_ids, found.topics, strict=True))
    for topic in result.topics:
        assert by_id[topic.id] == pytest.approx(topic.coverage, **CLOSE)


def test_pages_of_other_topics_and_outliers_are_foreign() -> None:
    topics = ((frozenset(range(4)), None, None), (frozenset(range(4, 8)), None, None))
    gold = Gold(10, topics, frozenset({8, 9}))
    case = engine_case(gold, [frozenset({0, 1, 2, 5, 8})])
    explained = explain_cluster(case, qc4(case), 0)

    assert explained.foreign_pages == (ForeignPage("5", ("1",), False), ForeignPage("8", (), True))
    assert explained.mix == (
        TopicShare("0", 3, 3 / 5, 3 / 4),
        TopicShare("1", 1, 1 / 5, 1 / 4),
        TopicShare(None, 1, 1 / 5, 1 / 2),
    )
    assert explained.runner_up is not None
    assert (explained.runner_up.topic, explained.runner_up.level, explained.runner_up.f) == ("1", 1, 2 / 9)


def test_a_removed_cluster_does_not_shift_the_explanations() -> None:
    gold = Gold(6, ((frozenset({0, 1}), None, None), (frozenset({2, 3}), None, None)), frozenset({4, 5}))
    case = engine_case(gold, [frozenset({4, 5}), frozenset({2, 3})])
    result = qc4(case)

    assert result.clusters[0].id == "c1"
    assert explain_cluster(case, result, 0).mix == (TopicShare("1", 2, 1.0, 1.0),)

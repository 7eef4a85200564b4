"""The fast computation agrees with the literal reference on every component, to 1e-9."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.measures.qc4 import calculation, page_coverage, qc4
from qc4.model.policies import Recall
from tests.profiles import thorough
from tests.qc4.measures.qc4.reference import Gold, Pages, Reference, reference_qc4
from tests.qc4.measures.qc4.strategies import cases, engine_case, golds

CLOSE = {"rel": 1e-9, "abs": 1e-9}
OUT = frozenset(range(80, 90))


@pytest.mark.parametrize("recall", ["modified", "standard"])
@given(cases())
def test_every_component_agrees_with_the_reference(recall: Recall, drawn: tuple[Gold, list[Pages]]) -> None:
    gold, clusters = drawn
    found = qc4(engine_case(gold, clusters), recall)
    expected = reference_qc4(gold, clusters, standard=recall == "standard")

    assert found.removed == tuple(f"c{i}" for i in expected.removed)
    for cluster, pages, parts in zip(found.clusters, expected.clusters, expected.parts, strict=True):
        assert (cluster.level, cluster.best_topic, cluster.size) == (parts.level, str(parts.best_topic), len(pages))
        assert cluster.f == pytest.approx(parts.f, **CLOSE)
        assert cluster.entropy == pytest.approx(parts.entropy, **CLOSE)
        assert cluster.s_recall == pytest.approx(parts.s_recall, **CLOSE)
        assert cluster.s_random == pytest.approx(parts.s_random, **CLOSE)
        assert cluster.quality == pytest.approx(parts.quality, **CLOSE)
    assert [topic.id for topic in found.topics] == [str(t) for t in gold.on(1)]
    for topic, t in zip(found.topics, gold.on(1), strict=True):
        assert topic.size == len(gold.pages(t))
        assert topic.coverage == pytest.approx(expected.topic_coverage(t), **CLOSE)
    assert overall_of(expected) == pytest.approx((found.aq, found.wq, found.ac, found.wc), **CLOSE)


@given(cases())
def test_every_value_is_in_its_range(drawn: tuple[Gold, list[Pages]]) -> None:
    found = qc4(engine_case(*drawn))

    overall = (found.aq, found.wq, found.ac, found.wc, found.quality, found.coverage, found.qc4, found.qc4_f)
    parts = [v for c in found.clusters for v in (c.f, c.entropy, c.s_recall, c.quality)]
    for value in (*overall, *parts, *(topic.coverage for topic in found.topics)):
        assert type(value) is float
        assert 0.0 <= value <= 1.0
        assert not (value == 0.0 and math.copysign(1.0, value) < 0.0)
    assert all(cluster.s_random >= 0.0 for cluster in found.clusters)


@given(golds(), st.data())
def test_singletons_agree_with_the_reference_and_with_separate_scoring(gold: Gold, data: st.DataObject) -> None:
    pages = st.sampled_from(range(gold.n_pages))
    drawn = st.one_of(pages.map(lambda d: frozenset([d])), st.sets(pages, min_size=2).map(frozenset))
    clusters = [*(frozenset([d]) for d in range(gold.n_pages)), *data.draw(st.lists(drawn, max_size=8))]
    clusters = data.draw(st.permutations(clusters))
    found, expected = qc4(engine_case(gold, clusters)), reference_qc4(gold, clusters)

    assert overall_of(expected) == pytest.approx((found.aq, found.wq, found.ac, found.wc), **CLOSE)
    for cluster in found.clusters:
        (alone,) = qc4(engine_case(gold, [clusters[int(cluster.id[1:])]])).clusters
        assert cluster[1:] == alone[1:]


@given(cases(), st.integers(1, 8))
def test_the_size_of_blocks_does_not_matter(drawn: tuple[Gold, list[Pages]], block: int) -> None:
    case = engine_case(*drawn)
    whole = qc4(case)
    coverage = page_coverage(case, whole).pages.toarray()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calculation, "BLOCK", block)
        blocks = qc4(engine_case(*drawn))
        assert (page_coverage(case, whole).pages.toarray() == coverage).all()
    assert [cluster.id for cluster in blocks.clusters] == [cluster.id for cluster in whole.clusters]
    assert (blocks.aq, blocks.wq, blocks.ac, blocks.wc) == pytest.approx((whole.aq, whole.wq, whole.ac, whole.wc))


@thorough("a larger case by the reference")
def test_a_larger_case_agrees_with_the_reference() -> None:
    chance = random.Random(2007)
    leaves: list[set[int]] = [set() for _ in range(18)]
    for page in range(80):
        for leaf in chance.sample(range(18), chance.choice([1, 1, 1, 2, 3])):
            leaves[leaf].add(page)
    roots = [(frozenset(), None, None)] * 3
    middles = [(frozenset(), i // 3, None) for i in range(9)]
    gold = Gold(90, (*roots, *middles, *((frozenset(leaf), 3 + i // 2, None) for i, leaf in enumerate(leaves))), OUT)
    near = [gold.pages(t) ^ frozenset(chance.sample(range(90), 4)) for t in chance.sample(range(30), 8)]
    clusters = near + [frozenset(chance.sample(range(90), size)) for size in (2, 20, 40)]

    found, expected = qc4(engine_case(gold, clusters)), reference_qc4(gold, clusters)
    qualities = [part.quality for part in expected.parts]
    assert [cluster.quality for cluster in found.clusters] == pytest.approx(qualities, **CLOSE)
    assert {cluster.level for cluster in found.clusters} == {1, 2, 3}
    assert overall_of(expected) == pytest.approx((found.aq, found.wq, found.ac, found.wc), **CLOSE)


def overall_of(reference: Reference) -> tuple[float, float, float, float]:
    return reference.aq, reference.wq, reference.ac, reference.wc

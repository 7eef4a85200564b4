"""Invariants of QC4 for every gold standard: values of ideal clusterings, and changes without effect."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qc4.measures.qc4 import QC4Result, qc4
from tests.qc4.measures.qc4.reference import Gold, Pages
from tests.qc4.measures.qc4.strategies import cases, engine_case, golds

CLOSE = {"rel": 1e-9, "abs": 1e-9}


def overall(result: QC4Result) -> tuple[float, float, float, float]:
    return result.aq, result.wq, result.ac, result.wc


def close(values: tuple[float, ...]) -> Any:
    return pytest.approx(values, **CLOSE)


@given(golds(allow_full_topics=False), st.randoms(use_true_random=False))
def test_ideal_clusterings_score_exactly_one(gold: Gold, chance: random.Random) -> None:
    assume(gold.topics)
    ideals = [gold.on(level) for level in range(1, gold.l_max + 1)]
    ideals += [list(range(len(gold.topics))), mixed_levels(gold, chance)]
    for topics in ideals:
        assert overall(qc4(engine_case(gold, [gold.pages(t) for t in topics]))) == (1.0, 1.0, 1.0, 1.0)


def mixed_levels(gold: Gold, chance: random.Random) -> list[int]:
    """Choose, for each branch, either the topic or its children, all the way down."""
    found, pending = [], gold.on(1)
    while pending:
        topic = pending.pop()
        children = gold.children(topic)
        if children and chance.random() < 0.5:
            pending += children
        else:
            found.append(topic)
    return found


@given(cases(), st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(drawn: tuple[Gold, list[Pages]], chance: random.Random) -> None:
    gold, clusters = drawn
    page = shuffled(gold.n_pages, chance)
    topic = shuffled(len(gold.topics), chance)
    renamed: list[Any] = [None] * len(topic)
    for old, (pages, parent, level) in enumerate(gold.topics):
        renamed[topic[old]] = (moved(pages, page), None if parent is None else topic[parent], level)
    other = Gold(gold.n_pages, tuple(renamed), moved(gold.outliers, page))
    order = shuffled(len(clusters), chance)
    result = qc4(engine_case(other, [moved(clusters[i], page) for i in order]))

    before = qc4(engine_case(gold, clusters))
    assert overall(result) == close(overall(before))
    original = {f"c{new}": f"c{old}" for new, old in enumerate(order)}
    assert {original[name] for name in result.removed} == set(before.removed)
    qualities = {cluster.id: cluster.quality for cluster in before.clusters}
    for cluster in result.clusters:
        assert cluster.quality == pytest.approx(qualities[original[cluster.id]], **CLOSE)


def shuffled(n: int, chance: random.Random) -> list[int]:
    return chance.sample(range(n), n)


def moved(pages: Pages, to: list[int]) -> Pages:
    return frozenset(to[d] for d in pages)


@given(cases(), st.booleans())
def test_repeating_the_finest_level_does_not_change_qc4(drawn: tuple[Gold, list[Pages]], only_some: bool) -> None:
    gold, clusters = drawn
    leaves = [t for t in range(len(gold.topics)) if not gold.children(t)]
    repeated = leaves[: max(1, len(leaves) // 2)] if only_some else leaves
    copies = tuple((gold.pages(t), t, gold.l_max + 1) for t in repeated)
    other = Gold(gold.n_pages, gold.topics + copies, gold.outliers)

    result, before = qc4(engine_case(other, clusters)), qc4(engine_case(gold, clusters))
    assert overall(result) == close(overall(before))
    assert [(c.level, c.best_topic) for c in result.clusters] == [(c.level, c.best_topic) for c in before.clusters]


@given(cases(), st.data())
def test_adding_a_cluster_of_outliers_does_not_change_qc4(drawn: tuple[Gold, list[Pages]], data: st.DataObject) -> None:
    gold, clusters = drawn
    assume(gold.outliers)
    outliers = data.draw(st.sets(st.sampled_from(sorted(gold.outliers)), min_size=1))

    result = qc4(engine_case(gold, [*clusters, frozenset(outliers)]))
    assert overall(result) == overall(qc4(engine_case(gold, clusters)))
    assert result.removed[-1] == f"c{len(clusters)}"


@given(cases(), st.data())
def test_adding_a_cluster_never_lowers_coverage(drawn: tuple[Gold, list[Pages]], data: st.DataObject) -> None:
    gold, clusters = drawn
    added = frozenset(data.draw(st.sets(st.integers(0, gold.n_pages - 1), min_size=1)))

    before, after = qc4(engine_case(gold, clusters)), qc4(engine_case(gold, [*clusters, added]))
    assert after.ac >= before.ac - 1e-12
    assert after.wc >= before.wc - 1e-12


@pytest.mark.parametrize("name", ["dollar", "gold", "oil", "ship", "wheat"])
def test_ideal_clusterings_of_real_gold_standards_score_exactly_one(name: str, shared_data: Path) -> None:
    gold = read_plain(shared_data / "reuters" / f"{name}.gold.json")
    everything = list(range(len(gold.topics)))
    for topics in (gold.on(1), gold.on(gold.l_max), everything, mixed_levels(gold, random.Random(0))):
        result = qc4(engine_case(gold, [gold.pages(t) for t in topics]))
        assert overall(result) == (1.0, 1.0, 1.0, 1.0)


def read_plain(path: Path) -> Gold:
    document = json.loads(path.read_text(encoding="utf-8"))
    page = {entry["id"]: i for i, entry in enumerate(document["pages"])}
    topic = {entry["id"]: i for i, entry in enumerate(document["topics"])}
    topics = tuple(
        (frozenset(page[d] for d in t["pages"]), topic.get(t["parent"]), t.get("level")) for t in document["topics"]
    )
    return Gold(len(page), topics, frozenset(page[d] for d in document["outliers"]))

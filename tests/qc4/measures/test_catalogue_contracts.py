"""Contracts of all measures of the catalogue, checked against their declared metadata."""

import math
import re
from contextlib import suppress
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.inputs.cover import COVERS
from qc4.inputs.partition import PARTITION, Contingency
from qc4.inputs.undefined import Undefined
from qc4.measures.classic import TOPIC_SET, TopicSet
from qc4.measures.registry import REGISTRY, Measure, Need
from qc4.measures.search_results import CLUSTERS
from qc4.model.case import Case
from qc4.model.gold_document import GoldDocument, Page
from qc4.model.policies import Policies
from tests.qc4.small_cases import blocks, case, clustering, gold, nested

PARAMETRISED = (
    *("pair_f(beta=0.5)", "bcubed_f(beta=100)", "s_recall@6", "s_precision(percent=33)", "alpha_ndcg@3(alpha=0.3)"),
    *("alpha_ndcg@4(alpha=1)", "d_ndcg@2", "d_sharp_ndcg@7(gamma=0.9)", "hd_sharp_ndcg@3(gamma=0)", "kssl(k=6)"),
    "kssl_list(k=9)",
)
MEASURES = (*REGISTRY.all(), *REGISTRY.select(PARAMETRISED))
FLAT = [measure for measure in MEASURES if measure.view is PARTITION]
TWO_SIDED = [measure for measure in MEASURES if measure.view in (PARTITION, TOPIC_SET, COVERS)]
SLACK = 1e-12


def labels(n: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 4), min_size=n, max_size=n)


partition_pairs = st.integers(1, 20).flatmap(lambda n: st.tuples(labels(n), labels(n)))


@st.composite
def cases(draw) -> Case:
    """Draw two levels with overlapping topics and clusters, nested clusters with labels, outliers, unclustered pages,
    and sometimes no cluster."""
    n = draw(st.integers(2, 16))
    pages = st.integers(0, n - 1)
    outliers = draw(st.sets(pages, max_size=n // 2))
    inliers = [page for page in range(n) if page not in outliers]
    coarse = blocks(draw(labels(len(inliers))))
    topics = [[inliers[k] for k in block] for block in coarse]
    parents = [-1] * len(topics)
    for parent, members in enumerate(topics[:2]):
        half = draw(st.sets(st.sampled_from(members), min_size=1))
        rest = set(members) - half or half
        topics += [sorted(half), sorted(rest | draw(st.sets(st.sampled_from(members), max_size=2)))]
        parents += [parent, parent]
    clusters = draw(st.lists(st.sets(pages, min_size=1), max_size=5))
    above = [draw(st.integers(-1, place - 1)) for place in range(len(clusters))]
    named = draw(st.lists(st.sampled_from(["0", "1 2", ""]), min_size=len(clusters), max_size=len(clusters)))
    return Case.build(gold(n, topics, outliers, parents), nested(map(sorted, clusters), above, named))


def answers(measure: Measure, case: Case, policies: Policies = Policies()) -> dict[object, float | str]:  # noqa: B008  # frozen
    """Return the measure's value, or the reason why it is undefined, on each of its levels."""
    found: dict[object, float | str] = {}
    for level in measure.view.levels(case.gold):
        try:
            found[level] = measure.compute(case, level, policies)
        except Undefined as reason:
            found[level] = str(reason)
    return found


def test_metadata_is_complete():
    for measure in MEASURES:
        assert re.fullmatch(r"[a-z][a-z0-9_]*(@\d+)?(\([a-z]+=[\d.]+\))?", measure.key)
        for text in (measure.title, measure.meaning, measure.formula, measure.source):
            assert text == text.strip()
            assert text
        assert measure.accepts
        assert measure.needs or measure.view is CLUSTERS
        assert set(measure.needs) <= set(get_args(Need))
        assert measure.version >= 1
    assert len({measure.title for measure in MEASURES}) == len(MEASURES)


@given(case=cases(), overlap=st.sampled_from(["refuse", "first"]), outliers=st.sampled_from(["drop", "topic"]))
def test_values_are_floats_in_range_or_undefined_with_a_reason(case, overlap, outliers):
    for measure in MEASURES:
        for answer in answers(measure, case, Policies(outliers=outliers, overlap=overlap)).values():
            if isinstance(answer, str):
                assert re.search(r"[a-z]+ [a-z]+", answer), measure.key
                continue
            assert type(answer) is float, measure.key
            assert math.isfinite(answer), measure.key
            assert math.copysign(1, answer) > 0 or answer != 0, measure.key
            assert measure.low is None or answer >= measure.low - SLACK, measure.key
            assert measure.high is None or answer <= measure.high + SLACK, measure.key


@given(pair=partition_pairs)
def test_measure_functions_return_python_floats(pair):
    table = Contingency.from_labels(*pair)
    for measure in FLAT:
        with suppress(Undefined):
            assert type(measure.function(table)) is float, measure.key


@given(labelling=st.integers(2, 16).flatmap(labels))
def test_the_gold_standard_itself_scores_best(labelling):
    """Exceptions: unbounded similarities have no best value; with a topic of all pages QC4 does not reach its best."""
    topics = blocks(labelling)
    standard = gold(len(labelling), topics)
    own = Case.build(standard, nested(topics, [-1] * len(topics), standard.topic_names))
    for measure in MEASURES:
        best = measure.high if measure.better == "higher" else measure.low
        if "vectors" in measure.needs or "partition" not in measure.accepts:
            continue  # they ignore the gold standard, or need more than a partition
        if best is None or not measure.gold_is_best or (measure.family == "qc4" and len(set(labelling)) == 1):
            continue
        assert answers(measure, own) == pytest.approx(dict.fromkeys(measure.view.levels(own.gold), best), abs=SLACK), (
            measure.key
        )


@pytest.mark.parametrize(
    "measure", [measure for measure in MEASURES if not measure.gold_is_best], ids=lambda measure: measure.key
)
def test_measures_with_gold_not_best_do_not_score_the_gold_standard_best(measure):
    """Return two topics, and a case with overlap and a subtopic; no page text contains the name of its topic."""
    best = measure.high if measure.better == "higher" else measure.low
    topics, parents = [[0, 1, 2], [2, 3], [0, 1], [2]], [-1, -1, 0, 0]
    pages = tuple(Page(str(number), title="a title") for number in range(4))
    names = ["wild cats", "cars", "cats", "tame"]
    standard = replace(gold(4, topics, parents=parents), document=GoldDocument("", "", pages), topic_names=names)
    deep = Case.build(standard, nested(topics, parents, names))
    found = [*answers(measure, case([0, 0, 1], [0, 0, 1])).values(), *answers(measure, deep).values()]
    assert any(isinstance(value, float) and value != best for value in found)


@pytest.mark.parametrize("measure", [one for one in FLAT if one.gold_is_best], ids=lambda measure: measure.key)
@pytest.mark.parametrize("labelling", [[0], [0, 1, 2], [0, 0, 0]], ids=["one page", "singletons", "one cluster"])
def test_trivial_partitions_that_are_identical_score_best_exactly(measure, labelling):
    best = measure.high if measure.better == "higher" else measure.low
    value = measure.function(Contingency.from_labels(labelling, labelling))
    assert best is None or value == best


@given(case=cases(), seed=st.integers(0, 1000))
def test_names_and_order_do_not_matter(case, seed):
    """Only the option ``first`` depends on the order of pages and topics, so overlap is undefined here. Measures of
    reading depend on ranks, which pages keep, and on the order of clusters, which is therefore kept for them."""
    rng = np.random.default_rng(seed)
    hierarchy, n = case.gold.hierarchy, case.n_pages
    page, topic = rng.permutation(n), rng.permutation(hierarchy.n_topics)
    place = np.argsort(topic)
    topics = [page[hierarchy.pages[[old]].indices].tolist() for old in topic]
    parents = [-1 if hierarchy.parent[old] < 0 else int(place[hierarchy.parent[old]]) for old in topic]
    bare = gold(n, topics, page[hierarchy.outliers].tolist(), parents, ranks=(np.argsort(page) + 1).tolist())
    standard = replace(bare, topic_names=[case.gold.topic_names[old] for old in topic])
    members = [page[case.clusters[[old]].indices].tolist() for old in range(case.n_clusters)]
    above, labels = case.forest.parent.tolist(), case.forest.labels
    kept = Case.build(standard, nested(members, above, labels))
    order = rng.permutation(case.n_clusters).tolist()
    moved = [-1 if above[old] < 0 else order.index(above[old]) for old in order]
    shuffled = Case.build(standard, nested([members[old] for old in order], moved, [labels[old] for old in order]))
    for measure in MEASURES:
        for level, answer in answers(measure, case).items():
            other = answers(measure, kept if "page ranks" in measure.needs else shuffled)[level]
            assert other == answer if isinstance(answer, str) else other == pytest.approx(answer), measure.key


def swapped(measure: Measure, pair: tuple[list[int], list[int]]) -> tuple[float, float]:
    if measure.view is PARTITION:
        table = Contingency.from_labels(*pair)
        return measure.function(table), measure.function(table.transposed)
    if measure.view is COVERS:
        covers = COVERS.of(case(*pair), 1, Policies())
        return measure.function(covers), measure.function(covers.swapped)
    built = TOPIC_SET.of(case(*pair), 1, Policies())
    return measure.function(built), measure.function(TopicSet(built.topics, built.clusters))


@given(pair=partition_pairs)
def test_symmetric_measures_are_symmetric(pair):
    for measure in (measure for measure in TWO_SIDED if measure.symmetric):
        one, other = swapped(measure, pair)
        assert one == pytest.approx(other, abs=SLACK), measure.key


@pytest.mark.parametrize(
    "measure",
    [measure for measure in TWO_SIDED if not measure.symmetric],
    ids=lambda measure: measure.key,
)
def test_measures_not_declared_symmetric_are_asymmetric(measure):
    one, other = swapped(measure, ([0, 0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2, 3]))
    assert one != pytest.approx(other)


@pytest.mark.parametrize("measure", FLAT, ids=lambda measure: measure.key)
def test_overlap_is_undefined_for_measures_of_partitions(measure):
    case = Case.build(gold(4, [[0, 1, 2], [2, 3]]), clustering([0, 1], [2, 3]))
    with pytest.raises(Undefined, match="1 page is in more than one topic on level 1"):
        measure.compute(case, 1, Policies())

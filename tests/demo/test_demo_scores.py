"""The demo shows what its README says: measures disagree for explainable reasons."""

from __future__ import annotations

from functools import cache
from statistics import mean

import pytest

from evaluation.baselines import BASELINES, run
from qc4.io import page_lists, read_collection, read_submission
from qc4.model.clustering import Clustering
from qc4.model.rules import prepare
from qc4.scoring.scoring import score
from qc4.stats import Comparison, compare, leader_sentence
from tests.paths import DEMO

DOCUMENTS = read_collection(DEMO / "collection").documents
GOLDS = {document.query_id: prepare(document) for document in DOCUMENTS}
FLAT = ("pebble.jsonl", "broadbrush.csv", "lantern.tsv", "hasty-hash.jsonl")
EVERY = (*FLAT, "branchwise.json", "phrase-loom.jsonl")
REAL = [key for key, baseline in BASELINES.items() if not baseline.reference]


@cache
def submitted(name: str) -> tuple[Clustering, ...]:
    return read_submission(DEMO / "submissions" / name, page_lists(DOCUMENTS), algorithm=name).clusterings


def in_order(name: str) -> tuple[Clustering, ...]:
    by_query = {clustering.query: clustering for clustering in submitted(name)}
    return tuple(by_query[query] for query in GOLDS)


@cache
def baseline(key: str) -> tuple[Clustering, ...]:
    return tuple(run(key, document, GOLDS[document.query_id], seed=1) for document in DOCUMENTS)


def on_average(clusterings: tuple[Clustering, ...], measure: str) -> float:
    return mean(score(GOLDS[c.query], c, [measure]).value(measure) for c in clusterings)


def compared(names: dict[str, tuple[Clustering, ...]], measure: str = "qc4_f") -> Comparison:
    scores = [[score(GOLDS[c.query], c, [measure]).value(measure) for c in answers] for answers in names.values()]
    return compare(scores, systems=list(names), queries=list(GOLDS))


def rand_index(name: str, query: str, level: int) -> float | None:
    (clustering,) = (c for c in submitted(name) if c.query == query)
    return score(GOLDS[query], clustering, ["ari"], [level]).scores[0].value


@pytest.mark.parametrize("measure", ["aq", "wq", "ac", "wc"])
def test_gold_standard_scores_one(measure: str) -> None:
    assert on_average(baseline("gold"), measure) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("key", REAL)
def test_every_algorithm_beats_trivial_baselines_in_quality(key: str) -> None:
    useless = max(on_average(baseline(name), "quality") for name in ("singletons", "one_cluster", "random"))

    assert on_average(baseline(key), "quality") > useless


def test_submissions_differ_clearly() -> None:
    found = sorted(on_average(submitted(name), "qc4_f") for name in EVERY)

    assert found[-1] - found[0] > 0.3
    assert all(0.2 < value < 0.95 for value in found)


def test_no_submission_leads_everywhere() -> None:
    def on_query(name: str, query: str) -> float:
        return on_average(tuple(c for c in submitted(name) if c.query == query), "qc4_f")

    leaders = {max(EVERY, key=lambda name, query=query: on_query(name, query)) for query in GOLDS}

    assert len(leaders) > 1


@pytest.mark.parametrize("query", ["python", "crane"])
def test_the_rand_index_and_qc4_disagree_about_broadbrush(query: str) -> None:
    found = {name: rand_index(name, query, 1) for name in FLAT}

    assert max(found, key=lambda name: found[name] or 0) == "broadbrush.csv"
    by_qc4 = sorted(EVERY, key=lambda name: on_average(submitted(name), "qc4_f"))
    assert by_qc4.index("broadbrush.csv") == 1


@pytest.mark.parametrize("query", GOLDS)
def test_partition_measures_are_undefined_for_overlapping_clusters(query: str) -> None:
    assert rand_index("phrase-loom.jsonl", query, 1) is None


@pytest.mark.parametrize("query", ["saturn", "crane", "python", "delta"])
def test_partition_measures_score_nested_clusters_at_each_depth(query: str) -> None:
    (nested,) = (c for c in submitted("branchwise.json") if c.query == query)
    scores = score(GOLDS[query], nested, ["ari"], [1]).scores
    assert [(one.depth, one.undefined) for one in scores] == [(1, None), (2, None)]


def test_partition_measures_are_undefined_for_overlapping_topics() -> None:
    assert all(rand_index(name, "mercury", level) is None for name in FLAT for level in (1, 2, 3))


def test_lantern_is_better_in_quality_and_pebble_in_coverage() -> None:
    quality = {name: on_average(submitted(name), "quality") for name in EVERY}
    coverage = {name: on_average(submitted(name), "coverage") for name in EVERY}

    assert max(quality, key=quality.__getitem__) == "lantern.tsv"
    assert max(coverage, key=coverage.__getitem__) == "pebble.jsonl"


@pytest.mark.parametrize("measure", ["quality", "coverage", "qc4_f"])
def test_some_baselines_are_significantly_different(measure: str) -> None:
    found = compared({key: baseline(key) for key in BASELINES if key != "gold"}, measure)
    p = [pair.p_adjusted for pair in found.pairs if pair.p_adjusted is not None]

    assert len(p) == len(found.pairs)
    assert min(p) <= found.method.alpha < max(p)


def test_submissions_are_significantly_different_in_quality() -> None:
    found = compared({key: baseline(key) for key in REAL}, "quality")

    assert {pair.verdict for pair in found.pairs} >= {"better", "not separated"}


def test_significant_differences_of_submissions_match_the_readme() -> None:
    found = compared({name: in_order(name) for name in EVERY})

    assert found.leader.system == "lantern.tsv"
    beside = {system.system for system in found.could_be_best()}
    assert beside == {"lantern.tsv", "pebble.jsonl", "branchwise.json", "phrase-loom.jsonl"}
    assert "could be as good or better" in leader_sentence(found)
    verdicts = {frozenset((pair.a, pair.b)): pair.verdict for pair in found.pairs}
    assert all(verdicts[frozenset((name, "hasty-hash.jsonl"))] == "better" for name in beside)

"""Measures of partitions and the classic measures on real gold standards, scored against themselves."""

import re

import pytest

from qc4.io import read_collection, read_gold
from qc4.measures.registry import REGISTRY
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_standard import GoldStandard
from qc4.model.rules import prepare
from qc4.scoring.results import ScoreResult
from qc4.scoring.scoring import score

FLAT = [found.key for family in ("pair-counting", "set-matching", "information") for found in REGISTRY.family(family)]


def itself(gold: GoldStandard, level: int, **options) -> ScoreResult:
    """Score the topics of one level and the outliers as clusters."""
    hierarchy = gold.hierarchy
    groups = [(gold.topic_ids[topic], hierarchy.pages[[topic]].indices) for topic in hierarchy.topics_on(level)]
    groups += [("outliers", hierarchy.outliers)] if hierarchy.outliers.size else []
    clusters = tuple(Cluster(name, tuple(gold.page_ids[page] for page in pages)) for name, pages in groups)
    return score(gold, Clustering(gold.query_id, clusters), levels=[level], **options)


def test_ambient_topics_score_best_against_themselves_on_each_level_without_overlap(shared_data):
    overlapping = 0
    for document in read_collection(shared_data / "ambient").documents:
        gold = prepare(document, "complete")
        result = itself(gold, 1, measures=["ari", "vi", "v_measure", "purity", "ap", "ar", "f"])
        assert [result.value(key, 1) for key in ("ap", "f")] == [1.0, 1.0]
        reasons = {found.undefined for found in result.scores} - {None}
        if reasons:
            overlapping += int(re.match(r"(\d+) pages? (is|are) in more than one topic on level 1", *reasons)[1])
        else:
            assert [result.value(key, 1) for key in ("ari", "vi", "v_measure", "purity", "ar")] == [1, 0, 1, 1, 1]
    assert overlapping == 31


@pytest.mark.parametrize("name", ["dollar", "gold", "oil", "ship", "wheat"])
@pytest.mark.parametrize("level", [1, 2])
def test_overlap_in_reuters_is_undefined_unless_the_first_topic_counts(shared_data, name, level):
    gold = read_gold(shared_data / "reuters" / f"{name}.gold.json")
    refused = itself(gold, level, measures=FLAT)
    assert all(f"in more than one topic on level {level}" in found.undefined for found in refused.scores)
    flattened = itself(gold, level, measures=FLAT, policies={"overlap": "first"})
    best = {
        found.key: found.high if found.better == "higher" else found.low
        for found in REGISTRY.all()
        if found.gold_is_best
    }
    for found in flattened.scores:
        assert found.flattened
        assert best.get(found.measure) is None or found.value == best[found.measure]

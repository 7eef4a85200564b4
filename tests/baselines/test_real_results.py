"""The baselines on real search results: AMBIENT, 44 queries of 100 pages, half of them outliers."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from statistics import mean

import pytest

from evaluation.baselines import BASELINES, run
from qc4.io import read_collection
from qc4.model.gold_standard import GoldStandard
from qc4.model.rules import complete, prepare
from qc4.scoring.scoring import score
from tests.paths import ROOT
from tests.profiles import thorough

AMBIENT = Path(os.environ.get("QC4_SHARED_DATA", ROOT.parent / "shared" / "data")) / "ambient"

pytestmark = pytest.mark.skipif(not AMBIENT.is_dir(), reason=f"the AMBIENT collection is not at {AMBIENT}")


@cache
def golds() -> list[GoldStandard]:
    return [prepare(complete(document)[0]) for document in read_collection(AMBIENT).documents]


def scores(key: str, measure: str) -> list[float]:
    answers = ((gold, run(key, gold.document, gold, seed=1)) for gold in golds())
    return [score(gold, clustering, [measure]).value(measure) for gold, clustering in answers]


@pytest.mark.parametrize("measure", ["aq", "wq", "ac", "wc"])
def test_gold_standard_is_perfect_on_every_query(measure: str) -> None:
    assert scores("gold", measure) == pytest.approx([1] * 44, abs=1e-12)


@thorough("real results")
def test_real_algorithms_beat_useless_ones_in_mean_quality() -> None:
    quality = {key: mean(scores(key, "quality")) for key, baseline in BASELINES.items() if not baseline.needs_text}

    assert quality["one_cluster"] < quality["random"] < quality["singletons"]
    assert quality["singletons"] < min(quality[key] for key in ("kmeans", "bisecting_kmeans", "agglomerative", "stc"))


@pytest.mark.parametrize("key", ["kmeans", "bisecting_kmeans", "agglomerative"])
def test_hundred_results_give_ten_labelled_clusters(key: str) -> None:
    gold = golds()[0]
    clustering = run(key, gold.document, gold, seed=1)

    assert len(clustering.clusters) == 10
    assert all(cluster.label for cluster in clustering.clusters)

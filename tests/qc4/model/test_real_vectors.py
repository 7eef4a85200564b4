"""Internal measures of real topics, on vectors made from the text of result lists."""

import numpy as np

from qc4 import score
from qc4.io import read_collection
from qc4.measures.registry import REGISTRY
from qc4.model.clustering import Cluster, Clustering
from qc4.model.rules import prepare
from qc4.model.vectors import text_vectors

INTERNAL = [found.key for found in REGISTRY.family("internal")]


def topics(gold):
    """Return the topics of level 1 as clusters; outliers are in no cluster."""
    rows = [gold.hierarchy.pages[[topic]].indices for topic in gold.hierarchy.topics_on(1)]
    clusters = [Cluster(str(number), tuple(gold.page_ids[page] for page in row)) for number, row in enumerate(rows)]
    return Clustering("", tuple(clusters))


def test_every_internal_measure_has_a_value_on_real_topics(shared_data):
    """Pages of a topic share words, so the mean of gamma is clearly above 0, its value for random clusters."""
    gammas = []
    for document in read_collection(shared_data / "ambient").documents[:8]:
        gold = prepare(document, "complete")
        policies = {"overlap": "first", "unclustered": "drop"}
        found = score(gold, topics(gold), INTERNAL, policies=policies, vectors=text_vectors(document))
        assert [answer.measure for answer in found.scores if answer.undefined] == []
        gammas.append(found.value("baker_hubert_gamma"))
    assert np.mean(gammas) > 0.1

"""Vectors made from the text of real result lists, and the gold standards' topics as clusters."""

import numpy as np

from qc4 import score
from qc4.io import read_collection
from qc4.measures.registry import REGISTRY
from qc4.model.clustering import Cluster, Clustering
from qc4.model.rules import prepare
from qc4.model.vectors import text_vectors

INTERNAL = [found.key for found in REGISTRY.family("internal")]


def topics(gold):
    """The topics of level 1 as clusters; outliers are in none."""
    rows = [gold.hierarchy.pages[[topic]].indices for topic in gold.hierarchy.topics_on(1)]
    clusters = [Cluster(str(number), tuple(gold.page_ids[page] for page in row)) for number, row in enumerate(rows)]
    return Clustering("", tuple(clusters))


def test_every_measure_speaks_and_topics_are_nearer_than_chance(shared_data):
    """Pages of a topic share words: gamma, 0 for clusters drawn at random, is clearly above it on average."""
    gammas = []
    for document in read_collection(shared_data / "ambient").documents[:8]:
        gold = prepare(document, "complete")
        policies = {"overlap": "first", "unclustered": "drop"}
        found = score(gold, topics(gold), INTERNAL, policies=policies, vectors=text_vectors(document))
        assert [answer.measure for answer in found.scores if answer.undefined] == []
        gammas.append(found.value("baker_hubert_gamma"))
    assert np.mean(gammas) > 0.1

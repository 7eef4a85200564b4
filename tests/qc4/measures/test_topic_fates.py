"""Fates of topics: hand-computed cases, and properties of random clusterings."""

from __future__ import annotations

import numpy as np
import pytest

from qc4.measures.qc4 import HALF, Fate, page_coverage, qc4, removed_clusters, topic_fates
from qc4.model.case import Case
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_document import GoldDocument, Page, Topic
from qc4.model.rules import prepare

TOPICS = (
    Topic("a", "A", pages=("p1", "p2", "p3", "p4")),
    Topic("b", "B", pages=("p5", "p6", "p7", "p8", "p9", "p10")),
    Topic("c", "C"),
    Topic("c1", "C1", "c", pages=("p11", "p12")),
    Topic("c2", "C2", "c", pages=("p13",)),
)
GOLD = prepare(GoldDocument("q", "q", tuple(Page(f"p{n}", n) for n in range(1, 17)), TOPICS, ("p14", "p15", "p16")))


def fates(*clusters: str) -> dict[str, Fate]:
    """Return the fate of each topic, for clusters given as numbers of pages."""
    return {fate.id: fate.fate for fate in topic_fates(case(*clusters))}


def case(*clusters: str) -> Case:
    made = (Cluster(f"k{n}", tuple(f"p{page}" for page in text.split())) for n, text in enumerate(clusters))
    return Case.build(GOLD, Clustering("q", tuple(made)))


def test_covered_needs_half_of_the_topic_and_half_of_the_cluster():
    """2 of 4 pages of A, in a cluster of 4."""
    assert fates("1 2 5 6")["a"] is Fate.COVERED


def test_merged_needs_half_of_the_topic_in_a_cluster_of_others():
    """The cluster has 2 of 4 pages of A and 5 pages in total; C1 is completely inside a cluster of 5."""
    found = fates("1 2 11 12 13")
    assert (found["a"], found["c1"], found["c"]) == (Fate.MERGED, Fate.MERGED, Fate.COVERED)


def test_split_needs_half_of_the_topic_in_clusters_about_it():
    """B: 2 + 2 of 6 pages. The second cluster is half B."""
    assert fates("5 6", "7 8 1 2")["b"] is Fate.SPLIT
    assert fates("5 6", "7 1 2 3")["b"] is Fate.MISSED


def test_pages_in_several_clusters_count_once_for_split():
    """B: the same 2 of 6 pages twice are a third."""
    assert fates("5 6", "5 6")["b"] is Fate.MISSED


def test_topics_that_meet_no_condition_are_missed():
    """C2 is in a cluster that is mostly outliers, which QC4 ignores."""
    found = {fate.id: fate for fate in topic_fates(case("13 14 15"))}
    assert removed_clusters(case("13 14 15")) == ("k0",)
    assert (found["c2"].fate, found["c2"].cluster, found["c2"].recall) == (Fate.MISSED, None, 0.0)


def test_the_best_cluster_has_most_pages_and_ties_go_to_the_purest():
    found = {fate.id: fate for fate in topic_fates(case("5 6 7 1", "8 9 10", "2"))}
    assert (found["b"].cluster, found["b"].recall, found["b"].precision) == ("k1", 0.5, 1.0)
    assert [(found[key].depth, found[key].size) for key in ("c", "c1", "c2")] == [(1, 3), (2, 2), (2, 1)]


@pytest.mark.parametrize("seed", range(20))
def test_every_fate_agrees_with_its_definition(seed: int):
    random = np.random.default_rng(seed)
    clusters = [" ".join(map(str, np.flatnonzero(random.random(16) < 0.3) + 1)) for _ in range(5)]
    of = case(*(text for text in clusters if text))
    coverage = page_coverage(of, qc4(of)).topics
    kept = [set(members) for name, members in members_of(of).items() if name not in removed_clusters(of)]
    for topic, fate in enumerate(topic_fates(of)):
        pages = set(GOLD.hierarchy.pages[[topic]].indices.tolist())
        holds = [cluster for cluster in kept if len(cluster & pages) >= HALF * len(pages)]
        about = [cluster for cluster in kept if len(cluster & pages) >= HALF * len(cluster)]
        together = len(pages & set().union(*about)) >= HALF * len(pages)
        both = [cluster for cluster in holds if cluster in about]
        expected = "covered" if both else "merged" if holds else "split" if together else "missed"
        assert fate.fate == expected
        assert fate.coverage == coverage[topic]


def members_of(of: Case) -> dict[str, list[int]]:
    return {name: of.clusters[[row]].indices.tolist() for row, name in enumerate(of.cluster_ids)}

"""K-means, bisecting K-means and agglomerative clustering, on snippets and on full text."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from evaluation.baselines import run
from qc4.model.gold_document import GoldDocument

METHODS = ["kmeans", "bisecting_kmeans", "agglomerative"]
EVERY = [*METHODS, *(f"{method}_text" for method in METHODS)]


def members(clustering) -> list[set[str]]:
    return [set(cluster.pages) for cluster in clustering.clusters]


@pytest.mark.parametrize("key", EVERY)
def test_clearly_separate_senses_become_clusters(key: str, three_senses: GoldDocument) -> None:
    found = members(run(key, three_senses, parameters={"k": 4}))

    assert sorted(map(sorted, found)) == [["p1", "p2", "p3"], ["p10"], ["p4", "p5", "p6"], ["p7", "p8", "p9"]]


@pytest.mark.parametrize("key", EVERY)
def test_each_page_with_words_is_in_one_cluster_largest_first(key: str, three_senses: GoldDocument) -> None:
    clusters = run(key, three_senses).clusters
    sizes = [len(cluster.pages) for cluster in clusters]

    assert Counter(page for cluster in clusters for page in cluster.pages) == Counter(p.id for p in three_senses.pages)
    assert sizes == sorted(sizes, reverse=True)
    assert [cluster.id for cluster in clusters] == [f"c{n}" for n in range(1, len(clusters) + 1)]


@pytest.mark.parametrize("key", METHODS)
def test_default_number_of_clusters_ignores_the_gold_standard(key: str, make) -> None:
    document = make([f"word{n} thing{n % 7} other{n % 5}" for n in range(50)])

    clustering = run(key, document)

    assert clustering.parameters["k"] == len(clustering.clusters) == round(math.sqrt(50)) == 7
    assert run(key, document, parameters={"k_max": 3}).parameters["k"] == 3
    assert run(key, document, parameters={"k": 5}).parameters["k"] == 5


@pytest.mark.parametrize("key", METHODS)
def test_labels_are_characteristic_words_and_not_the_query(key: str, make) -> None:
    document = make(["mercury planets orbiting", "Mercury planet orbit", "mercury boats sailing", "mercury boat sail"])

    labels = {cluster.label for cluster in run(key, document, parameters={"k": 2}).clusters}

    assert len(labels) == 2
    assert not any("mercury" in label for label in labels)
    assert any("planet" in label for label in labels)
    assert any("boat" in label for label in labels)


@pytest.mark.parametrize("key", METHODS)
def test_pages_without_words_are_omitted(key: str, make) -> None:
    document = make(["red apple pie", "", (None, None, None), "the of and", "mercury", "red apple cake"])

    clustered = {page for cluster in run(key, document).clusters for page in cluster.pages}

    assert clustered == {"p1", "p6"}


@pytest.mark.parametrize("key", METHODS)
@pytest.mark.parametrize(
    ("snippets", "expected"),
    [
        ([], []),
        ([""], []),
        (["one planet"], [{"p1"}]),
        (["same words here"] * 12, [{f"p{n}" for n in range(1, 13)}]),
        (["apple", "apple"], [{"p1", "p2"}]),
    ],
    ids=["no page", "no word", "one page", "identical pages", "two pages"],
)
def test_tiny_inputs(key: str, snippets: list[str], expected: list[set[str]], make) -> None:
    clustering = run(key, make(snippets))

    assert members(clustering) == expected
    assert clustering.parameters["k"] == len(expected)


@pytest.mark.parametrize("key", METHODS)
def test_there_are_at_most_as_many_clusters_as_different_pages(key: str, make) -> None:
    document = make(["red apple"] * 5 + ["green boat"] * 5)

    assert sorted(map(len, members(run(key, document, parameters={"k": 9})))) == [5, 5]


@pytest.mark.parametrize("key", METHODS)
def test_copies_of_one_page_do_not_prevent_splitting_others(key: str, make) -> None:
    document = make(["red apple"] * 30 + ["green boat", "blue moon", "old tree"])

    assert sorted(map(len, members(run(key, document, parameters={"k": 4})))) == [1, 1, 1, 30]


@pytest.mark.parametrize("key", METHODS)
def test_words_in_other_scripts_are_used(key: str, make) -> None:
    planets = ["水星 行星 轨道", "水星 行星", "планета орбита солнце", "планета орбита", "ग्रह कक्षा सूर्य", "ग्रह कक्षा"]

    found = members(run(key, make(planets, query="水星"), parameters={"k": 3}))

    assert sorted(map(sorted, found)) == [["p1", "p2"], ["p3", "p4"], ["p5", "p6"]]


def test_full_text_distinguishes_pages_with_similar_snippets(make) -> None:
    document = make(
        [
            ("News", "read more today", "The planet has an orbit and craters."),
            ("News", "read more today", "Boat engine parts for outboard motors."),
            ("News", "read more today", "A crater on the planet, seen from orbit."),
            ("News", "read more today", "Outboard motor, boat engine, spare parts."),
        ]
    )

    assert len(run("kmeans", document, parameters={"k": 2}).clusters) == 1
    assert sorted(map(sorted, members(run("kmeans_text", document, parameters={"k": 2})))) == [
        ["p1", "p3"], ["p2", "p4"],
    ]  # fmt: skip


@pytest.mark.parametrize("linkage", ["ward", "average", "complete", "single"])
def test_every_linkage_separates_clearly_different_pages(linkage: str, three_senses: GoldDocument) -> None:
    found = members(run("agglomerative", three_senses, parameters={"k": 4, "linkage": linkage}))

    assert {"p10"} in found
    assert {"p1", "p2", "p3"} in found

"""Baselines that read no text."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evaluation.baselines import run
from qc4.model.gold_document import GoldDocument, Page, Topic
from qc4.model.rules import prepare


def test_gold_baseline_has_every_topic_of_every_level_and_no_outliers(three_senses: GoldDocument) -> None:
    clusters = {cluster.id: cluster for cluster in run("gold", three_senses, prepare(three_senses)).clusters}

    assert set(clusters) == {"space", "boats", "outboard", "inboard", "music"}
    assert clusters["boats"].pages == ("p4", "p5", "p6", "p9")
    assert clusters["outboard"].parent == "boats"
    assert clusters["outboard"].label == "Outboards"
    assert not any("p10" in cluster.pages for cluster in clusters.values())


def test_parent_topic_has_the_pages_of_its_children(make) -> None:
    topics = (Topic("a", "A"), Topic("a1", "A1", "a", pages=("p1",)), Topic("a2", "A2", "a", pages=("p2",)))
    document = make(["x", "y"], topics)

    assert run("gold", document, prepare(document)).clusters[0].pages == ("p1", "p2")


def test_singletons_and_one_cluster_contain_all_pages(three_senses: GoldDocument) -> None:
    pages = tuple(page.id for page in three_senses.pages)

    assert [cluster.pages for cluster in run("singletons", three_senses).clusters] == [(page,) for page in pages]
    assert [cluster.pages for cluster in run("one_cluster", three_senses).clusters] == [pages]


def test_empty_page_list_has_no_clusters(make) -> None:
    assert run("one_cluster", make([])).clusters == ()
    assert run("singletons", make([])).clusters == ()


def test_random_uses_the_topic_sizes_of_the_chosen_level(three_senses: GoldDocument) -> None:
    gold = prepare(three_senses)

    def sizes(level: int) -> list[int]:
        clustering = run("random", three_senses, gold, parameters={"level": level})
        return [len(cluster.pages) for cluster in clustering.clusters]

    assert sizes(1) == [3, 4, 3]
    assert Counter(sizes(2)) == Counter([3, 2, 2, 3])
    assert sizes(9) == sizes(2)


def test_random_omits_as_many_pages_as_there_are_outliers(make) -> None:
    document = make(list("abcdef"), [Topic("t", "T", pages=("p1", "p2", "p3", "p4"))], ["p5", "p6"])

    (cluster,) = run("random", document, prepare(document), seed=1).clusters

    assert len(cluster.pages) == 4


def test_random_differs_between_seeds_and_between_queries() -> None:
    def answer(query: str, seed: int) -> list[tuple[str, ...]]:
        ids = tuple(f"p{n}" for n in range(40))
        topics = (Topic("a", "A", pages=ids[:25]), Topic("b", "B", pages=ids[25:]))
        document = GoldDocument(query, query, tuple(map(Page, ids)), topics)
        return [cluster.pages for cluster in run("random", document, prepare(document), seed).clusters]

    assert answer("one", 1) != answer("one", 2)
    assert answer("one", 1) != answer("two", 1)


@given(sizes=st.lists(st.integers(1, 12), min_size=1, max_size=5), seed=st.integers(0, 2**32 - 1))
def test_random_does_not_overlap_if_topics_do_not(sizes: list[int], seed: int) -> None:
    ids = [f"p{n}" for n in range(sum(sizes))]
    starts = [sum(sizes[:n]) for n in range(len(sizes))]
    topics = tuple(
        Topic(f"t{n}", f"T{n}", pages=tuple(ids[start : start + size]))
        for n, (start, size) in enumerate(zip(starts, sizes, strict=True))
    )
    document = GoldDocument("q", "q", tuple(map(Page, ids)), topics)

    clusters = run("random", document, prepare(document), seed).clusters

    assert [len(cluster.pages) for cluster in clusters] == sizes
    assert sorted(page for cluster in clusters for page in cluster.pages) == sorted(ids)

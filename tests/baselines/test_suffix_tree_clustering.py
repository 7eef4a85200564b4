"""Suffix Tree Clustering against the example and the rules of Zamir & Etzioni (1998)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.baselines import run
from evaluation.baselines.suffix_tree_clustering import (
    LONGEST_PHRASE,
    base_clusters,
    phrase_text,
    phrase_weight,
)
from evaluation.baselines.text import sentences, tokenise
from qc4.model.gold_document import GoldDocument, Page

PAPER = ["cat ate cheese", "mouse ate cheese too", "cat ate mouse too"]
COUNT_ALL = {"rare_pages": 0, "frequent_share": 1.0}
VOCABULARY = ["red", "green", "blue", "old", "boat", "moon"]


def texts_of(snippets: list[str]):
    return [sentences(Page(str(n), snippet=snippet), "snippet") for n, snippet in enumerate(snippets)]


def phrases_of(snippets: list[str]) -> dict[str, tuple[int, ...]]:
    texts = texts_of(snippets)
    return {phrase_text(phrase, texts): phrase.pages for phrase in base_clusters(texts)}


def test_base_clusters_of_the_example_in_the_paper() -> None:
    texts = texts_of(PAPER)

    found = {
        " ".join(token.surface for token in texts[page][sentence][start : start + len(phrase.stems)]): phrase.pages
        for phrase in base_clusters(texts)
        for page, sentence, start in phrase.places[:1]
    }

    assert found == {
        "cat ate": (0, 2),
        "ate": (0, 1, 2),
        "cheese": (0, 1),
        "mouse": (1, 2),
        "too": (1, 2),
        "ate cheese": (0, 1),
    }


def test_example_in_the_paper_merges_into_one_cluster() -> None:
    document = GoldDocument("q", "q", tuple(Page(f"p{n}", snippet=s) for n, s in enumerate(PAPER, start=1)))

    (cluster,) = run("stc", document, parameters=COUNT_ALL).clusters

    assert cluster.pages == ("p1", "p2", "p3")


def test_example_splits_without_the_word_shared_by_all_pages() -> None:
    """'ate' connects the others in the paper's graph; without it, {1,3}, {1,2} and {2,3} overlap by exactly half."""
    document = GoldDocument("q", "q", tuple(Page(f"p{n}", snippet=s) for n, s in enumerate(PAPER, start=1)))

    clusters = run("stc", document, parameters={"rare_pages": 0, "frequent_share": 0.7}).clusters

    assert {cluster.pages for cluster in clusters} == {("p1", "p3"), ("p1", "p2"), ("p2", "p3")}


def test_phrases_do_not_cross_sentences() -> None:
    assert "boat moon" not in phrases_of(["red boat. moon", "old boat. moon"])
    assert "boat moon" in phrases_of(["red boat moon", "old boat moon green"])


def test_phrase_repeated_in_one_page_is_not_shared() -> None:
    assert phrases_of(["red boat, red boat", "moon"]) == {}


@pytest.mark.parametrize(("words", "weight"), [(1, 0.5), (2, 2), (3, 3), (6, 6), (7, 6), (40, 6)])
def test_phrase_weight(words: int, weight: float) -> None:
    assert phrase_weight(words) == weight


def query_of(*groups: tuple[int, str]) -> GoldDocument:
    """Make pages p1.. from each group's repeated snippet, each with a word of its own at the end."""
    lines = [line for count, line in groups for _ in range(count)]
    pages = tuple(Page(f"p{n}", snippet=f"{line}, unique{n}") for n, line in enumerate(lines, start=1))
    return GoldDocument("q", "q", pages)


def test_words_in_at_most_three_or_over_40_percent_of_pages_do_not_count() -> None:
    document = query_of((3, "rare word"), (4, "shared phrase"), (3, "nothing"), (5, "plain"), (1, "x"))
    too_frequent = query_of((5, "common phrase"), (5, "other stuff"))

    assert [cluster.label for cluster in run("stc", document).clusters] == ["shared phrase", "plain"]
    assert run("stc", too_frequent).clusters == ()


def test_stop_words_and_numbers_do_not_count() -> None:
    document = query_of((5, "of the 2007 with"), (4, "and moon"), (6, "x"))

    assert [cluster.label for cluster in run("stc", document).clusters] == ["moon"]


def test_inflected_words_share_a_phrase_labelled_by_the_commonest_form() -> None:
    pages = ("sailing boats", "sailing boats", "sailed boat", "sails boat", *"abcdefgh")
    document = GoldDocument("q", "q", tuple(Page(f"p{n}", snippet=line) for n, line in enumerate(pages, start=1)))

    (cluster,) = run("stc", document).clusters

    assert cluster.pages == ("p1", "p2", "p3", "p4")
    assert cluster.label == "sailing boats"


def test_merging_needs_more_than_half_of_both_clusters() -> None:
    """'lake' on p1-p4 and 'tree' on p3-p6 share exactly half of both; 'tree' on p2-p5 shares three of four."""

    def clusters(second_starts: int) -> int:
        lines = [
            " ".join(["lake"] * (n <= 4) + [","] + ["tree"] * (second_starts <= n < second_starts + 4))
            for n in range(1, 21)
        ]
        document = GoldDocument("q", "q", tuple(Page(str(n), snippet=line) for n, line in enumerate(lines)))
        return len(run("stc", document).clusters)

    assert clusters(3) == 2
    assert clusters(2) == 1


def test_clusters_can_overlap_and_omit_pages() -> None:
    document = GoldDocument(
        "q",
        "q",
        tuple(
            Page(f"p{n}", snippet=line)
            for n, line in enumerate(
                ["red boat"] * 3 + ["red boat, blue moon"] * 2 + ["blue moon"] * 3 + [f"solitary{i}" for i in range(9)],
                start=1,
            )
        ),
    )

    clusters = {cluster.label: set(cluster.pages) for cluster in run("stc", document).clusters}

    assert clusters == {"red boat": {"p1", "p2", "p3", "p4", "p5"}, "blue moon": {"p4", "p5", "p6", "p7", "p8"}}


def test_scripts_without_spaces_share_runs_of_characters() -> None:
    lines = ["東京の水星研究所", "大阪の水星研究所", "水星研究所です", "新しい水星研究所", *"一二三四五六七八"]
    document = GoldDocument("q", "q", tuple(Page(f"p{n}", snippet=line) for n, line in enumerate(lines, start=1)))

    assert run("stc", document).clusters[0].pages == ("p1", "p2", "p3", "p4")


@pytest.mark.parametrize("snippets", [[], [""], ["one page only"], ["", "", ""]])
def test_tiny_inputs_have_no_clusters(snippets: list[str], make) -> None:
    assert run("stc", make(snippets)).clusters == ()


def test_identical_pages_are_one_cluster_if_every_word_counts(make) -> None:
    clusters = run("stc", make(["the red boat on the blue moon"] * 8), parameters=COUNT_ALL).clusters

    assert [len(cluster.pages) for cluster in clusters] == [8]
    assert clusters[0].label == "red boat on the blue moon"


def test_copies_of_a_long_text_share_its_final_words() -> None:
    words = [f"word{n}x" for n in range(400)]

    found = base_clusters(texts_of([" ".join(words)] * 3))

    assert max((phrase.stems for phrase in found), key=len) == tuple(words[-LONGEST_PHRASE:])
    assert {phrase.pages for phrase in found} == {(0, 1, 2)}
    assert len(found) == LONGEST_PHRASE


snippet_lists = st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=6).map(" ".join), max_size=12)


@given(snippets=snippet_lists)
def test_base_clusters_equal_those_of_all_possible_n_grams(snippets: list[str]) -> None:
    """The reference computes the definition directly: shared n-grams that are not always followed by the same word."""
    texts = [[tokens] if (tokens := tokenise(snippet)) else [] for snippet in snippets]
    places: dict[tuple[str, ...], list[int]] = {}
    for page, text in enumerate(texts):
        for sentence in text:
            stems = [token.stem for token in sentence]
            for start in range(len(stems)):
                for end in range(start + 1, len(stems) + 1):
                    places.setdefault(tuple(stems[start:end]), []).append(page)
    words = {tokenise(word)[0].stem for word in VOCABULARY}
    expected = {
        stems: tuple(sorted(set(pages)))
        for stems, pages in places.items()
        if len(set(pages)) > 1 and all(len(places.get((*stems, word), [])) < len(pages) for word in words)
    }

    assert {phrase.stems: phrase.pages for phrase in base_clusters(texts)} == expected


@given(snippets=st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=5).map(" ".join), max_size=40))
def test_there_are_at_most_fifteen_clusters(snippets: list[str]) -> None:
    document = GoldDocument("q", "q", tuple(Page(f"p{n}", snippet=line) for n, line in enumerate(snippets)))

    clusters = run("stc", document, parameters={"merge": 1.0, **COUNT_ALL}).clusters

    assert len(clusters) <= 15
    assert all(len(cluster.pages) >= 2 and cluster.label for cluster in clusters)

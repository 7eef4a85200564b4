"""Measures of labels: agreement with a literal implementation, definition of terms, and undefined cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4 import Clustering, GoldStandard, score
from qc4.inputs.undefined import Undefined
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.gold_document import GoldDocument, Page
from qc4.model.policies import Policies
from tests.qc4.small_cases import gold, nested

KEYS = [measure.key for measure in REGISTRY.family("labels")]
WORDS = st.lists(st.sampled_from(["red", "cat", "car", "big"]), max_size=3).map(" ".join)


def value(key: str, case: Case) -> float:
    return REGISTRY.get(key).compute(case, None, Policies())


def labelled(
    topics: dict[str, Sequence[int]], clusters: dict[str, Sequence[int]], titles: Sequence[str] = (), n_pages: int = 4
) -> Case:
    """Return a case from the names of topics and the labels of clusters on one level, and titles of pages."""
    pages = tuple(Page(str(number), title=title) for number, title in enumerate(titles))
    standard = replace(
        gold(n_pages, list(topics.values())), topic_names=list(topics), document=GoldDocument("", "", pages)
    )
    return Case.build(standard, nested(list(clusters.values()), [-1] * len(clusters), list(clusters)))


@st.composite
def drawn(draw) -> Case:
    n = draw(st.integers(1, 5))
    pages = st.sets(st.integers(0, n - 1), min_size=1)
    topics = [set(range(n)), *draw(st.lists(pages, max_size=3))]
    clusters = draw(st.lists(pages, min_size=1, max_size=4))
    names = draw(st.lists(WORDS, min_size=len(topics), max_size=len(topics)))
    labels = draw(st.lists(WORDS, min_size=len(clusters), max_size=len(clusters)))
    documents = tuple(Page(str(number), title=draw(WORDS), text=draw(WORDS)) for number in range(n))
    bare = gold(n, topics)
    standard = replace(bare, topic_names=names, document=GoldDocument("", "", documents))
    return Case.build(standard, nested(clusters, [-1] * len(clusters), labels))


def sides(case: Case) -> tuple[list[tuple[set[int], list[str]]], list[tuple[set[int], list[str]]]]:
    """Return the pages and words of each topic and of each cluster."""
    topics, clusters = case.gold.hierarchy.pages, case.clusters
    return (
        [(set(topics[[k]].indices.tolist()), name.split()) for k, name in enumerate(case.gold.topic_names)],
        [(set(clusters[[k]].indices.tolist()), label.split()) for k, label in enumerate(case.forest.labels)],
    )


def best_agreement(case: Case, agree) -> float:
    """Return the largest sum of agreement over all one-to-one alignments with the most common pages."""
    topics, clusters = sides(case)
    few, many = sorted((topics, clusters), key=len)
    found = []
    for chosen in permutations(many, len(few)):
        pairs = [(one, other) for one, other in zip(few, chosen, strict=True) if one[0] & other[0]]
        found.append((sum(len(a[0] & b[0]) for a, b in pairs), sum(agree(a[1], b[1]) for a, b in pairs)))
    return max(found)[1]


class TestLiteralReadings:
    @given(case=drawn())
    def test_labels_against_names(self, case):
        topics, clusters = sides(case)
        names, labels = (sum(len(set(words)) for _, words in side) for side in (topics, clusters))
        named, given = (sum(bool(words) for _, words in side) for side in (topics, clusters))
        if not names or not labels:
            with pytest.raises(Undefined, match="with a word in it"):
                value("label_term_f", case)
            return
        shared = best_agreement(case, lambda one, other: len(set(one) & set(other)))
        exact = best_agreement(case, lambda one, other: int(bool(one) and one == other))
        assert value("label_term_p", case) == pytest.approx(shared / labels)
        assert value("label_term_r", case) == pytest.approx(shared / names)
        assert value("label_term_f", case) == pytest.approx(2 * shared / (labels + names))
        assert value("label_exact_f", case) == pytest.approx(2 * exact / (named + given))

    @given(case=drawn())
    def test_labels_alone(self, case):
        _, clusters = sides(case)
        terms = [set(words) for _, words in clusters if words]
        if not terms:
            with pytest.raises(Undefined, match="no cluster has a label"):
                value("label_distinct", case)
            return
        alike = [len(one & other) / len(one | other) for one, other in combinations(terms, 2)]
        assert value("label_distinct", case) == pytest.approx(1 - fmean(alike) if alike else 1.0)

    @given(case=drawn())
    def test_labels_against_texts(self, case):
        _, clusters = sides(case)
        texts = [{*(page.title or "").split(), *(page.text or "").split()} for page in case.gold.document.pages]
        members = [bool(texts[page] & set(words)) for pages, words in clusters if words for page in pages]
        if not members or not any(texts):
            with pytest.raises(Undefined):
                value("label_fit", case)
            return
        assert value("label_fit", case) == pytest.approx(fmean(members))


class TestTerms:
    @pytest.mark.parametrize(
        ("name", "label"),
        [
            ("Jaguar (car)", "JAGUAR car"),
            ("C", "c"),
            ("snow_leopard", "Snow leopard"),
            ("Café", "CAFE\u0301"),
            ("猫科", "猫科"),
            ("ﬁnd", "FIND"),
        ],
    )
    def test_case_punctuation_and_unicode_form_are_ignored(self, name, label):
        assert value("label_exact_f", labelled({name: range(4)}, {label: range(4)})) == 1.0

    def test_each_character_of_a_script_without_spaces_is_a_term(self):
        assert value("label_term_r", labelled({"猫科": range(4)}, {"大猫": range(4)})) == 1 / 2

    def test_words_are_not_stemmed(self):
        assert value("label_term_f", labelled({"cars": range(4)}, {"car": range(4)})) == 0.0

    def test_word_order_matters_only_for_exact_labels(self):
        turned = labelled({"big cat": range(4)}, {"cat, big": range(4)})
        assert (value("label_term_f", turned), value("label_exact_f", turned)) == (1.0, 0.0)


class TestAlignment:
    def test_a_label_is_compared_with_the_topic_aligned_with_its_cluster(self):
        crossed = labelled({"cats": [0, 1], "cars": [2, 3]}, {"cars": [0, 1], "cats": [2, 3]})
        assert value("label_term_f", crossed) == 0.0

    def test_ties_between_alignments_are_broken_by_labels(self):
        """Both topics have the same pages, like a topic and its only subtopic."""
        same = gold(2, [[0, 1], [0, 1]], parents=[-1, 0])
        case = Case.build(replace(same, topic_names=["cats", "tigers"]), nested([[0, 1]], [-1], ["tigers"]))
        assert value("label_term_p", case) == 1.0
        assert value("label_exact_f", case) == pytest.approx(2 / 3)

    def test_a_parent_without_listed_pages_has_those_of_its_children(self):
        standard = replace(gold(4, [[0, 1, 2, 3], [0, 1], [2, 3]], parents=[-1, 0, 0]), topic_names=["a", "b", "c"])
        case = Case.build(standard, nested([[], [0, 1], [2, 3]], [-1, 0, 0], ["a", "b", "c"]))
        assert value("label_exact_f", case) == 1.0


class TestUndefined:
    @pytest.mark.parametrize("key", KEYS)
    def test_without_labels(self, key):
        with pytest.raises(Undefined, match="no cluster has a label with a word in it"):
            value(key, labelled({"cats": range(4)}, {"…": range(4)}, ["a title"] * 4))

    def test_fit_without_texts(self):
        with pytest.raises(Undefined, match=r"no page has a text \(title, snippet, text\)"):
            value("label_fit", labelled({"cats": range(4)}, {"cats": range(4)}))

    def test_distinctness_of_too_many_labels_is_undefined(self):
        n = 8_000
        pages = [[page] for page in range(n)]
        case = Case.build(gold(n, [range(n)]), nested(pages, [-1] * n, [f"page {page}" for page in range(n)]))
        with pytest.raises(Undefined, match=r"found 64,\d+,\d+ pairs of labels .*; expected at most 50,000,000"):
            value("label_distinct", case)

    def test_a_single_label_is_fully_distinct(self):
        assert value("label_distinct", labelled({"cats": range(4)}, {"cats": range(4)})) == 1.0


NUMBERED = {
    "from_labels": GoldStandard.from_labels([0, 0, 1]),
    "from_levels": GoldStandard.from_levels([[0, 0, 1], [2, 3, 4]]),
    "from_sets, a list": GoldStandard.from_sets([[0, 1], [2]]),
    "from_sets, numbers": GoldStandard.from_sets({7: [0, 1], 8: [2]}),
    "from_hierarchy": GoldStandard.from_hierarchy(GoldStandard.from_labels([0, 0, 1]).hierarchy),
}


@pytest.mark.parametrize("standard", NUMBERED.values(), ids=NUMBERED)
def test_topics_with_numeric_labels_have_no_name(standard):
    with pytest.raises(Undefined, match=r"^no topic has a name with a word in it$"):
        score(standard, Clustering.from_labels(["0", "0", "1"]), "label_exact_f").value("label_exact_f")


def test_text_labels_are_the_names_of_topics():
    for standard in (GoldStandard.from_labels(["a", "a", "b"]), GoldStandard.from_sets({"a": [0, 1], "b": [2]})):
        assert standard.topic_names == ("a", "b")
        assert score(standard, Clustering.from_labels(["a", "a", "b"]), "label_exact_f").value("label_exact_f") == 1
    assert GoldStandard.from_levels([[0, 0, 1], ["x", "y", "z"]]).topic_names == ("", "", "x", "y", "z")

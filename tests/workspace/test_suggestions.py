"""Similar pages and suggested topics, based on shared words; results are reproducible."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Query
from annotations.words.selectors import page_texts, page_words, similar_pages
from annotations.words.suggestions import suggest_topics
from annotations.words.tfidf import BATCH_TEXTS, PageWords, tfidf_weights
from annotations.words.tfidf import tokenize as read
from qc4.model.gold_document import GoldDocument, Page
from qc4.problems import InputError

CATS = ("Jaguars hunt at night", "A jaguar hunts capybara", "Night hunt of the jaguar cat")
CARS = ("Vintage motor parts", "Motor racing parts", "Vintage racing motor")


@pytest.fixture
def query(owner: User) -> Query:
    """A query with three pages about cats, three about cars, and one without words."""
    texts = (*CATS, *CARS, "")
    pages = tuple(Page(f"p{number}", number, title=text) for number, text in enumerate(texts, 1))
    return import_documents(name="Cats", documents=[GoldDocument("q", "q", pages)], user=owner).queries.get()


def words_of(*texts: str) -> PageWords:
    weights, words = tfidf_weights(texts)
    return PageWords(tuple(f"p{number}" for number in range(1, len(texts) + 1)), weights, words)


def test_weights_are_tf_idf() -> None:
    """Both of two texts contain "ab" (idf 1), one contains "cd" (idf 1 + ln 3/2). Two occurrences count 1 + ln 2."""
    found = words_of("ab cd cd", "ab")
    assert found.words == ("ab", "cd")
    cd = (1 + math.log(2)) * (1 + math.log(3 / 2))
    length = math.hypot(1, cd)
    assert found.weights.toarray()[0] == pytest.approx([1 / length, cd / length])
    assert found.weights.toarray()[1] == pytest.approx([1, 0])


def test_weights_do_not_depend_on_batches() -> None:
    """Texts are counted in batches of some hundreds, with the same result as one after the other."""
    texts = [
        f"ab{number % 7} Cd-ef_{number % 3} x {'é' if number % 2 else ''}gh gh" for number in range(2 * BATCH_TEXTS + 9)
    ]
    weights, words = tfidf_weights(texts)
    again, same = tfidf_weights(texts[::-1])
    assert words == same == tuple(sorted(words))
    assert (abs(weights - again[::-1]) > 1e-12).nnz == 0
    assert [set(np.array(words)[weights[[row]].indices]) for row in range(len(texts))] == [
        set(read(text)) for text in texts
    ]


@pytest.mark.parametrize(
    "text", ["", "a b1 c-d ee", "Snake_case, 12 3", "Straße naïve x", "ｆｕｌｌ wide", "a\x1fbc\x85de"]
)
def test_words_have_two_or_more_letters_or_digits(text: str) -> None:
    assert read(text) == re.findall(r"\w{2,}", text.casefold())


def test_scripts_without_spaces_are_split_into_characters() -> None:
    assert sorted(words_of("猫と犬 cat").words) == sorted(["cat", "と", "犬", "猫"])


def test_similar_pages_share_words(query: Query) -> None:
    similar = similar_pages(query, "p4")
    assert {row.page for row in similar} == {"p5", "p6"}
    assert all(0 < row.score <= 1 for row in similar)
    assert similar_pages(query, "p7") == [], "the page has no words"
    assert len(similar_pages(query, "p1", count=1)) == 1


def test_groups_consist_of_pages_that_share_words(query: Query) -> None:
    every = [f"p{number}" for number in range(1, 8)]
    found = suggest_topics(page_words(query), page_texts(query), every, 2)
    assert sorted(tuple(sorted(topic.pages)) for topic in found) == [("p1", "p2", "p3"), ("p4", "p5", "p6")]
    names = {min(topic.pages): topic.name.casefold() for topic in found}
    assert "motor" in names["p4"]
    assert "jaguar" in names["p1"] or "hunt" in names["p1"]
    assert found == suggest_topics(page_words(query), page_texts(query), every, 2), "the result is reproducible"


def test_suggestions_cover_only_requested_pages(query: Query) -> None:
    found = suggest_topics(page_words(query), page_texts(query), ["p1", "p3", "p4", "p5"], 2)
    assert sorted(page for topic in found for page in topic.pages) == ["p1", "p3", "p4", "p5"]


def test_identical_pages_form_one_group() -> None:
    found = suggest_topics(words_of("same words", "same words", "same words"), {}, ["p1", "p2", "p3"], 3)
    assert [topic.pages for topic in found] == [("p1", "p2", "p3")]


def test_number_of_groups_is_limited_by_pages() -> None:
    found = suggest_topics(words_of("red apple", "green pear"), {}, ["p1", "p2"], 50)
    assert sorted(tuple(sorted(topic.pages)) for topic in found) == [("p1",), ("p2",)]


@pytest.mark.parametrize("texts", [("", ""), ("one page",), ("with words", "")])
def test_too_few_pages_with_words_are_rejected(texts: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as told:
        suggest_topics(words_of(*texts), {}, [f"p{number}" for number in range(1, len(texts) + 1)])
    assert told.value.problems[0].code == "too-few-pages"

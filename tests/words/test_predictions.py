"""Predictions from placed pages and the queue of most informative pages, with values computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from annotations.words.predictions import Classification, PredictedClass, most_informative, predict_classes
from annotations.words.tfidf import PageWords


def pages(**rows: tuple[float, ...]) -> PageWords:
    """Make pages from vectors of length 1, so that cosines are plain dot products."""
    weights = sp.csr_array(np.array(list(rows.values()), dtype=float))
    return PageWords(tuple(rows), weights, tuple(f"w{n}" for n in range(weights.shape[1])))


WORDS = pages(
    a=(1, 0, 0), b=(0, 1, 0), near_a=(0.8, 0, 0.6), between=(0.6, 0.6, 0.53), like_b=(0, 1, 0), alone=(0, 0, 0)
)
EXAMPLES = {"A": {"a"}, "B": {"b"}}
WAITING = ("near_a", "between", "like_b", "alone")


def test_page_is_predicted_in_topic_of_its_neighbours() -> None:
    """`near_a` has .8 votes for A and none for B. `between` has .6 each, a tie. `alone` shares no words."""
    found = predict_classes(WORDS, Classification(WAITING, EXAMPLES))
    assert found == [PredictedClass("near_a", "A", 0.8, ("a",)), PredictedClass("like_b", "B", 1.0, ("b",))]


def test_only_five_neighbours_vote() -> None:
    rows = {f"a{n}": (0.6, 0.8) for n in range(4)} | {f"b{n}": (0.8, 0.6) for n in range(3)} | {"new": (1.0, 0.0)}
    choice = Classification(["new"], {"A": {f"a{n}" for n in range(4)}, "B": {f"b{n}" for n in range(3)}})
    (found,) = predict_classes(pages(**rows), choice)
    assert (found.choice, found.margin) == ("B", pytest.approx(3 * 0.8 - 2 * 0.6))
    assert found.like == ("b0", "b1", "b2")


def test_page_in_two_topics_votes_for_both() -> None:
    assert predict_classes(WORDS, Classification(["near_a"], {"A": {"a"}, "C": {"a"}})) == []


def test_nothing_is_predicted_without_two_classes() -> None:
    assert predict_classes(WORDS, Classification(WAITING, {})) == []
    assert predict_classes(WORDS, Classification(WAITING, {"A": {"a"}})) == [], "all would be in the first topic"


def test_most_informative_page_is_uncertain_dense_and_novel() -> None:
    """The score is uncertainty x density x novelty.

    `between` has 1 x (1 + .798 + .6) x .4. `near_a` and `like_b` have 0, because their margin equals their votes.
    `alone` has 0, because it has no words. Pages with a score of 0 follow in list order.
    """
    assert most_informative(WORDS, Classification(WAITING, EXAMPLES), 4) == ["between", "near_a", "like_b", "alone"]
    assert most_informative(WORDS, Classification(WAITING, EXAMPLES), 1) == ["between"]


def test_without_placed_pages_the_densest_page_comes_first_then_a_different_one() -> None:
    words = pages(x1=(1, 0), x2=(1, 0), x3=(1, 0), y1=(0, 1), y2=(0, 1))
    found = most_informative(words, Classification(words.keys, {}), 5)
    assert found[:2] == ["x1", "y1"], "x1 represents three pages, and y1 represents two others"
    assert sorted(found) == sorted(words.keys)

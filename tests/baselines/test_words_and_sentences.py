"""Tokens: what is a word, and which words count as the same."""

from __future__ import annotations

import pytest

from evaluation.baselines.text import is_stop_word, sentences, stem, tokenise
from qc4.model.gold_document import Page


def surfaces(page: Page, source: str = "snippet") -> list[list[str]]:
    return [[token.surface for token in sentence] for sentence in sentences(page, source)]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("parties", "party"), ("boxes", "box"), ("planets", "planet"), ("glass", "glass"), ("virus", "virus"),
        ("analysis", "analysis"), ("running", "run"), ("runs", "run"), ("run", "run"), ("orbiting", "orbit"),
        ("making", "mak"), ("make", "mak"), ("sing", "sing"), ("bed", "bed"), ("gas", "gas"), ("shop's", "shop"),
        ("rolling", "roll"), ("naïvely", "naïvely"), ("planeten", "planeten"), ("ie", "ie"), ("b52s", "b52s"),
    ],
)  # fmt: skip
def test_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_stop_words_are_function_words_web_page_words_and_numbers() -> None:
    assert all(map(is_stop_word, ["the", "isn't", "www", "homepage", "2007", "x"]))
    assert not any(map(is_stop_word, ["planet", "é", "星", "b52"]))


def test_title_and_snippet_are_split_into_sentences() -> None:
    page = Page("p", title="Mercury (planet) - the nearest", snippet="Small, hot. No moons! Is it? U.S. probes|Maps")

    assert surfaces(page) == [
        ["Mercury"], ["planet"], ["the", "nearest"], ["Small"], ["hot"], ["No", "moons"], ["Is", "it"],
        ["U", "S"], ["probes"], ["Maps"],
    ]  # fmt: skip


def test_full_text_replaces_the_snippet_if_there_is_one() -> None:
    assert surfaces(Page("p", title="T", snippet="short", text="long body"), "text") == [["T"], ["long", "body"]]
    assert surfaces(Page("p", title="T", snippet="short"), "text") == [["T"], ["short"]]


def test_markup_and_entities_are_not_words() -> None:
    assert surfaces(Page("p", snippet="<b>Tom</b> &amp; Jerry <script src=x>")) == [["Tom", "Jerry"]]
    assert surfaces(Page("p", snippet="if a < b then c > d")) == [["if", "a"], ["b", "then", "c"], ["d"]]


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        ("Rice’s rock'n'roll 'quoted'", ["Rice's", "rock'n'roll", "quoted"]),
        ("हिन्दी ग्रह", ["हिन्दी", "ग्रह"]),
        ("السَّلام عليكم", ["السَّلام", "عليكم"]),
        ("水星は", ["水", "星", "は"]),
        ("한국어 단어", ["한국어", "단어"]),
        ("ﬁne Ｗｉｄｅ", ["fine", "Wide"]),
        ("-- !? …", []),
    ],
)
def test_words_in_any_script(piece: str, words: list[str]) -> None:
    assert [token.surface for token in tokenise(piece)] == words

"""Names of suggested topics: phrases as pages write them, without function words, in several languages."""

from __future__ import annotations

import pytest

from annotations.words.cluster_labels import name_groups
from annotations.words.stop_words import LANGUAGES, WEB_WORDS, function_words, languages, stop_words
from annotations.words.tfidf import PageWords, tfidf_weights

ENGLISH = (
    "The Jaguar XK club is for all of the owners of a Jaguar",
    "Join the Jaguar XK club, the oldest of the clubs",
    "A jaguar is one of the big cats of the rain forest",
    "The big cats: the jaguar and the puma of the forest",
)
GERMAN = (
    "Der Jaguar ist eine Raubkatze und lebt im Regenwald",
    "Die Raubkatze war auch in den Bergen zu sehen",
    "Das ist der Verein für alle, die einen Jaguar fahren",
    "Ein Verein für den Jaguar und seine Fahrer",
)
TURKISH = (
    "Jaguar, yağmur ormanı içinde yaşayan bir kedi ve çok güçlü",
    "Bu kedi yağmur ormanı için olan bir tür",
    "Jaguar kulübü: otomobil sahipleri için bir kulüp ve daha çok",
    "Otomobil sahipleri ile ilgili kulüp için bir sayfa",
)
FRENCH = (
    "Le jaguar est un félin de la forêt tropicale",
    "La forêt tropicale est dans le sud du pays",
    "Les voitures de sport sont dans un garage",
    "Une des voitures de sport de la marque",
)


def words_of_texts(texts: tuple[str, ...]) -> PageWords:
    weights, words = tfidf_weights(texts)
    return PageWords(tuple(map(str, range(len(texts)))), weights, words)


@pytest.mark.parametrize(
    ("texts", "language"), [(ENGLISH, "en"), (GERMAN, "de"), (TURKISH, "tr"), (FRENCH, "fr"), (("猫と犬", "犬"), None)]
)
def test_languages_of_pages_are_detected(texts: tuple[str, ...], language: str | None) -> None:
    assert languages(words_of_texts(texts)) == ((language,) if language else ())


def test_stop_words_apply_only_to_languages_of_the_pages() -> None:
    """ "War" and "die" are function words in German and content words in English."""
    assert {"war", "die"} <= stop_words(words_of_texts(GERMAN))
    assert not {"war", "die"} & stop_words(words_of_texts(ENGLISH))
    assert stop_words(words_of_texts(("猫と犬", "犬"))) == WEB_WORDS


@pytest.mark.parametrize("texts", [ENGLISH, GERMAN, TURKISH, FRENCH, (*ENGLISH, *GERMAN), ("猫と犬", "犬"), ()])
def test_function_words_follow_languages_of_the_texts(texts: tuple[str, ...]) -> None:
    spoken = languages(words_of_texts(texts)) if texts else ()
    assert function_words(texts) == frozenset().union(*(LANGUAGES[name] for name in spoken))


def names_of(texts: tuple[str, ...]) -> list[str]:
    return name_groups([texts[:2], texts[2:]], stop_words(words_of_texts(texts)))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (ENGLISH, ["Jaguar XK club", "big cats"]),
        (GERMAN, ["Raubkatze", "Verein"]),
        (TURKISH, ["yağmur ormanı", "Otomobil sahipleri"]),
        (FRENCH, ["forêt tropicale", "voitures de sport"]),
    ],
)
def test_names_have_no_function_words_at_their_ends(texts: tuple[str, ...], expected: list[str]) -> None:
    assert names_of(texts) == expected


def test_words_of_most_pages_are_not_names_alone() -> None:
    """ "mercury" is in all twelve pages, so it may be part of a phrase but not a name alone, in any language."""
    planets = tuple(f"mercury planet orbit {number}" for number in range(6))
    boats = tuple(f"mercury outboard {number}" for number in range(6))
    found = name_groups([planets, boats], WEB_WORDS)
    assert found == ["mercury planet orbit", "mercury outboard"]
    assert name_groups([("mercury",) * 6, ("mercury",) * 6], WEB_WORDS) == ["similar pages", "similar pages 2"]


def test_phrases_stop_at_punctuation_and_entities_are_decoded() -> None:
    assert name_groups([("Coral &amp; Reef. Sea", "Coral &amp; Reef. Sea"), ("x1 y2", "other page")], WEB_WORDS)[0] in {
        "Coral & Reef",
        "Coral",
    }


def test_second_phrase_is_added_if_few_pages_have_the_first() -> None:
    group = ("zoo tickets", "zoo tickets", "tiger cubs", "tiger cubs", "snow")
    found = name_groups([group, ("something else", "very different")], WEB_WORDS)
    assert sorted(found[0].split(", ")) == ["tiger cubs", "zoo tickets"]

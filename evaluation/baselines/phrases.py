"""Phrases that pages share: the base clusters of Suffix Tree Clustering, from an inverted index of word n-grams."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.baselines.text import Sentence, commonest
from evaluation.baselines.words import is_stop_word

Texts = Sequence[Sequence[Sentence]]
"""For every page, its sentences."""

LONGEST_PHRASE = 20
"""Words. Scores stop growing at six; without an end, copies of one long text would take quadratic time."""

Stems = tuple[str, ...]
Place = tuple[int, int, int]
"""Page row, sentence number, position of the phrase's first word."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of two or more pages: its stems, its page rows (ascending), and where it occurs."""

    stems: Stems
    pages: tuple[int, ...]
    places: tuple[Place, ...]


def base_clusters(texts: Texts) -> list[Phrase]:
    """The inner nodes of the generalised suffix tree of all sentences that lie in two or more pages.

    A node is a phrase that does not always go on with the same word: ``cat`` is none where it only occurs in
    ``cat ate``. Phrases grow word by word and only those of two or more pages are followed, so the work grows with
    what is shared, not with the number of possible n-grams. Of a longer shared passage the nodes within its last
    `LONGEST_PHRASE` words are found. Shorter phrases come first, each length in alphabetical order.
    """
    found: list[Phrase] = []
    places = _shared(_single_words(texts))
    for _ in range(LONGEST_PHRASE):
        longer = _one_word_longer(texts, places)
        commonest_continuation: dict[Stems, int] = defaultdict(int)
        for stems, occurrences in longer.items():
            commonest_continuation[stems[:-1]] = max(commonest_continuation[stems[:-1]], len(occurrences))
        for stems in sorted(places):
            if commonest_continuation[stems] < len(places[stems]):
                pages = tuple(sorted({page for page, _, _ in places[stems]}))
                found.append(Phrase(stems, pages, tuple(places[stems])))
        places = _shared(longer)
    return found


def show(phrase: Phrase, texts: Texts) -> str:
    """The phrase as it is written most often, without stop words at its ends (unless it has nothing else)."""
    written = []
    for page, sentence, start in phrase.places:
        tokens = texts[page][sentence][start : start + len(phrase.stems)]
        telling = [number for number, token in enumerate(tokens) if not is_stop_word(token.surface.casefold())]
        kept = tokens[telling[0] : telling[-1] + 1] if telling else tokens
        written.append(" ".join(token.surface for token in kept))
    return commonest(written)


def _single_words(texts: Texts) -> dict[Stems, list[Place]]:
    places: dict[Stems, list[Place]] = defaultdict(list)
    for page, of_page in enumerate(texts):
        for number, sentence in enumerate(of_page):
            for position, token in enumerate(sentence):
                places[token.stem,].append((page, number, position))
    return places


def _one_word_longer(texts: Texts, places: dict[Stems, list[Place]]) -> dict[Stems, list[Place]]:
    longer: dict[Stems, list[Place]] = defaultdict(list)
    for stems, occurrences in places.items():
        length = len(stems)
        for page, number, start in occurrences:
            sentence = texts[page][number]
            if start + length < len(sentence):
                longer[(*stems, sentence[start + length].stem)].append((page, number, start))
    return longer


def _shared(places: dict[Stems, list[Place]]) -> dict[Stems, list[Place]]:
    """The phrases of two or more pages (places are in page order, so the first and the last tell)."""
    return {stems: where for stems, where in places.items() if where[0][0] != where[-1][0]}

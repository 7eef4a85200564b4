"""The words of a page: titles, snippets and texts cut into sentences of tokens, in any script."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from evaluation.baselines.words import stem
from qc4.model.gold_document import Page

Source = Literal["snippet", "text"]

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_SENTENCE_END = re.compile(r"[.!?…。！？।۔]+(?=\s|$|[^\x00-\x7f])|[\n\r;:|(){}\[\]<>\"“”«»。！？、，]|\s[-–—]+\s|,\s")
# Scripts written without spaces: every character is a token, so that phrases are found as runs of characters.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_APOSTROPHES = frozenset("'’ʼ")


@dataclass(frozen=True, slots=True)
class Token:
    """A word: ``stem`` is what is compared, ``surface`` what is shown."""

    stem: str
    surface: str


Sentence = tuple[Token, ...]


def sentences(page: Page, source: Source) -> list[Sentence]:
    """The page's sentences, none empty.

    ``snippet`` reads title and snippet; ``text`` reads title and text, and the snippet where a page has no text.
    Markup is stripped; commas, colons, brackets and dashes between words end a sentence too, so that no phrase
    runs across them.
    """
    body = (page.text or page.snippet) if source == "text" else page.snippet
    parts = (_TAG.sub(" ", html.unescape(part or "")) for part in (page.title, body))
    pieces = (tokenise(piece) for part in parts for piece in _SENTENCE_END.split(part))
    return [tokens for tokens in pieces if tokens]


def tokenise(piece: str) -> Sentence:
    """Words of letters, digits and their combining marks (an inner apostrophe belongs to the word)."""
    words = _separated(unicodedata.normalize("NFKC", piece)).split()
    stripped = (word.strip("'") for word in words)
    return tuple(Token(stem(word.casefold()), word) for word in stripped if word)


def commonest(surfaces: Iterable[str]) -> str:
    """The form to show for one stem or phrase: the most frequent, then the first in alphabetical order."""
    counted = Counter(surfaces)
    return min(counted, key=lambda surface: (-counted[surface], surface))


def _separated(piece: str) -> str:
    spaced = _UNSPACED.sub(lambda match: f" {match.group()} ", piece)
    return "".join(map(_word_character, spaced))


@lru_cache(maxsize=16_384)
def _word_character(character: str) -> str:
    """The character itself inside a word, an ASCII apostrophe for any apostrophe, otherwise a space."""
    if character in _APOSTROPHES:
        return "'"
    return character if unicodedata.category(character)[0] in "LNM" else " "

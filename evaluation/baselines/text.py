"""Words of a page: sentences of tokens in any script, stop words and stems."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from qc4.model.gold_document import Page

# --- Stop words and stems ---
# The list and the stemmer are short and our own. Words of other languages and scripts pass unchanged.

_MEANINGLESS = """
a about above across after again against all almost along already also although always am among an and another any
anyone anything are around as at away b back be became because become been before behind being below between both but
by came can cannot come could d did do does doing done down during each either else enough etc even ever every
everyone everything few for from further get gets getting give given go goes going got had has have having he her
here hers herself him himself his how however i if in instead into is isn't it it's its itself just keep let like
many may me might mine more most much must my myself near neither never no nobody none nor not nothing now of off
often on once one only onto or other others our ours out over own per perhaps put rather s said same say see seem
seen several shall she should since so some someone something still such t take than that the their theirs them
themselves then there these they thing things this those though through throughout to together too toward under
until up upon us use used uses using very via was way we well went were what whatever when where whether which while
who whole whom whose why will with within without would yet you your yours yourself
two three four five six seven eight nine ten first second third half make makes made making
click com contact download edu email faq free home homepage html http https index info information link links login
net official online org page pages read search site sites view visit web website welcome www
"""
STOP_WORDS = frozenset(_MEANINGLESS.split())

_SIBILANTS = ("ss", "x", "ch", "sh", "zz")
_VOWELS = frozenset("aeiouy")
_SHORTEST_STEM = 3


def is_stop_word(word: str) -> bool:
    """True if a case-folded word does not indicate a topic: function words, common words of web pages, bare numbers."""
    return word in STOP_WORDS or word.isdigit() or (len(word) == 1 and word.isascii())


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the word without its commonest English endings; words with letters outside a-z are unchanged.

    First a plural ending is removed, then -ed or -ing (and a doubled consonant), then a final e, each only if three
    letters with a vowel remain: ``parties -> party``, ``running -> run``, ``made -> mad``, ``glass -> glass``.
    """
    word = word.removesuffix("'s").removesuffix("'")
    if not (word.isascii() and word.isalpha()):
        return word
    word = _without_participle(_without_plural(word))
    return word[:-1] if word.endswith("e") and _can_stand(word[:-1]) else word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith("es") and word[:-2].endswith(_SIBILANTS):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and _can_stand(word[:-1]):
        return word[:-1]
    return word


def _without_participle(word: str) -> str:
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and _can_stand(base):
            doubled = len(base) > _SHORTEST_STEM and base[-1] == base[-2] and base[-1] not in "aeiouylsz"
            return base[:-1] if doubled else base
    return word


def _can_stand(base: str) -> bool:
    return len(base) >= _SHORTEST_STEM and not _VOWELS.isdisjoint(base)


Source = Literal["snippet", "text"]

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_SENTENCE_END = re.compile(r"[.!?…。！？।۔]+(?=\s|$|[^\x00-\x7f])|[\n\r;:|(){}\[\]<>\"“”«»。！？、，]|\s[-–—]+\s|,\s")
# In scripts without spaces, every character is a token, so that phrases are found as runs of characters.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_APOSTROPHES = frozenset("'’ʼ")


@dataclass(frozen=True, slots=True)
class Token:
    """A word: its stem, by which words are compared, and its surface form, which is shown."""

    stem: str
    surface: str


Sentence = tuple[Token, ...]


def sentences(page: Page, source: Source) -> list[Sentence]:
    """Return the page's non-empty sentences.

    ``snippet`` reads title and snippet; ``text`` reads title and text, or the snippet if a page has no text. Markup is
    removed. Commas, colons, brackets and dashes between words also end a sentence, so that no phrase extends across
    them.
    """
    body = (page.text or page.snippet) if source == "text" else page.snippet
    parts = (_TAG.sub(" ", html.unescape(part or "")) for part in (page.title, body))
    pieces = (tokenise(piece) for part in parts for piece in _SENTENCE_END.split(part))
    return [tokens for tokens in pieces if tokens]


def tokenise(piece: str) -> Sentence:
    """Split text into words of letters, digits and combining marks (an inner apostrophe belongs to the word)."""
    words = _separated(unicodedata.normalize("NFKC", piece)).split()
    stripped = (word.strip("'") for word in words)
    return tuple(Token(stem(word.casefold()), word) for word in stripped if word)


def commonest(surfaces: Iterable[str]) -> str:
    """Return the most frequent form of a stem or phrase; of equally frequent ones, the first in alphabetical order."""
    counted = Counter(surfaces)
    return min(counted, key=lambda surface: (-counted[surface], surface))


def _separated(piece: str) -> str:
    spaced = _UNSPACED.sub(lambda match: f" {match.group()} ", piece)
    return "".join(map(_word_character, spaced))


@lru_cache(maxsize=16_384)
def _word_character(character: str) -> str:
    """Return the character itself inside a word, an ASCII apostrophe for any apostrophe, otherwise a space."""
    if character in _APOSTROPHES:
        return "'"
    return character if unicodedata.category(character)[0] in "LNM" else " "

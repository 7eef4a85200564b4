"""Comparison of labels, names and ids across Unicode forms, and HTML entities in texts.

The same text can be stored in several ways: "é" is one code point or two, and some characters are invisible.
`comparison_key` decides for every reader, look-up and page whether two texts are the same. Texts are stored as they
were written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Container, Iterable, Sequence
from functools import cached_property
from html import unescape
from html.entities import html5
from typing import Literal

HtmlEntities = Literal["auto", "keep", "once", "twice"]
"""What to do with HTML entities in a file's texts: follow the format, keep them, or decode them once or twice."""
HTML_ENTITIES: tuple[HtmlEntities, ...] = ("auto", "keep", "once", "twice")
IGNORED_CHARACTERS = "\u200b\u2060\ufeff"
"""Invisible characters that mean nothing in a label, name or id: zero-width space, word joiner, byte order mark."""
JOINERS = "\u200c\u200d"
"""Invisible characters that matter in Persian, Indic scripts and emoji. They count, and readers warn of them."""
_WITHOUT_IGNORED = dict.fromkeys(map(ord, IGNORED_CHARACTERS))
_WITHOUT_INVISIBLE = dict.fromkeys(map(ord, IGNORED_CHARACTERS + JOINERS))
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_MOST_CODE_POINTS = 12
_LIKE_LATIN = str.maketrans(
    # Cyrillic small and capital letters, then Greek ones.
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0406\u0408\u0405"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf",
    "aeopcyxijsABEKMHOPCTXIJSABEZHIKMNOPTYXo",
)
"""Letters of other alphabets that look like Latin ones."""


def comparison_key(text: str) -> str:
    """Return the form in which labels, names and ids are compared: NFC, without `IGNORED` characters.

    >>> comparison_key("caf\\u0065\\u0301\\u200b") == "caf\\u00e9"
    True
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(_WITHOUT_IGNORED))


def name_key(name: str) -> str:
    """Return the form in which names that ignore upper and lower case are compared."""
    return name.casefold() if name.isascii() else comparison_key(comparison_key(name).casefold())


def are_ascii(texts: Iterable[str]) -> bool:
    """Return True if every text is ASCII, and therefore its own `comparison_key`."""
    return "".join(texts).isascii()


def unify_spellings(texts: Sequence[str]) -> Sequence[str]:
    """Return the texts, each spelled like the first one with the same `comparison_key`."""
    if are_ascii(texts):
        return texts
    spellings = Spellings(texts)
    return [spellings.first(text) for text in texts]


class Spellings(Container[str]):
    """Known ids, which can be looked up in any Unicode form.

    >>> known = Spellings(["caf\\u00e9", "tea"])
    >>> known.of("cafe\\u0301") == "caf\\u00e9", known.of("milk"), "tea\\u200b" in known
    (True, 'milk', True)
    """

    def __init__(self, known: Collection[str]) -> None:
        self._ids = known

    def __contains__(self, text: object) -> bool:
        return text in self._known or (isinstance(text, str) and comparison_key(text) in self._by_key)

    def of(self, text: str) -> str:
        """Return the known id that equals the text, or the text itself if there is none."""
        return text if text in self._known else self.first(text)

    def first(self, text: str) -> str:
        """Return the first known id that equals the text, or the text itself if there is none."""
        return self._by_key.get(comparison_key(text), text)

    def of_all(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Return the result of `of` for each text."""
        return tuple(texts) if self._known.keys() >= set(texts) else tuple(map(self.of, texts))

    def look_alike(self, text: str) -> str:
        """Return a known id that looks like the text but is not equal to it, or "" if there is none."""
        return self._by_look.get(_appearance(text), "")

    @cached_property
    def _known(self) -> dict[str, None]:
        return dict.fromkeys(self._ids)

    @cached_property
    def _by_key(self) -> dict[str, str]:
        return {comparison_key(known): known for known in reversed(self._known)}

    @cached_property
    def _by_look(self) -> dict[str, str]:
        return {_appearance(known): known for known in reversed(self._known)}


def difference(text: str, other: str) -> str:
    """Return how two texts that look alike differ, in code points, or "" if they are equal or do not look alike.

    >>> difference("caf\\u00e9", "cafe\\u0301")
    'they look alike, but differ from character 4 on: U+00E9 against U+0065 U+0301'
    """
    if text == other or _appearance(text) != _appearance(other):
        return ""
    shorter = min(len(text), len(other))
    start = next((place for place in range(shorter) if text[place] != other[place]), shorter)
    end = next((place for place in range(shorter - start) if text[-1 - place] != other[-1 - place]), shorter - start)
    one, two = (_shortened(each[start : len(each) - end]) for each in (text, other))
    return f"they look alike, but differ from character {start + 1:,} on: {one} against {two}"


def invisible_in(text: str) -> str:
    """Return the distinct invisible characters of a text, in code point order."""
    return "" if text.isascii() else "".join(sorted(set(text) & set(IGNORED_CHARACTERS + JOINERS)))


def code_points(characters: str) -> str:
    """Return characters as code points: "U+200B U+FEFF"."""
    return " ".join(f"U+{ord(character):04X}" for character in characters)


def has_entities(text: str) -> bool:
    """Return True if a text contains HTML entities, such as "&amp;" or "&#39;"."""
    return bool(first_entity(text))


def first_entity(text: str) -> str:
    """Return the first HTML entity of a text; empty if there is none."""
    return next(filter(_is_entity, _ENTITY.findall(text)), "") if "&" in text else ""


def decode_entities(text: str, how: HtmlEntities = "once") -> str:
    """Return a text with its HTML entities replaced by the characters they stand for.

    Only entities that end in a semicolon count: in a URL, "&copy=1" is a parameter.

    Args:
        how: "twice" for a text that was escaped twice ("&amp;amp;"); "auto" and "keep" change nothing.

    >>> decode_entities("R&amp;B &amp;gt; http://x.org/?a=1&copy=2")
    'R&B &gt; http://x.org/?a=1&copy=2'
    """
    for _ in range({"once": 1, "twice": 2}.get(how, 0)):
        if "&" not in text:
            break
        text = _ENTITY.sub(lambda found: unescape(found[0]) if _is_entity(found[0]) else found[0], text)
    return text


def _is_entity(text: str) -> bool:
    return text[1] == "#" or text[1:] in html5


def _appearance(text: str) -> str:
    """Return a text as a reader sees it: without invisible characters, and with look-alike letters unified."""
    if text.isascii():
        return " ".join(text.split())
    plain = unicodedata.normalize("NFKC", text.translate(_WITHOUT_INVISIBLE))
    return " ".join(plain.translate(_LIKE_LATIN).split())


def _shortened(characters: str) -> str:
    shown = code_points(characters[:_MOST_CODE_POINTS]) or "nothing"
    return f"{shown} …" if len(characters) > _MOST_CODE_POINTS else shown


# --- Words of a text ---
# Words are runs of letters and digits, and single characters of scripts that are written without spaces.

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Scripts that are written without spaces, as ranges for a regular expression."""
_WORD = re.compile(f"[{UNSPACED}]|(?:(?![{UNSPACED}])[^\\W_])+")


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in order. Case and Unicode forms make no difference."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))

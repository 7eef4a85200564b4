"""Names for groups of pages: frequent phrases that set a group apart, as they are written in its pages."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotations.words.feature_selection import COMMON
from annotations.words.stop_words import is_telling
from qc4.text import UNSPACED, name_key

LONGEST = 5
"""Words of a phrase, at most two of them function words: "Battle of the Coral Sea"."""
INNER = 2
FOR_EACH_WORD = 0.4
"""How much more a phrase is worth for its second and third telling word: "Jaguar XK club" says more than "club"."""
COVERED = 0.5
"""A phrase that fewer of the pages have is joined by a second one."""
LEAST = 0.15
"""Of the pages, that have a phrase or that a second one adds: what fewer have names them, and not the group."""
SAMPLE = 60
"""Pages of a group that are read: enough for its frequent phrases, also where it has thousands."""
NAME_CHARS = 180

_TOKEN = re.compile(f"[{UNSPACED}]|(?:(?![{UNSPACED}])\\w)+(?:['’&.-](?:(?![{UNSPACED}])\\w)+)*|[^\\w\\s]+|\\n")
_UNSPACED = re.compile(f"[{UNSPACED}]")

Key = tuple[str, ...]
Page = dict[Key, str]
"""The phrases of a page, case-folded, and how it writes each first."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A phrase, the pages of the group that have it, and what it is worth."""

    key: Key
    pages: frozenset[int]
    worth: float


def names(texts: Sequence[Sequence[str]], stops: frozenset[str]) -> list[str]:
    """A name for each group of texts, all different.

    A phrase is one to five words in a row with a telling word at either end. It is worth the share of the group's pages
    that have it less the share of all other pages, and more if it is longer. Words that more than half of the other
    pages have make no phrase alone, in whatever language.
    """
    groups = [[_phrases(text, stops) for text in _sampled(group)] for group in texts]
    everywhere = Counter(key for group in groups for page in group for key in page)
    pages = sum(map(len, groups))
    found: list[str] = []
    for group in groups:
        name = _name(group, _candidates(group, everywhere, pages, stops))
        found.append(_free(name, {name_key(other) for other in found}))
    return found


def _sampled(texts: Sequence[str]) -> Sequence[str]:
    return texts[:: max(1, len(texts) // SAMPLE)][:SAMPLE]


def _phrases(text: str, stops: frozenset[str]) -> Page:
    found: Page = {}
    for run in _runs(html.unescape(text)):
        folded = [word.casefold() for word in run]
        telling = [is_telling(word, stops) for word in folded]
        for start in range(len(run)):
            for end in range(start + 1, min(start + LONGEST, len(run)) + 1):
                inner = telling[start:end].count(False)
                if telling[start] and telling[end - 1] and inner <= INNER:
                    found.setdefault(tuple(folded[start:end]), _written(run[start:end]))
    return found


def _runs(text: str) -> Iterator[list[str]]:
    """Words in a row: no phrase runs across punctuation or into the next line."""
    run: list[str] = []
    for token in _TOKEN.findall(text):
        if token[0] == "_" or not token[0].isalnum():
            yield run
            run = []
        else:
            run.append(token)
    yield run


def _written(words: Sequence[str]) -> str:
    unspaced = all(_UNSPACED.match(word) for word in words)
    return ("" if unspaced else " ").join(words)


def _candidates(group: Sequence[Page], everywhere: Counter[Key], pages: int, stops: frozenset[str]) -> list[_Candidate]:
    """The phrases that set the group apart, the best first."""
    counts = Counter(key for page in group for key in page)
    others = max(1, pages - len(group))
    worth: dict[Key, float] = {}
    for key, count in counts.items():
        gain = count / len(group) - (everywhere[key] - count) / others
        if gain <= 0:
            continue
        telling = [(word,) for word in key if is_telling(word, stops)]
        known = sum(everywhere[word] - counts[word] > COMMON * others for word in telling)
        if new := len(telling) - known:
            # Words that all pages have make a phrase readable, and half as much better.
            worth[key] = gain * (1 + FOR_EACH_WORD * min(2, new - 1 + known / 2))
    most = max((counts[key] for key in worth), default=0)
    least = min(most, max(2, LEAST * len(group)))
    found = [
        _Candidate(key, frozenset(number for number, page in enumerate(group) if key in page), value)
        for key, value in worth.items()
        if counts[key] >= least
    ]
    return sorted(found, key=lambda one: (-one.worth, one.key))


def _name(group: Sequence[Page], candidates: Sequence[_Candidate]) -> str:
    """The best phrase; a second one for other pages where the first is in few."""
    if not candidates:
        return "similar pages"
    first = candidates[0]
    shown = [_commonest(group, first)]
    if len(first.pages) < COVERED * len(group):
        rest = [one for one in candidates if not set(one.key) & set(first.key)]
        second = max(rest, key=lambda one: len(one.pages - first.pages) * one.worth, default=None)
        if second is not None and len(second.pages - first.pages) >= max(2, LEAST * len(group)):
            shown.append(_commonest(group, second))
    return ", ".join(shown)[:NAME_CHARS]


def _commonest(group: Sequence[Page], phrase: _Candidate) -> str:
    """As the phrase is written most often, not in capitals where there is a choice."""
    written = Counter(group[number][phrase.key] for number in phrase.pages)
    return min(written, key=lambda one: (one.isupper() and len(written) > 1, -written[one], one))


def _free(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 2
    while name_key(name) in taken:
        name, number = f"{wanted} {number}", number + 1
    return name

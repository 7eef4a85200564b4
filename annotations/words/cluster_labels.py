"""Names for groups of pages: frequent phrases that distinguish a group, as its pages write them."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotations.words.feature_selection import MAX_PAGE_SHARE
from annotations.words.stop_words import is_distinctive
from qc4.text import UNSPACED, name_key

MAX_PHRASE_WORDS = 5
"""Maximum number of words in a phrase, at most two of them function words: "Battle of the Coral Sea"."""
MAX_FUNCTION_WORDS = 2
WORD_BONUS = 0.4
"""Bonus for the second and the third distinctive word of a phrase: "Jaguar XK club" says more than "club"."""
MIN_COVERED_SHARE = 0.5
"""If a smaller share of the group's pages has the phrase, the name gets a second phrase."""
MIN_PHRASE_SHARE = 0.15
"""Minimum share of the group's pages that have a phrase, or that a second phrase adds. A rarer phrase does not describe
the group."""
SAMPLED_PAGES = 60
"""Number of pages of a group that are read, which is enough to find its frequent phrases."""
NAME_CHARS = 180

_TOKEN = re.compile(f"[{UNSPACED}]|(?:(?![{UNSPACED}])\\w)+(?:['’&.-](?:(?![{UNSPACED}])\\w)+)*|[^\\w\\s]+|\\n")
_UNSPACED = re.compile(f"[{UNSPACED}]")

Key = tuple[str, ...]
PagePhrases = dict[Key, str]
"""The phrases of a page: case-folded words -> the first spelling in the page."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A phrase, the pages of the group that have it, and its score."""

    key: Key
    pages: frozenset[int]
    worth: float


def name_groups(texts: Sequence[Sequence[str]], stops: frozenset[str]) -> list[str]:
    """Return a unique name for each group of texts.

    A phrase is one to five consecutive words that starts and ends with a distinctive word. Its score is the share of
    the group's pages that have it minus the share of all other pages, with a bonus for length. A phrase may not consist
    only of words that more than half of the other pages have, in any language.
    """
    groups = [[_phrases(text, stops) for text in _sampled(group)] for group in texts]
    everywhere = Counter(key for group in groups for page in group for key in page)
    pages = sum(map(len, groups))
    found: list[str] = []
    for group in groups:
        name = _name_of_group(group, _candidates(group, everywhere, pages, stops))
        found.append(_unused_name(name, {name_key(other) for other in found}))
    return found


def _sampled(texts: Sequence[str]) -> Sequence[str]:
    return texts[:: max(1, len(texts) // SAMPLED_PAGES)][:SAMPLED_PAGES]


def _phrases(text: str, stops: frozenset[str]) -> PagePhrases:
    found: PagePhrases = {}
    for run in _word_runs(html.unescape(text)):
        folded = [word.casefold() for word in run]
        telling = [is_distinctive(word, stops) for word in folded]
        for start in range(len(run)):
            for end in range(start + 1, min(start + MAX_PHRASE_WORDS, len(run)) + 1):
                inner = telling[start:end].count(False)
                if telling[start] and telling[end - 1] and inner <= MAX_FUNCTION_WORDS:
                    found.setdefault(tuple(folded[start:end]), _join_words(run[start:end]))
    return found


def _word_runs(text: str) -> Iterator[list[str]]:
    """Yield runs of consecutive words. Punctuation and line breaks end a run."""
    run: list[str] = []
    for token in _TOKEN.findall(text):
        if token[0] == "_" or not token[0].isalnum():
            yield run
            run = []
        else:
            run.append(token)
    yield run


def _join_words(words: Sequence[str]) -> str:
    unspaced = all(_UNSPACED.match(word) for word in words)
    return ("" if unspaced else " ").join(words)


def _candidates(
    group: Sequence[PagePhrases], everywhere: Counter[Key], pages: int, stops: frozenset[str]
) -> list[_Candidate]:
    """Return the phrases that distinguish the group, best first."""
    counts = Counter(key for page in group for key in page)
    others = max(1, pages - len(group))
    worth: dict[Key, float] = {}
    for key, count in counts.items():
        gain = count / len(group) - (everywhere[key] - count) / others
        if gain <= 0:
            continue
        telling = [(word,) for word in key if is_distinctive(word, stops)]
        known = sum(everywhere[word] - counts[word] > MAX_PAGE_SHARE * others for word in telling)
        if new := len(telling) - known:
            # Words that most other pages have too make a phrase more readable, so they count half.
            worth[key] = gain * (1 + WORD_BONUS * min(2, new - 1 + known / 2))
    most = max((counts[key] for key in worth), default=0)
    least = min(most, max(2, MIN_PHRASE_SHARE * len(group)))
    found = [
        _Candidate(key, frozenset(number for number, page in enumerate(group) if key in page), value)
        for key, value in worth.items()
        if counts[key] >= least
    ]
    return sorted(found, key=lambda one: (-one.worth, one.key))


def _name_of_group(group: Sequence[PagePhrases], candidates: Sequence[_Candidate]) -> str:
    """Return the best phrase, joined with a second one for the other pages if few pages have the first."""
    if not candidates:
        return "similar pages"
    first = candidates[0]
    shown = [_most_frequent_spelling(group, first)]
    if len(first.pages) < MIN_COVERED_SHARE * len(group):
        rest = [one for one in candidates if not set(one.key) & set(first.key)]
        second = max(rest, key=lambda one: len(one.pages - first.pages) * one.worth, default=None)
        if second is not None and len(second.pages - first.pages) >= max(2, MIN_PHRASE_SHARE * len(group)):
            shown.append(_most_frequent_spelling(group, second))
    return ", ".join(shown)[:NAME_CHARS]


def _most_frequent_spelling(group: Sequence[PagePhrases], phrase: _Candidate) -> str:
    """Return the most frequent spelling of a phrase, preferring spellings that are not all capitals."""
    written = Counter(group[number][phrase.key] for number in phrase.pages)
    return min(written, key=lambda one: (one.isupper() and len(written) > 1, -written[one], one))


def _unused_name(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 2
    while name_key(name) in taken:
        name, number = f"{wanted} {number}", number + 1
    return name

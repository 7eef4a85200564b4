"""Single words: which carry no meaning, and which forms count as the same word.

Both lists are short and our own: English function words, the furniture of web pages, and a light stemmer.
Words of other languages and scripts pass unchanged.
"""

from __future__ import annotations

from functools import lru_cache

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
    """Whether a case-folded word says nothing about a page's topic: function words, page furniture, bare numbers."""
    return word in STOP_WORDS or word.isdigit() or (len(word) == 1 and word.isascii())


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The word without its commonest English endings; words with letters outside a-z pass unchanged.

    Plural, then -ed / -ing (with the doubled consonant), then a final e, each only where three letters with a
    vowel remain: ``parties -> party``, ``running -> run``, ``made -> mad``, ``glass -> glass``.
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

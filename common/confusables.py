"""Checks on names that people read: which characters they may contain, and which names look alike.

Two names look alike if they have the same skeleton by Unicode's list of confusable characters (UTS 39). The skeleton
ignores case and separators at the ends, and counts repeated separators as one (docs/decisions/names.md).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache
from typing import Any

from django.db import models

from qc4.problems import Problem

LOOK_CHARS = 64
_SPACES = re.compile(r"[^\S\r\n\t\x0b\x0c\x1c-\x1f\x85\u2028\u2029]+")
_ALWAYS_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0")
"""Invisible characters that Unicode classifies as letters, marks or symbols."""
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories of controls, format characters, surrogates, private and unassigned characters, and line breaks."""
_JOINERS = "\u200c\u200d"
_SELECTORS = "\ufe0e\ufe0f"
SEPARATORS = " .,;:!'_-"
"""Characters that are hard to notice at the ends of a name or when repeated."""
ACCOUNT_SEPARATORS = SEPARATORS + "@+"
"""The separators in names of accounts. In names of algorithms a plus sign can matter, as in "K-means++"."""


def normalised_name(name: str) -> str:
    """Return a name in its stored form: composed (NFC), runs of spaces as one plain space, none at the ends."""
    return _SPACES.sub(" ", unicodedata.normalize("NFC", name)).strip()


def first_invisible(name: str) -> str:
    """Return the first invisible character of a name in the form "U+202E"; empty if there is none.

    Joiners are allowed where scripts and emoji need them: between two characters that are not ASCII and not Latin,
    Greek or Cyrillic.
    """
    for place, character in enumerate(name):
        joins = character in _JOINERS and 0 < place < len(name) - 1 and _joinable(name[place - 1], name[place + 1])
        if character in _ALWAYS_INVISIBLE or (unicodedata.category(character) in _UNSEEN and not joins):
            return f"U+{ord(character):04X}"
    return ""


def look(name: str, separators: str = SEPARATORS) -> str:
    """Return the SHA-256 of a name's skeleton. Names that look alike have the same skeleton.

    Args:
        separators: characters that are ignored at the ends of a name and when repeated.
    """
    seen = "".join(one for one in name if one not in _JOINERS + _SELECTORS and not first_invisible(one))
    first = _mapped(unicodedata.normalize("NFKD", normalised_name(seen)))
    skeleton = _mapped(unicodedata.normalize("NFKD", first.casefold()))
    bare = _without_separators(unicodedata.normalize("NFKD", skeleton), separators)
    return hashlib.sha256(bare.encode()).hexdigest()


def account_look(name: str) -> str:
    """Return the `look` of the name of an account."""
    return look(name, ACCOUNT_SEPARATORS)


class LookField(models.CharField):  # type: ignore[type-arg]  # not subscriptable at run time
    """A column with the `look` of another column. It is set whenever the row is saved."""

    def __init__(self, *args: Any, of: str = "", separators: str = SEPARATORS, **kwargs: Any) -> None:
        self.of, self.separators = of, separators
        super().__init__(*args, **{"max_length": LOOK_CHARS, "editable": False, "default": "", **kwargs})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, path, args, kwargs = super().deconstruct()
        other = {} if self.separators == SEPARATORS else {"separators": self.separators}
        return name, path, args, {**kwargs, "of": self.of, **other}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = look(getattr(model_instance, self.of), self.separators)
        setattr(model_instance, self.attname, value)
        return value


def _joinable(*around: str) -> bool:
    return not any(
        one.isascii() or unicodedata.name(one, "").startswith(("LATIN", "GREEK", "CYRILLIC")) for one in around
    )


def _without_separators(skeleton: str, separators: str) -> str:
    """Remove separators at the ends of a skeleton and repeated ones. Keep a skeleton that has nothing else."""
    known = re.escape(_mapped(unicodedata.normalize("NFKD", separators)))
    ends = re.sub(rf"^[{known}]+|[{known}]+$", "", skeleton)
    return re.sub(rf"([{known}])[{known}]+", r"\1", ends) or skeleton


def _mapped(text: str) -> str:
    prototypes = _prototypes()
    return "".join(prototypes.get(character, character) for character in text)


@cache
def _prototypes() -> dict[str, str]:
    """Return a mapping from each confusable character to the prototype of the characters that look like it.

    Unicode's list gives pairs in both directions. The prototype of a pair is the longer text; if both have the same
    length, the one with more look-alikes; otherwise the one with the lower code point.
    """
    from confusable_homoglyphs.confusables import confusables_data  # takes a quarter of a second

    like = {
        one.strip("\u200e"): [other["c"].strip("\u200e") for other in others]
        for one, others in confusables_data.items()
    }
    prototypes = {}
    for one, others in like.items():
        if len(one) != 1 or len(others) != 1:
            continue
        other = others[0]
        stands = max(one, other, key=lambda name: (len(name), len(like.get(name, ())), [-ord(each) for each in name]))
        if stands != one:
            prototypes[one] = stands
    return prototypes


# --- Checks -----------------------------------------------------------------------------------------------------------
# Accounts have their own rules (`accounts.names`).


def unseen_problems(where: str, name: str) -> list[Problem]:
    """What is wrong with a name that holds characters nobody sees: line breaks, marks of direction."""
    found = first_invisible(normalised_name(name))
    if not found:
        return []
    expected = "one line of characters that are seen"
    return [Problem("bad-name", where, f"the invisible character {found}", expected, "Type the name anew.")]

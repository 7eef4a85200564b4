"""The marks of level-1 topics: numbers from 0, drawn as colour and shape. No two topics have the same number.

A topic has its number for good from when it is first on level 1; see `docs/decisions/marks-are-given-once.md`.
`static/js/drafts/marks.js` does the same in the browser.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

LOOKS = 32
"""How many marks look different: eight colours by four shapes."""


def give_mark(marks: dict[str, int], roots: Iterable[str], topic: str) -> None:
    """See that a topic of level 1 has a mark: its own of old, else the smallest that nobody ever had.

    Once all looks have been given, the smallest that no topic of level 1 has now; whose it was loses it.

    Args:
        marks: topic -> number, changed in place. Topics that are gone or no longer on level 1 keep theirs waiting.
        roots: the topics of level 1.
    """
    if topic in marks:
        return
    holders = {number: holder for holder, number in marks.items()}
    free = next((number for number in range(LOOKS) if number not in holders), None)
    if free is None:
        held = {marks[root] for root in roots if root in marks}
        free = next(number for number in count() if number not in held)
        if free in holders:
            del marks[holders[free]]
    marks[topic] = free


def marks_in_order(roots: Iterable[str]) -> dict[str, int]:
    """The marks of a hierarchy that begins with these topics on level 1: in their order."""
    return {topic: number for number, topic in enumerate(roots)}

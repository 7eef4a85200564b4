"""Compact letter display: two systems share a letter exactly if they are not significantly different.

Source: Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, J. Computational and
Graphical Statistics 13, 2004 (insert and absorb).
"""

from __future__ import annotations

from collections.abc import Iterable


def compact_letter_display(n: int, separated: Iterable[tuple[int, int]]) -> list[str]:
    """Return the letters of n systems, a for the group of the first; with more than 26 groups commas separate them.

    Args:
        separated: pairs of places, 0 to n - 1, of systems that are significantly different.
    """
    groups = {(1 << n) - 1}  # sets of places as bits
    for one, other in separated:
        both = 1 << one | 1 << other
        split = [group for group in groups if group & both == both]
        groups.difference_update(split)
        for group in (group & ~(1 << place) for place in (one, other) for group in split):
            if not any(group & kept == group for kept in groups):
                groups = {kept for kept in groups if kept & group != kept} | {group}
    members = sorted([place for place in range(n) if group >> place & 1] for group in groups)
    between = "," if len(members) > 26 else ""
    found: list[list[str]] = [[] for _ in range(n)]
    for number, group_members in enumerate(members):
        for place in group_members:
            found[place].append(letter(number))
    return [between.join(each) for each in found]


def letter(number: int) -> str:
    """Return the name of a group: a, b, .., z, aa, ab, .."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
